import { Long } from 'mongodb';
import { CollectionStore } from './collection-store.ts';
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

/** The position of one generation of the index. */
export interface GenerationState {
  index: string;
  /** Of this very index: one recreated under the same name does not have this position. */
  identity: string;
  /** Whether it was complete once: an incomplete one was left by an interrupted rebuild. */
  isComplete: boolean;
  /** Everything before it is in the index, or in the dead letters. */
  position: Position;
  /** Everything until this time is included; such as 2026-11-21T13:00:00.000Z. */
  reachedAt: string;
}

/** The position of each generation of the index, stored with the records. */
export class MongoIndexJournal extends CollectionStore<GenerationDocument> {
  async find(index: string): Promise<GenerationState | null> {
    const found = await this.run((generations) => generations.findOne({ _id: index }, { promoteLongs: false }));
    if (found === null) return null;
    const { identity, is_complete: isComplete, token, version, reached_at } = found;
    const position = { token, version: version.toBigInt() };
    return { index, identity, isComplete, position, reachedAt: reached_at.toJSON() };
  }

  async save({ index, identity, isComplete, position, reachedAt }: GenerationState): Promise<void> {
    const state = {
      identity,
      is_complete: isComplete,
      token: position.token,
      version: Long.fromBigInt(position.version),
      reached_at: new Date(reachedAt),
    };
    await this.run((generations) => generations.replaceOne({ _id: index }, state, { upsert: true }));
  }

  async remove(index: string): Promise<void> {
    await this.run((generations) => generations.deleteOne({ _id: index }));
  }
}
