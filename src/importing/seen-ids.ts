const firstSlots = 1 << 16;
/** At most 32 MB, for 3.1 million ids. */
const maxSlots = 1 << 22;
const fullAt = 0.75;

/**
 * The ids seen so far, in bounded memory: a table of 53-bit hashes. Past its limit no further ids are stored, and
 * `isFull` says so. The chance that two of three million ids share a hash is 1 in 2,000.
 */
export class SeenIds {
  #slots = new Float64Array(firstSlots);
  #count = 0;
  isFull = false;

  /** Stores the hash of an id; returns whether it was there before. */
  add(hash: number): boolean {
    const slot = slotOf(this.#slots, hash);
    if (this.#slots[slot] === hash) return true;
    if (this.#count >= this.#slots.length * fullAt && !this.#grow()) {
      this.isFull = true;
      return false;
    }
    this.#slots[slotOf(this.#slots, hash)] = hash;
    this.#count += 1;
    return false;
  }

  #grow(): boolean {
    if (this.#slots.length >= maxSlots) return false;
    const larger = new Float64Array(this.#slots.length * 4);
    for (const hash of this.#slots) if (hash !== 0) larger[slotOf(larger, hash)] = hash;
    this.#slots = larger;
    return true;
  }
}

/** The slot that holds the hash, or the free one where it would go. */
function slotOf(slots: Float64Array, hash: number): number {
  let slot = hash % slots.length;
  while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) % slots.length;
  return slot;
}

/** cyrb53 of an id: 53 bits, never 0, which marks a free slot. */
export function hashId(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 0x200000 * (low >>> 0) + ((high >>> 0) & 0x1fffff) || 1;
}
