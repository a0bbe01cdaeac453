import type { SuppressionPlan } from '#records/plan-suppression.ts';
import type { Suppression } from '#records/suppression.ts';
import { countOf } from '#text/printed.ts';
import type { LockHolder } from '../job-locks.ts';

/**
 * The version of both search indexes. Raise it when you change their tables or mapping, or what they hold of a record;
 * test/search/index-version.test.ts fails until you do. An index of another version is rebuilt.
 */
export const indexVersion = 44;

export interface LiveIndex {
  index: string;
  /** Whether it has this version's indexVersion. */
  isCurrent: boolean;
  records: number;
  /** Contacts of these records. */
  contacts: number;
}

/** A record that cannot be indexed, and why; the reason quotes nothing from it. */
export interface DeadLetter {
  id: string;
  reason: string;
}

type RebuildPhase = 'checking' | 'filling' | 'merging' | 'catching up' | 'comparing';

export interface RebuildOptions {
  /** Continue even if far fewer records would be found than now, or none because the store is empty. */
  allowsShrink: boolean;
  /** Receives the current step, and how many records it has processed. */
  onProgress?: (phase: RebuildPhase, done: number) => void;
  signal?: AbortSignal;
  /** Threads that fill it, where that is not the work of this one. `isAhead`: see BackendOptions. */
  workers?: { count: number; isAhead: boolean } | undefined;
}

export interface RebuildSummary {
  index: string;
  read: number;
  indexed: number;
  deadLetters: number;
  /** Records that differed when the new index was compared, and were rewritten. */
  repaired: number;
  /** The previous live index, under the same name if it was rebuilt in place; null for the first index. */
  replaced: { index: string; records: number } | null;
  seconds: number;
  /** How long the first write of all records took. */
  fillSeconds: number;
}

/** A rebuild that was refused, and why; the live index stays unchanged. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
}

/** A difference between the index and the records: missing, superfluous, or an old state in the index. */
export interface Difference {
  id: string;
  is: 'missing' | 'extra' | 'stale';
}

/** The result of a comparison: the number of differences of each kind, and the first hundred. */
export interface Verification {
  index: string;
  compared: number;
  missing: number;
  extra: number;
  stale: number;
  examples: Difference[];
}

export interface VerifyOptions {
  /** Whether differences are fixed. */
  repairs: boolean;
  onProgress?: (recordCount: number) => void;
}

export interface IndexStatus {
  /** The live index; null before the first. */
  index: string | null;
  /** Whether it has this version's indexVersion; null before the first. */
  is_current: boolean | null;
  /** The indexes to which you can roll back, newest first. */
  kept: string[];
  /** Kept indexes of another indexVersion. */
  outdated: string[];
  /** Records in the store, readable or not, and in the index. */
  stored: number;
  indexed: number;
  /** Contacts of records in the index. */
  indexed_contacts: number;
  suppressions: number;
  dead_letters: number;
  /** Seconds since the moment up to which the index has every change; null if unknown. */
  lag_seconds: number | null;
  /** Whether the index is being kept up to date. */
  is_followed: boolean;
  locks: LockHolder[];
}

export interface RollbackSummary {
  index: string;
  replaced: string;
}

/** A rollback that was refused, and why; the live index stays. */
export class RollbackRefused extends Error {
  override readonly name = 'RollbackRefused';
}

export interface SuppressionSummary {
  /** Suppressions that are new on the list. */
  added: number;
  /** Suppressions that were already on it. */
  known: number;
  /** Records that searches found until now. */
  hidden: number;
  /** Contacts of other records that searches found until now. */
  hidden_contacts: number;
}

export interface UnsuppressionSummary {
  /** Suppressions that were on the list. */
  removed: number;
  /** Records that searches find now. */
  shown: number;
  /** Contacts that searches find now, of records that they found before. */
  shown_contacts: number;
}

/** Every method fails with Problem `search_unavailable` or `store_unavailable` if an engine does not answer. */
export interface IndexMaintenance {
  /** The live index; null before the first. */
  findLive(): Promise<LiveIndex | null>;
  /** Searches find every record meanwhile. @throws LockTaken; RebuildRefused if the new index is not plausible. */
  rebuild(options: RebuildOptions): Promise<RebuildSummary>;
  /** Both sides may change meanwhile. @throws Error if there is no index, or it has another indexVersion. */
  verify(options: VerifyOptions): Promise<Verification>;
  /** Without a name, to the previous one. @throws RollbackRefused; LockTaken while a rebuild is running. */
  rollBack(to: string | null): Promise<RollbackSummary>;
  readStatus(now: Date): Promise<IndexStatus>;
  /** In the order of ids, in constant memory. */
  readDeadLetters(): AsyncIterable<DeadLetter & { at: string }>;
  /** What these keys would hide of what searches find now, and the keys that follow from them. */
  planSuppression(keys: readonly string[]): Promise<SuppressionPlan>;
  /** Adds suppressions to the list; when it resolves no search, facet or record lookup finds what they and those that follow from them hide. */
  suppress(suppressions: readonly Suppression[]): Promise<SuppressionSummary>;
  /** @param onProgress takes the number of records looked at */
  unsuppress(keys: readonly string[], onProgress?: (recordCount: number) => void): Promise<UnsuppressionSummary>;
  /** Optimizes the index after so many records were written, if that is worth the time. */
  settle(recordCount: number): Promise<void>;
  /** Hides records that are no longer in the store; those that came back stay. */
  hideDeleted(ids: readonly string[]): Promise<void>;
  /**
   * Removes deleted records from the files of the embedded store; MongoDB and Elasticsearch do that themselves. Returns
   * false if somebody still reads the store as it was before.
   */
  eraseDeleted(): Promise<boolean>;
}

/** A line for the audit log: what a rebuild did. */
export function describeRebuildForAudit({ index, indexed, deadLetters, replaced }: RebuildSummary): string {
  if (replaced?.index === index) {
    return `${index}: ${indexed} indexed, ${deadLetters} dead letters; ${replaced.records} before`;
  }
  const before = replaced === null ? 'the first index' : `replaces ${replaced.index} (${replaced.records})`;
  return `${index}: ${indexed} indexed, ${deadLetters} dead letters; ${before}`;
}

/** MongoDB can no longer tell what happened since a position: only a rebuild makes an index equal to it again. */
export class HistoryLost extends Error {
  override readonly name = 'HistoryLost';
}

/** An index with less than this share of the previous one's records is probably a mistake. */
const minShare = 0.8;

/** How many records are stored, are in a new index, and are in the live one (null: there is none yet). */
interface IndexSize {
  stored: number;
  built: number;
  live: number | null;
}

/** Why an index of this size should not go live; null if it may. */
export function faultOfSize({ stored, built, live }: IndexSize, allowsShrink: boolean): string | null {
  if (stored > 0 && built === 0) return 'None of the records in the store could be indexed.';
  if (allowsShrink || live === null || built >= minShare * live) return null;
  return stored === 0
    ? 'The store contains no records. If that is correct, use --allow-shrink.'
    : `The new index would have ${countOf(built, 'record')}, but the live index has ${live}. If that is correct, use --allow-shrink.`;
}
