import { type Collection, Long } from 'mongodb';
import type { GenerationState, IndexJournal } from '#ports/index-journal.ts';
import { runOnMongo } from './mongo-faults.ts';

export interface GenerationDocument {
  /** The index. */
  _id: string;
  identity: string;
  is_complete: boolean;
  token: string;
  version: Long;
  reached_at: Date;
}

export class MongoIndexJournal implements IndexJournal {
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
