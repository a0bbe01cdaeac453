import type { Collection } from 'mongodb';
import type { Suppression } from '#domain/suppression.ts';
import type { SuppressionList } from '#ports/suppression-list.ts';
import { requestTimeoutMs } from './connect-mongo.ts';
import type { FollowedHistory } from './followed-history.ts';
import { runOnMongo } from './mongo-faults.ts';

export interface SuppressionDocument {
  /** The key. */
  _id: string;
  reason: string | null;
  added_at: string;
}

/** The list in a MongoDB collection. */
export class MongoSuppressionList implements SuppressionList {
  readonly #suppressions: Collection<SuppressionDocument>;
  readonly #history: FollowedHistory;

  constructor(suppressions: Collection<SuppressionDocument>, history: FollowedHistory) {
    this.#suppressions = suppressions;
    this.#history = history;
  }

  async add(suppressions: readonly Suppression[]): Promise<number> {
    if (suppressions.length === 0) return 0;
    const writes = suppressions.map(({ key, reason, addedAt }) => {
      const update = { $setOnInsert: { reason, added_at: addedAt } };
      return { updateOne: { filter: { _id: key }, update, upsert: true } };
    });
    return runOnMongo(async () => (await this.#suppressions.bulkWrite(writes, { ordered: false })).upsertedCount);
  }

  async remove(keys: readonly string[]): Promise<number> {
    return runOnMongo(async () => (await this.#suppressions.deleteMany({ _id: { $in: [...keys] } })).deletedCount);
  }

  async list(): Promise<Suppression[]> {
    const documents = await runOnMongo(() => this.#suppressions.find().sort({ added_at: 1, _id: 1 }).toArray());
    return documents.map(({ _id, reason, added_at }) => ({ key: _id, reason, addedAt: added_at }));
  }

  async listKeysSince(at: Date): Promise<ReadonlySet<string>> {
    const filter = { added_at: { $gte: at.toISOString() } };
    const options = {
      projection: { _id: 1 },
      readConcern: { level: 'majority' },
      signal: AbortSignal.timeout(requestTimeoutMs),
    } as const;
    const documents = await runOnMongo(() =>
      this.#history.readAfter((session) => this.#suppressions.find(filter, { ...options, session }).toArray()),
    );
    return new Set(documents.map(({ _id }) => _id));
  }
}
