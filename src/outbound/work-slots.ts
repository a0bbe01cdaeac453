/** Work that is limited per key. */
export type LimitedWork = 'export' | 'push';

/** A slot that work holds while it runs. */
export interface HeldSlot {
  /** Releases the slot. Never fails: a slot that cannot be released expires. */
  release(): Promise<void>;
}

/**
 * Limits concurrent work over all processes. The slots of a killed process expire: at once for other processes of its
 * host, otherwise within half a minute.
 */
export interface WorkSlots {
  /**
   * Takes a slot for work with a key, identified by its HMAC; null if `most` of them are taken. Fails with Problem
   * `store_unavailable` if the store cannot be reached.
   */
  take(work: LimitedWork, keyHash: string, most: number): Promise<HeldSlot | null>;
}
