import type { Collection } from 'mongodb';
import type { DeadLetter, DeadLetters } from '#ports/dead-letters.ts';
import { runOnMongo } from './mongo-faults.ts';

export interface DeadLetterDocument {
  /** The record's id. */
  _id: string;
  reason: string;
  at: Date;
}

export class MongoDeadLetters implements DeadLetters {
  readonly #letters: Collection<DeadLetterDocument>;

  constructor(letters: Collection<DeadLetterDocument>) {
    this.#letters = letters;
  }

  async save(letters: readonly DeadLetter[], at: Date): Promise<void> {
    if (letters.length === 0) return;
    const writes = letters.map(({ id, reason }) => ({
      replaceOne: { filter: { _id: id }, replacement: { reason, at }, upsert: true },
    }));
    await runOnMongo(() => this.#letters.bulkWrite(writes, { ordered: false }));
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await runOnMongo(() => this.#letters.deleteMany({ _id: { $in: [...ids] } }));
  }

  async removeBefore(at: Date): Promise<void> {
    await runOnMongo(() => this.#letters.deleteMany({ at: { $lt: at } }));
  }

  async findAmong(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    return runOnMongo(async () => new Set(await this.#letters.distinct('_id', { _id: { $in: [...ids] } })));
  }

  async count(): Promise<number> {
    return runOnMongo(() => this.#letters.countDocuments());
  }

  async *scan(): AsyncIterable<DeadLetter & { at: string }> {
    for await (const { _id: id, reason, at } of this.#letters.find().sort({ _id: 1 })) {
      yield { id, reason, at: at.toJSON() };
    }
  }
}
