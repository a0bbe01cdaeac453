import type { DeadLetter } from '#search/indexed/index-maintenance.ts';
import { CollectionStore } from './collection-store.ts';

export interface DeadLetterDocument {
  /** The record's id. */
  _id: string;
  reason: string;
  at: Date;
}

/** The records that could not be indexed: one dead letter per record, the latest. */
export class MongoDeadLetters extends CollectionStore<DeadLetterDocument> {
  async save(deadLetters: readonly DeadLetter[], at: Date): Promise<void> {
    if (deadLetters.length === 0) return;
    const writes = deadLetters.map(({ id, reason }) => ({
      replaceOne: { filter: { _id: id }, replacement: { reason, at }, upsert: true },
    }));
    await this.run((stored) => stored.bulkWrite(writes, { ordered: false }));
  }

  /** Deletes the dead letters of records that are valid again, or gone. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.run((stored) => stored.deleteMany({ _id: { $in: [...ids] } }));
  }

  async removeBefore(at: Date): Promise<void> {
    await this.run((stored) => stored.deleteMany({ at: { $lt: at } }));
  }

  async findAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    return this.run(async (stored) => new Set(await stored.distinct('_id', { _id: { $in: [...ids] } })));
  }

  async count(): Promise<number> {
    return this.run((stored) => stored.countDocuments());
  }

  /** In the order of ids, in constant memory. */
  async *scan(): AsyncIterable<DeadLetter & { at: string }> {
    for await (const { _id: id, reason, at } of this.collection.find().sort({ _id: 1 })) {
      yield { id, reason, at: at.toJSON() };
    }
  }
}
