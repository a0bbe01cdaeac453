import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { Cluster } from './connect-elasticsearch.ts';
import { requireWhole } from './search-requests.ts';

/**
 * For how long a version must have been seen, in milliseconds. Copies of an index show a change up to `refresh_interval` apart (mappings/records.json),
 * and KnownTerms may miss a change for two seconds.
 */
const defaultSettleMs = 7_000;
/** So old, a version gets another name, in milliseconds: a copy that hung for longer must not be believed for good. */
const maxAgeMs = 60_000;
/** How long a search waits for the version, beside the time of its own requests, and how long none asks again after a failure. In milliseconds. */
const maxWaitMs = 400;
const restMs = 400;

/** A few numbers of each index, which the engine keeps until its next refresh. */
const body = {
  size: 0,
  track_total_hits: false,
  request_cache: true,
  // The same copies each time: others may be ahead.
  preference: 'version',
  aggs: { indexes: { terms: { field: '_index' }, aggs: { changes: { stats: { field: '_seq_no' } } } } },
};

/**
 * Tells when what searches find has changed: an added, changed or deleted document changes the number of documents, or the sum of the numbers
 * of their last changes; another index has another name.
 */
export class IndexVersion {
  readonly #cluster: Cluster;
  readonly #indexes: readonly string[];
  readonly #settleMs: number;
  /** What the engine said, and since when it says so. */
  #state: string | null = null;
  #since = 0;
  /** Until then, the version is not known. */
  #unknownUntil = 0;
  #sent: Promise<unknown> = Promise.resolve();
  #next: Promise<string | null> | null = null;

  constructor(cluster: Cluster, indexes: readonly string[], settleMs = defaultSettleMs) {
    this.#cluster = cluster;
    this.#indexes = indexes;
    this.#settleMs = settleMs;
  }

  /** Null while the last change is recent, or if the engine does not answer soon. */
  async read(): Promise<string | null> {
    if (performance.now() < Math.max(this.#unknownUntil, this.#cluster.unsureUntil)) return null;
    return this.#readNext();
  }

  /** What was sent before a search came may not have what that waited for, so all that came meanwhile share the next request. */
  #readNext(): Promise<string | null> {
    this.#next ??= this.#sent.then(async () => {
      await turn();
      this.#next = null;
      const sent = this.#ask();
      this.#sent = sent;
      return sent;
    });
    return this.#next;
  }

  async #ask(): Promise<string | null> {
    // The request itself may take longer: a node that does not answer one in time gets no others for a while.
    const state = await Promise.race([this.#readState(), pause(maxWaitMs, null, { ref: false })]);
    const now = performance.now();
    if (state === null) {
      this.#unknownUntil = now + restMs;
    } else if (state !== this.#state) {
      [this.#state, this.#since, this.#unknownUntil] = [state, now, now + this.#settleMs];
    }
    if (now < this.#unknownUntil) return null;
    return `${state} ${Math.floor((now - this.#since) / maxAgeMs)}`;
  }

  async #readState(): Promise<string | null> {
    try {
      const { client, timeoutMs } = this.#cluster;
      const options = { requestTimeout: timeoutMs, maxRetries: 0 };
      const answer = requireWhole(await client.search({ index: [...this.#indexes], ...body }, options));
      return JSON.stringify(answer.aggregations?.indexes) ?? null;
    } catch {
      return null;
    }
  }
}
