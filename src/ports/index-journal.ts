import type { Position } from './record-source.ts';

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
export interface IndexJournal {
  find(index: string): Promise<GenerationState | null>;
  save(state: GenerationState): Promise<void>;
  remove(index: string): Promise<void>;
}
