import { type Collection, Long } from 'mongodb';
import { runOnMongo } from './mongo-faults.ts';
import type { Position } from './mongo-record-source.ts';

export interface GenerationDocument {
  /** The index. */
  _id: string;
  identity: string;
  is_complete: boolean;
  token: string;
  version: Long;
  reached_at: Date;
}

/** How far one generation of the index has come. */
export interface GenerationState {
  index: string;
  /** Of the very index: one that was made anew under the same name has not come so far. */
  identity: string;
  /** Whether it was whole once: what is not was left by a rebuild that was cut off. */
  isComplete: boolean;
  /** Everything before it is in the index, or in the dead letters. */
  position: Position;
  /** Everything until this time is in; such as 2026-11-21T13:00:00.000Z. */
  reachedAt: string;
}

/** Where each generation of the index stands, kept with the records. */
export class MongoIndexJournal {
  readonly #generations: Collection<GenerationDocument>;

  constructor(generations: Collection<GenerationDocument>) {
    this.#generations = generations;
  }

  async find(index: string): Promise<GenerationState | null> {
    return runOnMongo(async () => {
      const found = await this.#generations.findOne({ _id: index }, { promoteLongs: false });
      if (found === null) return null;
      const { identity, is_complete: isComplete, token, version, reached_at } = found;
      return {
        index,
        identity,
        isComplete,
        position: { token, version: version.toBigInt() },
        reachedAt: reached_at.toJSON(),
      };
    });
  }

  async save({ index, identity, isComplete, position, reachedAt }: GenerationState): Promise<void> {
    const state = {
      identity,
      is_complete: isComplete,
      token: position.token,
      version: Long.fromBigInt(position.version),
      reached_at: new Date(reachedAt),
    };
    await runOnMongo(() => this.#generations.replaceOne({ _id: index }, state, { upsert: true }));
  }

  async remove(index: string): Promise<void> {
    await runOnMongo(() => this.#generations.deleteOne({ _id: index }));
  }
}
