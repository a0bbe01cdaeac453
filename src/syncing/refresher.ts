import type { IndexGenerations } from '#ports/index-generations.ts';
import type { ChangeBatch } from '#ports/record-source.ts';

/** The least time between two refreshes, in milliseconds: each costs the engine as much as writing some hundred records. */
const pauseMs = 150;

/**
 * Lets be found what the sync wrote, soon after, while it keeps pace. While more changes wait than it can write it leaves
 * that to the engine, which does it every few seconds (`refresh_interval`) and has more time for writing (decisions/0106).
 */
export class Refresher {
  readonly #generations: Pick<IndexGenerations, 'refresh'>;
  readonly #index: string;
  #isDue = false;
  #isBehind = false;
  #isUnderWay = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(generations: Pick<IndexGenerations, 'refresh'>, index: string) {
    this.#generations = generations;
    this.#index = index;
  }

  /** What of a batch that is written matters here. */
  note({ events, hasMore }: Pick<ChangeBatch, 'events' | 'hasMore'>): void {
    this.#isDue ||= events > 0;
    this.#isBehind = hasMore;
    this.#begin();
  }

  #begin(): void {
    if (!this.#isDue || this.#isBehind || this.#isUnderWay) return;
    this.#isUnderWay = true;
    setTimeout(() => this.#refresh(), Math.max(0, this.#endedAt + pauseMs - performance.now())).unref();
  }

  async #refresh(): Promise<void> {
    this.#isDue = false;
    // A fault is nobody's: writes meet with it too, and what is written the engine shows by itself.
    await this.#generations.refresh(this.#index).catch(() => {});
    this.#endedAt = performance.now();
    this.#isUnderWay = false;
    this.#begin();
  }
}
