import type { Collection } from 'mongodb';
import type { DeadLetter } from '#ports/index-maintenance.ts';
import { runOnMongo } from './mongo-faults.ts';

export interface DeadLetterDocument {
  /** The record's id. */
  _id: string;
  reason: string;
  at: Date;
}

/** The records that could not be indexed: one dead letter per record, the latest. */
export class MongoDeadLetters {
  readonly #deadLetters: Collection<DeadLetterDocument>;

  constructor(deadLetters: Collection<DeadLetterDocument>) {
    this.#deadLetters = deadLetters;
  }

  async save(deadLetters: readonly DeadLetter[], at: Date): Promise<void> {
    if (deadLetters.length === 0) return;
    const writes = deadLetters.map(({ id, reason }) => ({
      replaceOne: { filter: { _id: id }, replacement: { reason, at }, upsert: true },
    }));
    await runOnMongo(() => this.#deadLetters.bulkWrite(writes, { ordered: false }));
  }

  /** Deletes the dead letters of records that are valid again, or gone. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await runOnMongo(() => this.#deadLetters.deleteMany({ _id: { $in: [...ids] } }));
  }

  /** Deletes all that were saved before. */
  async removeBefore(at: Date): Promise<void> {
    await runOnMongo(() => this.#deadLetters.deleteMany({ at: { $lt: at } }));
  }

  /** The ids that have a dead letter. */
  async findAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    return runOnMongo(async () => new Set(await this.#deadLetters.distinct('_id', { _id: { $in: [...ids] } })));
  }

  async count(): Promise<number> {
    return runOnMongo(() => this.#deadLetters.countDocuments());
  }

  /** In the order of ids, in constant memory. */
  async *scan(): AsyncIterable<DeadLetter & { at: string }> {
    for await (const { _id: id, reason, at } of this.#deadLetters.find().sort({ _id: 1 })) {
      yield { id, reason, at: at.toJSON() };
    }
  }
}
