/** The stored proof of a pepper; see accounts/pepper.ts. */
export interface KeptProof {
  proof: string;
  /** When it was recorded, such as 2026-11-21T13:00:00.000Z. */
  since: string;
}

/** What was made under a pepper, and is useless under another. */
export interface PepperDependents {
  /** Keys that are not revoked. */
  keys: number;
  /** Orders that are pending or paid: their claim tokens depend on the pepper. */
  orders: number;
}

/**
 * Which pepper made the keys and orders of a store. Every method fails with Problem `store_unavailable` if the store
 * cannot be reached.
 */
export interface PepperRecord {
  /** Null if none is recorded yet: a new store, or one of an earlier version. */
  find(): Promise<KeptProof | null>;
  /** Records the proof unless there is one, in one atomic step; returns the stored one, the same to everybody. */
  keep(given: KeptProof): Promise<KeptProof>;
  /** Replaces any recorded proof. */
  replace(given: KeptProof): Promise<void>;
  countDependents(): Promise<PepperDependents>;
}
