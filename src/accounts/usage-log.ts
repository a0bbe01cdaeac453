import type { UsageCounts, UsageDay } from './usage.ts';

/** What a process counted of a key on one day since it last wrote. */
export interface UsageEntry extends UsageCounts {
  keyHash: string;
  /** Of UTC, such as `2026-11-21`. */
  date: string;
  /** ISO 8601, UTC. */
  lastUsedAt: string;
}

/**
 * What was done with each key, by day. Several processes may add to one day. Every method fails with Problem
 * `store_unavailable` if the store cannot be reached.
 */
export interface UsageLog {
  /** Adds to what is known of each key and day; each pair appears once. */
  add(entries: readonly UsageEntry[]): Promise<void>;
  /** The days of a key from this date on that have counts, the oldest first. */
  list(keyHash: string, since: string): Promise<UsageDay[]>;
  /** When each key was last used, by its hash, as far back as days are kept. */
  listLastUses(): Promise<Map<string, string>>;
  /** Deletes days before this date; returns how many. */
  purge(before: string): Promise<number>;
}
