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
  /** The ids that one change set merged into a record. */
  listOf(keptId: string, changeSet: string): Promise<MergedId[]>;
}
