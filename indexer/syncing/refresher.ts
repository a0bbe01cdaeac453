import type { AliasGenerations } from '#backends/elasticsearch/alias-generations.ts';
import type { ChangeBatch } from '#backends/mongo/mongo-record-source.ts';

/**
 * Minimum time between two refreshes, in milliseconds: each costs the engine as much as writing a few hundred records.
 */
const pauseMs = 150;

/**
 * Makes the sync's writes searchable soon after, while it keeps pace. While it is behind it leaves refreshes to the
 * engine, which does them every few seconds (`refresh_interval`) and has more time for writing (decisions/0034).
 */
export class Refresher {
  readonly #generations: Pick<AliasGenerations, 'refresh'>;
  readonly #index: string;
  #isDue = false;
  #isBehind = false;
  #isUnderWay = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(generations: Pick<AliasGenerations, 'refresh'>, index: string) {
    this.#generations = generations;
    this.#index = index;
  }

  /** The parts of a written batch that matter here. */
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
    // Errors are ignored: writes meet them too, and the engine refreshes by itself.
    await this.#generations.refresh(this.#index).catch(() => {});
    this.#endedAt = performance.now();
    this.#isUnderWay = false;
    this.#begin();
  }
}
