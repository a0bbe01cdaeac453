/** What somebody searched for without finding anything. */
export interface MissedSearch {
  /** As it was typed, folded; no address. */
  query: string;
  /** How often. */
  count: number;
  /** ISO 8601, UTC. */
  lastAt: string;
}

/** Maximum number of searches that are kept: the latest. */
export const maxMissedSearches = 5_000;

/**
 * Searches that found nothing, by query. Several processes may add to one. Every method fails with Problem
 * `store_unavailable` if the store cannot be reached.
 */
export interface MissedSearches {
  /** Adds to what is known of each query, which appears once; keeps the latest `maxMissedSearches`. */
  add(searches: readonly MissedSearch[]): Promise<void>;
  /** The most frequent first, at most so many. */
  list(limit: number): Promise<MissedSearch[]>;
  /** Deletes those that were last made before this time; returns how many. */
  purge(before: string): Promise<number>;
}
