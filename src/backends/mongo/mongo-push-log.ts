import type { Collection } from 'mongodb';
import type { Push } from '#domain/outbound/push.ts';
import type { PushLog } from '#ports/push-log.ts';
import { runOnMongo } from './mongo-faults.ts';

export interface PushDocument extends Omit<Push, 'id'> {
  _id: string;
}

/** The push log in a MongoDB collection. */
export class MongoPushLog implements PushLog {
  readonly #pushes: Collection<PushDocument>;

  constructor(pushes: Collection<PushDocument>) {
    this.#pushes = pushes;
  }

  async save({ id, ...push }: Push): Promise<void> {
    await runOnMongo(() => this.#pushes.replaceOne({ _id: id }, push, { upsert: true }));
  }

  async find(id: string): Promise<Push | null> {
    const document = await runOnMongo(() => this.#pushes.findOne({ _id: id }));
    return document && readPush(document);
  }

  async list(limit: number): Promise<Push[]> {
    const documents = await runOnMongo(() =>
      this.#pushes.find().sort({ startedAt: -1, _id: -1 }).limit(limit).toArray(),
    );
    return documents.map(readPush);
  }

  async purge(before: Date): Promise<number> {
    const at = before.toISOString();
    // Pushes that are old started before then, which the index of list() finds.
    const old = { startedAt: { $lt: at }, updatedAt: { $lt: at } };
    return (await runOnMongo(() => this.#pushes.deleteMany(old))).deletedCount;
  }
}

function readPush({ _id, ...push }: PushDocument): Push {
  return { id: _id, ...push };
}
