import type { HeldSlot, LimitedWork, WorkSlots } from '#outbound/work-slots.ts';

/** Slots in the memory of this process, the only one on its data folder. */
export class ProcessWorkSlots implements WorkSlots {
  readonly #taken = new Map<string, number>();

  async take(work: LimitedWork, keyHash: string, most: number): Promise<HeldSlot | null> {
    const id = `${work} ${keyHash}`;
    if (this.#count(id) >= most) return null;
    this.#set(id, this.#count(id) + 1);
    let isHeld = true;
    return {
      release: async () => {
        if (!isHeld) return;
        isHeld = false;
        this.#set(id, this.#count(id) - 1);
      },
    };
  }

  #count(id: string): number {
    return this.#taken.get(id) ?? 0;
  }

  #set(id: string, count: number): void {
    if (count > 0) this.#taken.set(id, count);
    else this.#taken.delete(id);
  }
}
