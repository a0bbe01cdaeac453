import type { Suppression } from '#domain/suppression.ts';
import type { LockHolder } from './job-locks.ts';

/** The index that is searched. */
export interface LiveIndex {
  index: string;
  /** Whether it has the form that this version writes: its mapping and settings, and what becomes of records. */
  isCurrent: boolean;
  records: number;
}

/** A record that cannot be indexed, and why; the reason quotes nothing from it. */
export interface DeadLetter {
  id: string;
  reason: string;
}

export type RebuildPhase = 'checking' | 'filling' | 'merging' | 'catching up' | 'comparing';

export interface RebuildOptions {
  /** Goes on also where far fewer records would be found than now, or none because the store is empty. */
  allowsShrink: boolean;
  /** Takes what is being done, and how many records are done in it. */
  onProgress?: (phase: RebuildPhase, done: number) => void;
  /** Ends it. */
  signal?: AbortSignal;
}

export interface RebuildSummary {
  index: string;
  /** Records that the store gave. */
  read: number;
  indexed: number;
  /** Records that could not be indexed. */
  deadLetters: number;
  /** Records that differed when the new index was compared, and were written again. */
  repaired: number;
  /** What was searched before, under the same name where the index was rebuilt in place; null for the first index. */
  replaced: { index: string; records: number } | null;
  seconds: number;
  /** How long the first writing of all records took. */
  fillSeconds: number;
}

/** A rebuild that was not made, and why; the index is searched as it was. */
export class RebuildRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RebuildRefused';
  }
}

/** Where the index and the records are not the same: the index lacks it, has what should not be there, or an old state. */
export interface Difference {
  id: string;
  is: 'missing' | 'extra' | 'stale';
}

/** What a comparison found: how many differences of each kind, and the first hundred. */
export interface Verification {
  index: string;
  compared: number;
  missing: number;
  extra: number;
  stale: number;
  examples: Difference[];
}

export interface VerifyOptions {
  /** Whether what differs is written again. */
  repairs: boolean;
  /** Takes the number of records compared. */
  onProgress?: (compared: number) => void;
}

export interface IndexStatus {
  /** The index that is searched; null before the first. */
  index: string | null;
  /** Whether it has the form that this version writes; null before the first. */
  is_current: boolean | null;
  /** Those that a rollback can go back to, the youngest first. */
  kept: string[];
  /** Those that are kept too, but have a form that this version cannot follow with. */
  outdated: string[];
  /** Records in the store, readable or not, and in the index. */
  stored: number;
  indexed: number;
  suppressions: number;
  dead_letters: number;
  /** Seconds since the moment up to which the index has every change; null where nobody knows. */
  lag_seconds: number | null;
  /** Whether the index is kept equal to the records. */
  is_followed: boolean;
  /** Who works on the index. */
  locks: LockHolder[];
}

export interface RollbackSummary {
  index: string;
  replaced: string;
}

/** A rollback that was not made, and why; the index is searched as it was. */
export class RollbackRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RollbackRefused';
  }
}

export interface SuppressionSummary {
  /** Suppressions that are new on the list. */
  added: number;
  /** Those that were on it. */
  known: number;
  /** Records that searches found until now. */
  hidden: number;
}

export interface UnsuppressionSummary {
  /** Suppressions that were on the list. */
  removed: number;
  /** Records that searches find now. */
  shown: number;
}

/**
 * What operators ask of the search index. Methods fail with Problem `search_unavailable` or `store_unavailable` when an
 * engine does not answer.
 */
export interface IndexMaintenance {
  /** The index that is searched; null before the first. */
  findLive(): Promise<LiveIndex | null>;
  /**
   * Derives the index from all records again. Searches find every record meanwhile.
   *
   * @throws LockTaken while another rebuild is under way; RebuildRefused where the index would not be right.
   */
  rebuild(options: RebuildOptions): Promise<RebuildSummary>;
  /**
   * Compares the index with the records, completely, while both may change.
   *
   * @throws Error where there is no index, or it has another form than this version writes.
   */
  verify(options: VerifyOptions): Promise<Verification>;
  /**
   * Searches an earlier index again, the last unless one is named.
   *
   * @throws RollbackRefused; LockTaken while a rebuild is under way.
   */
  rollBack(to: string | null): Promise<RollbackSummary>;
  readStatus(now: Date): Promise<IndexStatus>;
  /** In the order of ids, at constant memory. */
  readDeadLetters(): AsyncIterable<DeadLetter & { at: string }>;
  /** The ids of the records that searches find now and would not once these keys are suppressed. */
  findVisible(keys: readonly string[]): Promise<readonly string[]>;
  /** Adds suppressions to the list; when it resolves no search, facet or record read finds their records. */
  suppress(suppressions: readonly Suppression[]): Promise<SuppressionSummary>;
  /**
   * Takes suppressions off the list and lets their records be found again.
   *
   * @param onProgress takes the number of records looked at
   */
  unsuppress(keys: readonly string[], onProgress?: (read: number) => void): Promise<UnsuppressionSummary>;
  /** Lets no search find records that are no longer in the store; those that came back stay. */
  hideDeleted(ids: readonly string[]): Promise<void>;
}
