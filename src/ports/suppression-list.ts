import type { Suppression } from '#domain/suppression.ts';

/**
 * What is never to be found again: it outlives imports, rebuilds and restores. Holds no plain address.
 * Methods fail with Problem `store_unavailable` when the store does not answer.
 */
export interface SuppressionList {
  /** Adds what is not there yet; answers how many were new. Where the index is one with the store, they are hidden at once. */
  add(suppressions: readonly Suppression[]): Promise<number>;
  /** Answers how many there were. Where the index is one with the store, their records are found again at once. */
  remove(keys: readonly string[]): Promise<number>;
  /** All, oldest first. */
  list(): Promise<Suppression[]>;
  /** The keys of all that were added at this time or after it. */
  listKeysSince(at: Date): Promise<ReadonlySet<string>>;
}
