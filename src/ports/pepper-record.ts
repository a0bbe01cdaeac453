/** The proof of a pepper as a store keeps it; see domain/plans/pepper-proof.ts. */
export interface KeptProof {
  proof: string;
  /** When it was recorded, such as 2026-11-21T13:00:00.000Z. */
  since: string;
}

/** What was made under a pepper, and is of no use under another. */
export interface PepperDependents {
  /** Keys that are not revoked. */
  keys: number;
  /** Orders that are pending or paid: their claim tokens are made of the pepper. */
  orders: number;
}

/**
 * Which pepper the keys and orders of a store were made under. Every method fails with Problem `store_unavailable` when
 * the store is out of reach.
 */
export interface PepperRecord {
  /** Null where none was recorded yet: a new store, or one of an earlier version. */
  find(): Promise<KeptProof | null>;
  /** Records the proof unless there is one, in one atomic step; answers the one that is kept, the same to everybody. */
  keep(given: KeptProof): Promise<KeptProof>;
  /** Records the proof in the place of any other. */
  replace(given: KeptProof): Promise<void>;
  countDependents(): Promise<PepperDependents>;
}
