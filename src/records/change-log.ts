import type { ChangeSet, ImportedFile, NewChangeSet } from './changes/change-set.ts';
import type { LoggedChange } from './changes/record-change.ts';

/** How many changes a page has at most. */
export const changesAPage = 1_000;

/**
 * What commands changed of which records, to show it and to undo it. The record store writes the changes, in one step
 * with the records. Every method fails with Problem `store_unavailable` if the store cannot be reached.
 */
export interface ChangeLog {
  /** Begins a change set; the record store takes its id with each change. */
  begin(changeSet: NewChangeSet): Promise<void>;
  /** Notes how a change set ended. One that is ended again has the last end. */
  end(id: string, result: Pick<ChangeSet, 'endedAt' | 'counts'> & { files: readonly ImportedFile[] }): Promise<void>;
  find(id: string): Promise<ChangeSet | null>;
  /** Those of these ids that exist, in any order. */
  findMany(ids: readonly string[]): Promise<ChangeSet[]>;
  /** The newest first, at most `limit`. */
  list(limit: number): Promise<ChangeSet[]>;
  /** The change sets that undo one of these, the newest first. */
  listUndoing(ids: readonly string[]): Promise<ChangeSet[]>;
  /** The changes of a change set, one for each record, page by page in a constant order. */
  readChanges(id: string): AsyncIterable<LoggedChange[]>;
  /** The changes of a record, the newest first, at most `limit`. */
  listChangesOf(recordId: string, limit: number): Promise<LoggedChange[]>;
  /**
   * Deletes the changes of these records, so that nothing brings them back: all, or only those in some change sets. Returns
   * how many there were.
   */
  forget(recordIds: readonly string[], changeSets?: readonly string[]): Promise<number>;
  /** How many bytes the changes take, about. */
  size(): Promise<number>;
  /** Deletes a change set and its changes in steps, so that others can write meanwhile. */
  remove(id: string): Promise<void>;
  /** The oldest change sets, the oldest first, at most `limit`. */
  listOldest(limit: number): Promise<ChangeSet[]>;
}
