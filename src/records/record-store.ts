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

/**
 * What to change of a record, going by what it says at that moment; null to leave it. The store may ask more than once, so it must
 * have no effect of its own.
 */
export type Amendment = (stored: MediaRecord) => Omit<RecordPatch, 'id'> | null;

/** By id: the digest of the one row that a patch comes from, if the row says nothing else (see indexer/importing/find-repeats.ts). */
export type RowDigests = ReadonlyMap<string, string>;

/**
 * The source records that the index follows. What changes under the id of a change set is noted in the change log, in
 * the same atomic step; without one, nothing is noted. Every method fails with Problem `store_unavailable` if the store cannot be
 * reached.
 */
export interface RecordStore {
  /**
   * Merges each patch into what is stored under its id (see mergeRecord), the whole batch in one atomic step if the
   * store supports that, and never losing what another writer saved in between. Patches with the same id are merged in
   * order, and the record is saved once. A patch whose id was merged into another record adds to that one (see
   * mergePatches). Returns one outcome per patch, in their order. The digest of a row is noted with its record, for
   * findMerged.
   */
  merge(patches: readonly RecordPatch[], changeSet?: string, rows?: RowDigests): Promise<SaveOutcome[]>;
  /**
   * Says which patches `merge` will be given next, the same objects. A store that can do part of that work beside other work begins
   * it; a record that it makes of one has this moment as `updated_at` then.
   */
  prepare?(patches: readonly RecordPatch[]): Promise<void>;
  /**
   * The ids whose record has not changed since this row was merged into it, so that merging it once more would change
   * nothing. Absent in a store that notes no digests.
   */
  findMerged?(rows: RowDigests): Promise<ReadonlySet<string>>;
  /** What merge would return, without saving anything. */
  preview(patches: readonly RecordPatch[]): Promise<SaveOutcome[]>;
  /**
   * Changes those of these records that exist by what they say at that moment, atomically as merge does. Ids of merged records are
   * not followed. Returns each record that exists before and after, in their order.
   */
  amend(ids: readonly string[], amendment: Amendment, changeSet: string): Promise<Amended[]>;
  /** What amend would return, without saving anything. */
  previewAmend(ids: readonly string[], amendment: Amendment): Promise<Amended[]>;
  /** The record with this id, whether or not searches find it; null if there is none, or none that is readable. */
  find(id: string): Promise<MediaRecord | null>;
  /**
   * The readable records with one of these name keys (nameKeyOf of their kind and name) or ids, in any order. It may miss a
   * record whose kind or name another tool changed.
   */
  findAny(nameKeys: readonly number[], ids: readonly string[]): Promise<MediaRecord[]>;
  /** Deletes the records with these ids; returns how many existed. */
  remove(ids: readonly string[], changeSet?: string): Promise<number>;
  /** Deletes the records whose id starts with this; returns how many existed. */
  removeByIdPrefix(prefix: string, changeSet?: string): Promise<number>;
  /**
   * Merges duplicates into one record, in one atomic step: it gains what the others have (see joinRecords), those are
   * deleted, and their ids lead to it from then on. The others come best first. If one of the records is missing, nothing
   * changes and `missing` names it.
   */
  mergeDuplicates(keepId: string, otherIds: readonly string[], changeSet: string): Promise<MergedDuplicates>;
  /** Undoes changes (see revertChange), atomically as merge does. A record that comes back has its id for itself again. Returns a reversal for each, in their order. */
  revert(changes: readonly RecordChange[], changeSet: string): Promise<Reversal[]>;
  /** What revert would return, without changing anything. */
  previewRevert(changes: readonly RecordChange[]): Promise<Reversal[]>;
  count(): Promise<number>;
  /**
   * All records that are readable, whether or not searches find them, in the order of their ids' UTF-8 bytes, in batches:
   * memory does not grow with their number, and writers never wait for a reader. SQLite shows one moment, however long
   * the reading takes. MongoDB keeps a moment for minutes only, so each batch shows the records as of its reading: a
   * record is never returned twice, and one that exists throughout is never left out.
   *
   * @param onUnreadable takes how many more are stored but unreadable, and left out
   */
  readAll(onUnreadable?: (count: number) => void): AsyncIterable<readonly MediaRecord[]>;
}

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
  /** The newest first: all, or the first so many. */
  list(limit?: number): Promise<ChangeSet[]>;
  /** The changes of a change set, one for each record, page by page in a constant order. */
  readChanges(id: string): AsyncIterable<LoggedChange[]>;
  /** The changes of a record, the newest first, at most `limit`. */
  listChangesOf(recordId: string, limit: number): Promise<LoggedChange[]>;
  /**
   * Deletes the changes of these records, so that nothing brings them back: all, or only those in some change sets. Returns
   * how many there were.
   */
  forget(recordIds: readonly string[], changeSets?: readonly string[]): Promise<number>;
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

/**
 * Where the ids of merged records lead. The record store writes it, in one step with the records. An id leads somewhere
 * only as long as there is no record with it, so these lookups belong after a miss. Methods fail with Problem
 * `store_unavailable` if the store cannot be reached.
 */
export interface MergedIds {
  /** The id of the record that each of these leads to, over any number of merges; absent for those that were not merged. */
  resolve(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  find(id: string): Promise<MergedId | null>;
  /** All ids that lead to one of these, over any number of merges. */
  listLeadingTo(ids: readonly string[]): Promise<string[]>;
}

/** What reads where the ids of merged records lead. */
export type MergedIdLookup = Pick<MergedIds, 'resolve'>;
