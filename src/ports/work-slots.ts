/** Work of which one key may have only so much at once. */
export type LimitedWork = 'export' | 'push';

/** A slot that work has while it runs. */
export interface HeldSlot {
  /** Gives the slot back. Never fails: one that cannot be given back ends by itself. */
  release(): Promise<void>;
}

/**
 * Slots for work that runs at once, counted over all processes. Those of a process that was killed end by themselves: at
 * once for other processes of its host, else within half a minute.
 */
export interface WorkSlots {
  /**
   * Takes a slot for work under a key, known by its HMAC; null where `most` of them are taken.
   * Fails with Problem `store_unavailable` when the store is out of reach.
   */
  take(work: LimitedWork, keyHash: string, most: number): Promise<HeldSlot | null>;
}
