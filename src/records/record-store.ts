import type { ChangeSet, ImportedFile, NewChangeSet } from './changes/change-set.ts';
import type { LoggedChange, RecordChange, RewriteChange } from './changes/record-change.ts';
import type { Reversal } from './changes/revert-change.ts';
import type { KeptContact } from './contacts/contact.ts';
import type { MediaRecord, RecordPatch } from './media-record.ts';
import type { MergeResult } from './merge-record.ts';

/** `incomplete`: a new record without a kind or a name, which is not saved. */
export type SaveOutcome = MergeResult['outcome'];

/** A record before and after an amendment; the same object if nothing changed. */
export interface Amended {
  before: MediaRecord;
  after: MediaRecord;
}

/** The record that duplicates were merged into; or why they were not: these ids have no record, or it would have too many contacts. */
export type MergedDuplicates = { record: MediaRecord } | { missing: readonly string[] } | { tooManyContacts: true };

/** Returns what to change in a record, or null for nothing. The store may call it more than once. */
export type Amendment = (stored: MediaRecord) => Omit<RecordPatch, 'id'> | null;

/** What a patch did to the contacts of a record. */
export interface ContactsChange {
  recordId: string;
  /** The name of the medium. */
  name: string;
  before: readonly KeptContact[];
  after: readonly KeptContact[];
  /** The ids of the contacts that the patch means. */
  named: readonly string[];
  /** How many rows of the patch are of people whom suppressions hide. `before` and `after` are without these people. */
  suppressed: number;
}

/** Is told what became of the contacts of a patch; the store may call it more than once, and the last call counts. */
export type OnContacts = (patch: RecordPatch, change: ContactsChange) => void;

/**
 * The source records that the index follows. Each change is one atomic step, noted in the change log under the id of a
 * change set. Methods of all ports of stores fail with Problem `store_unavailable` if it cannot be reached.
 */
export interface RecordStore {
  /** Merges patches in order into the records with their ids, and keeps what others save meanwhile. Returns an outcome for each. */
  merge(patches: readonly RecordPatch[], changeSet?: string, onContacts?: OnContacts): Promise<SaveOutcome[]>;
  /** Tells the store which patches `merge` gets next, as the same objects, so that it can begin to make their records. */
  prepare?(patches: readonly RecordPatch[]): Promise<void>;
  /** Returns what `merge` would, but saves nothing. */
  preview(patches: readonly RecordPatch[], onContacts?: OnContacts): Promise<SaveOutcome[]>;
  /**
   * Changes those of these records that exist, and returns them in order. Does not follow ids of merged records. Without a
   * change set (null) it saves nothing.
   */
  amend(ids: readonly string[], amendment: Amendment, changeSet: string | null): Promise<Amended[]>;
  /** The record with this id, whether or not searches find it; null if there is none, or none that is readable. */
  find(id: string): Promise<MediaRecord | null>;
  /** The readable records with one of these name keys (nameKeyOf) or ids, in any order. */
  findAny(nameKeys: readonly number[], ids: readonly string[]): Promise<MediaRecord[]>;
  /** The records with a contact at one of these addresses, in any case and order, as far as searches may find them. */
  findByAddresses(addresses: readonly string[]): Promise<MediaRecord[]>;
  /** Deletes records in steps; returns how many existed. */
  remove(ids: readonly string[], changeSet?: string): Promise<number>;
  removeByIdPrefix(prefix: string, changeSet?: string): Promise<number>;
  /**
   * Merges duplicates, best first, into one record (see joinRecords). The others are deleted, and their ids lead to it from
   * then on. Changes nothing if one of the records is missing, or if the record would have more contacts than `contactLimit`.
   */
  mergeDuplicates(keepId: string, otherIds: readonly string[], changeSet: string): Promise<MergedDuplicates>;
  /**
   * Undoes changes (see revertChange), and returns a reversal for each. A record that comes back has its id for itself again.
   * Without a change set (null) it saves nothing.
   */
  revert(changes: readonly RecordChange[], changeSet: string | null): Promise<Reversal[]>;
  count(): Promise<number>;
  /**
   * Reads all records in batches, sorted by the UTF-8 bytes of their ids. Writers never wait. SQLite shows one moment, MongoDB
   * another one for each batch. `onUnreadable` gets the number of records that could not be read.
   */
  readAll(onUnreadable?: (count: number) => void): AsyncIterable<readonly MediaRecord[]>;
}

export const changesAPage = 1_000;

/** What commands changed, to show and to undo it. The record store writes the changes. */
export interface ChangeLog {
  /** Begins a change set. Each change of a record is noted under its id. */
  begin(changeSet: NewChangeSet): Promise<void>;
  /** Notes how a change set ended. The last call wins. */
  end(id: string, result: Pick<ChangeSet, 'endedAt' | 'counts'> & { files: readonly ImportedFile[] }): Promise<void>;
  find(id: string): Promise<ChangeSet | null>;
  /** Change sets, newest first. */
  list(limit?: number): Promise<ChangeSet[]>;
  /** The changes of a change set, one for each record, page by page in a constant order. */
  readChanges(id: string): AsyncIterable<LoggedChange[]>;
  /** The changes of a record, the newest first, at most `limit`. */
  listChangesOf(recordId: string, limit: number): Promise<LoggedChange[]>;
  /** Rewrites the changes of these records for good. */
  rewrite(recordIds: readonly string[], rewrite: RewriteChange): Promise<void>;
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
