import type { RecordPatch } from '#domain/media-record.ts';
import type { MergeResult } from '#domain/merge-record.ts';

/** `incomplete`: a new record without a kind or a name, which is not saved. */
export type SaveOutcome = MergeResult['outcome'];

/**
 * The source records: the truth that search follows.
 * Every method fails with Problem `store_unavailable` when the store cannot be reached.
 */
export interface RecordStore {
  /**
   * Merges each patch into what is stored under its id (see mergeRecord), the whole batch in one atomic step where
   * the store has one, and never losing what another writer saved in between.
   * A patch whose id is in the batch twice is merged in order. Answers one outcome a patch, in their order.
   */
  merge(patches: readonly RecordPatch[]): Promise<SaveOutcome[]>;
  /** What merge would answer, without saving anything. */
  preview(patches: readonly RecordPatch[]): Promise<SaveOutcome[]>;
  /** Removes the records with these ids; answers how many there were. */
  remove(ids: readonly string[]): Promise<number>;
  /** Removes the records whose id begins so; answers how many there were. */
  removeByIdPrefix(prefix: string): Promise<number>;
  count(): Promise<number>;
}
