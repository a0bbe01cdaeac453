import type { Suppression } from './suppression.ts';

/**
 * The suppression list, which outlives imports, rebuilds and restores. Contains no plain address. Methods fail with
 * Problem `store_unavailable` if the store does not answer.
 */
export interface SuppressionList {
  /**
   * Adds new entries; returns how many were new. If the index is part of the store, their records are hidden at once.
   */
  add(suppressions: readonly Suppression[]): Promise<number>;
  /** Returns how many existed. If the index is part of the store, their records are visible again at once. */
  remove(keys: readonly string[]): Promise<number>;
  /** All, oldest first. */
  list(): Promise<Suppression[]>;
  /** The keys of all entries added at or after this time. */
  listKeysSince(at: Date): Promise<ReadonlySet<string>>;
}
