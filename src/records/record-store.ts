import type { ChangeSet, ImportedFile, NewChangeSet } from './changes/change-set.ts';
import type { LoggedChange, RecordChange } from './changes/record-change.ts';
import type { Reversal } from './changes/revert-change.ts';
import type { MediaRecord, RecordPatch } from './media-record.ts';
import type { MergeResult } from './merge-record.ts';

/** `incomplete`: a new record without a kind or a name, which is not saved. */
export type SaveOutcome = MergeResult['outcome'];

/** A record before and after an amendment; the same object if it was left. */
export interface Amended {
  before: MediaRecord;
  after: MediaRecord;
}

/** The record that duplicates were merged into; or the ids without a record. */
export type MergedDuplicates = { record: MediaRecord } | { missing: readonly string[] };

/** What to change of a record, going by what it says at that moment; null to leave it. The store may ask more than once. */
export type Amendment = (stored: MediaRecord) => Omit<RecordPatch, 'id'> | null;

/**
 * The source records that the index follows. Each change is one atomic step, noted in the change log under the id of a
 * change set. Methods of all ports of stores fail with Problem `store_unavailable` if it cannot be reached.
 */
export interface RecordStore {
  /**
   * Merges each patch into what is stored under its id (see mergeWork), in order, never losing what another writer saved
   * in between. Returns one outcome per patch.
   */
  merge(patches: readonly RecordPatch[], changeSet?: string): Promise<SaveOutcome[]>;
  /** Says which patches `merge` will be given next, the same objects: a store may begin to make their records. */
  prepare?(patches: readonly RecordPatch[]): Promise<void>;
  /** What merge would return, without saving anything; so are the other previews. */
  preview(patches: readonly RecordPatch[]): Promise<SaveOutcome[]>;
  /** Changes those of these records that exist; ids of merged records are not followed. Returns them in their order. */
  amend(ids: readonly string[], amendment: Amendment, changeSet: string): Promise<Amended[]>;
  previewAmend(ids: readonly string[], amendment: Amendment): Promise<Amended[]>;
  /** The record with this id, whether or not searches find it; null if there is none, or none that is readable. */
  find(id: string): Promise<MediaRecord | null>;
  /** The readable records with one of these name keys (nameKeyOf) or ids, in any order. */
  findAny(nameKeys: readonly number[], ids: readonly string[]): Promise<MediaRecord[]>;
  /** Deletes records in steps; returns how many existed. */
  remove(ids: readonly string[], changeSet?: string): Promise<number>;
  removeByIdPrefix(prefix: string, changeSet?: string): Promise<number>;
  /**
   * Merges duplicates, best first, into one record: it gains what they have (see joinRecords), they are deleted, and their ids
   * lead to it from then on. If one of the records is missing, nothing changes.
   */
  mergeDuplicates(keepId: string, otherIds: readonly string[], changeSet: string): Promise<MergedDuplicates>;
  /** Undoes changes (see revertChange). A record that comes back has its id for itself again. Returns a reversal for each. */
  revert(changes: readonly RecordChange[], changeSet: string): Promise<Reversal[]>;
  previewRevert(changes: readonly RecordChange[]): Promise<Reversal[]>;
  count(): Promise<number>;
  /**
   * All readable records in the order of their ids' UTF-8 bytes, in batches; writers never wait. SQLite shows one moment,
   * MongoDB each batch as of its reading. `onUnreadable` takes how many are left out.
   */
  readAll(onUnreadable?: (count: number) => void): AsyncIterable<readonly MediaRecord[]>;
}

export const changesAPage = 1_000;

/** What commands changed of which records, to show it and to undo it; the record store writes the changes. */
export interface ChangeLog {
  /** Begins a change set; the record store takes its id with each change. */
  begin(changeSet: NewChangeSet): Promise<void>;
  /** Notes how a change set ended. One that is ended again has the last end. */
  end(id: string, result: Pick<ChangeSet, 'endedAt' | 'counts'> & { files: readonly ImportedFile[] }): Promise<void>;
  find(id: string): Promise<ChangeSet | null>;
  /** The newest first: all, or the first so many. */
  list(limit?: number): Promise<ChangeSet[]>;
  /** The changes of a change set, one for each record, page by page in a constant order. */
  readChanges(id: string): AsyncIterable<LoggedChange[]>;
  /** The changes of a record, the newest first, at most `limit`. */
  listChangesOf(recordId: string, limit: number): Promise<LoggedChange[]>;
  /** Deletes the changes of these records for good. Returns how many there were. */
  forget(recordIds: readonly string[]): Promise<number>;
  /** Deletes a change set and its changes in steps, so that others can write meanwhile. */
  remove(id: string): Promise<void>;
}

/** An id whose record was merged into another. No record has it any longer. */
export interface MergedId {
  id: string;
  /** The record it was merged into, which may have been merged into a further one since. */
  keptId: string;
  /** The change set of the merge. */
  changeSet: string;
  /** ISO 8601, UTC. */
  mergedAt: string;
}

/** Where the ids of merged records lead, as long as there is no record with them: look here after a miss. */
export interface MergedIds {
  /** The id of the record that each of these leads to, over any number of merges; absent for those that were not merged. */
  resolve(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  find(id: string): Promise<MergedId | null>;
  /** All ids that lead to one of these, over any number of merges. */
  listLeadingTo(ids: readonly string[]): Promise<string[]>;
}

/** What reads where the ids of merged records lead. */
export type MergedIdLookup = Pick<MergedIds, 'resolve'>;
