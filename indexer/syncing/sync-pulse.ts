/**
 * How long the sync may take for one batch before it counts as stuck, in milliseconds. If nothing changes it reads an
 * empty batch twice a second.
 */
const maxLagMs = 30_000;

/** Whether the sync keeps the index up to date, that is, whether batches keep reaching it. */
export class SyncPulse {
  readonly #now: () => number;
  #beatAt: number | null = null;

  /** @param now milliseconds since any moment */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A batch is stored in the index. */
  beat(): void {
    this.#beatAt = this.#now();
  }

  /** What is missing, in words; empty while the sync follows the records. */
  listMissing(): string[] {
    if (this.#beatAt === null) return ['up-to-date index: the sync does not follow the records yet'];
    const seconds = Math.round((this.#now() - this.#beatAt) / 1000);
    return seconds * 1000 <= maxLagMs ? [] : [`up-to-date index: nothing has reached it for ${seconds} seconds`];
  }
}
