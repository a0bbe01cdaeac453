import { holdsAddress } from '#domain/addresses/scrub-addresses.ts';
import { nameKey } from '#domain/search/fold.ts';
import type { MissedSearch, MissedSearches } from '#ports/missed-searches.ts';

/** How long counts wait in memory, in milliseconds. */
const writeAfterMs = 5_000;
/** Queries that wait at most: somebody who types nonsense must not fill the memory. */
const maxWaiting = 500;
/** In code points; a longer query is a text that was pasted. */
const maxLength = 100;

interface CounterDeps {
  log: { warn(fields: object, message: string): void };
  now: () => Date;
}

/**
 * Counts what is searched for without a result, so that data staff see what is missing (COUNT_MISSED_SEARCHES). No search
 * waits for it; counts are lost if the process is killed or the store is away. Nothing that holds an address is counted.
 */
export class MissedSearchCounter {
  readonly #missed: MissedSearches;
  readonly #deps: CounterDeps;
  #waiting = new Map<string, MissedSearch>();
  #timer: NodeJS.Timeout | undefined;

  constructor(missed: MissedSearches, deps: CounterDeps) {
    this.#missed = missed;
    this.#deps = deps;
  }

  /** @param typed a query without a result, as it was typed */
  count(typed: string): void {
    const query = nameKey(typed);
    const known = this.#waiting.get(query);
    if (known === undefined && (this.#waiting.size >= maxWaiting || !mayBeKept(query, typed))) return;
    this.#waiting.set(query, { query, count: (known?.count ?? 0) + 1, lastAt: this.#deps.now().toISOString() });
    this.#timer ??= setTimeout(() => void this.write(), writeAfterMs).unref();
  }

  /** Writes what waits; it is dropped if the store is away. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const searches = [...this.#waiting.values()];
    this.#waiting = new Map();
    try {
      if (searches.length > 0) await this.#missed.add(searches);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#deps.log.warn({ reason }, 'searches without a result could not be counted');
    }
  }
}

function mayBeKept(query: string, typed: string): boolean {
  return /[\p{L}\p{N}]/u.test(query) && [...query].length <= maxLength && !typed.includes('@') && !holdsAddress(typed);
}
