import type { KeyedKind, KeyedStore, OpenKeyed } from '#records/keyed-store.ts';

/** A position in the history of the records: everything before it is included, everything after it is still to come. */
export interface Position {
  /** What the store needs to resume from there; opaque to everybody else. */
  token: string;
  /** Increases with the history; an index write under it never replaces a later one. */
  version: bigint;
}

/** How far a generation has come. It has none before it is complete: what has none was left by an interrupted rebuild. */
export interface GenerationState {
  index: string;
  /** Of this very index: one recreated under the same name does not have this position. */
  identity: string;
  /** Everything before it is in the index, or in the dead letters. */
  position: Position;
  /** Everything until this time is included; such as 2026-11-21T13:00:00.000Z. */
  reachedAt: string;
}

/** Its version is a whole number of 64 bits, which JSON writes as text. */
type KeptState = Omit<GenerationState, 'position'> & { token: Position['token']; version: string };

export const generationKind: KeyedKind<KeptState> = { name: 'index_generations', orderOf: ({ index }) => index };

/** The position of each generation of the index, stored with the records. */
export class MongoIndexJournal {
  readonly #states: KeyedStore<KeptState>;

  constructor(open: OpenKeyed) {
    this.#states = open(generationKind);
  }

  async find(index: string): Promise<GenerationState | null> {
    const stored = await this.#states.find(index);
    if (stored === null) return null;
    const { token, version, ...state } = stored;
    return { ...state, position: { token, version: BigInt(version) } };
  }

  async save({ position, ...state }: GenerationState): Promise<void> {
    const { token, version } = position;
    await this.#states.change(state.index, () => ({ ...state, token, version: String(version) }));
  }

  async remove(index: string): Promise<void> {
    await this.#states.change(index, () => null);
  }
}
