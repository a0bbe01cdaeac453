import type { Push, PushLog } from '#outbound/push.ts';
import { CollectionStore } from './collection-store.ts';

export interface PushDocument extends Omit<Push, 'id'> {
  _id: string;
}

/** The push log in a MongoDB collection. */
export class MongoPushLog extends CollectionStore<PushDocument> implements PushLog {
  async save({ id, ...push }: Push): Promise<void> {
    await this.run((pushes) => pushes.replaceOne({ _id: id }, push, { upsert: true }));
  }

  async find(id: string): Promise<Push | null> {
    const document = await this.run((pushes) => pushes.findOne({ _id: id }));
    return document && readPush(document);
  }

  async list(limit: number): Promise<Push[]> {
    const newestFirst = { startedAt: -1, _id: -1 } as const;
    return (await this.run((pushes) => pushes.find().sort(newestFirst).limit(limit).toArray())).map(readPush);
  }

  async purge(before: Date): Promise<number> {
    const at = before.toISOString();
    // Pushes that are old started before then, which the index of list() finds.
    const old = { startedAt: { $lt: at }, updatedAt: { $lt: at } };
    return (await this.run((pushes) => pushes.deleteMany(old))).deletedCount;
  }
}

function readPush({ _id, ...push }: PushDocument): Push {
  return { id: _id, ...push };
}
