import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo, type RateLimiterRes, RLWrapperTimeouts } from 'rate-limiter-flexible';
import { type RequestCount, type RequestCounter, windowSeconds } from '#accounts/request-counter.ts';
import { atMost } from '#text/memoize.ts';

/** How long a request waits for the store before this process counts alone, in milliseconds. */
const defaultTimeoutMs = 250;
/** How long the store may not know of requests counted here, in milliseconds. */
const tellAfterMs = 100;
/** This part of what is left of a limit, an eighth, is counted here before the store is asked again. */
const creditDivisor = 8;
const maxWindows = 100_000;
/** The limiters only count and never refuse, so they have no limit of their own. */
const counting = { keyPrefix: '', duration: windowSeconds, points: Number.MAX_SAFE_INTEGER };

interface Window {
  /** The requests to all processes, as last reported by the store. */
  shared: number;
  /** Counted here since then, and how many of those the store does not know yet. */
  here: number;
  untold: number;
  /** How many more may be counted here before the store is asked again. */
  credit: number;
  /** On the system's clock, in milliseconds. */
  endsAt: number;
}

/** Counts over all processes, mostly without waiting for the store (decisions/0022). While it is away, each counts alone. */
export class MongoRequestCounter implements RequestCounter {
  readonly #limiter: RLWrapperTimeouts;
  readonly #windows = new LRUCache<string, Window>(atMost(maxWindows));

  constructor(db: Db, collection: string, timeoutMs = defaultTimeoutMs) {
    const place = { storeClient: db, tableName: collection, disableIndexesCreation: true };
    const limiter = new RateLimiterMongo({ ...counting, ...place });
    this.#limiter = new RLWrapperTimeouts({ limiter, insuranceLimiter: new RateLimiterMemory(counting), timeoutMs });
  }

  async add(id: string, limit: number): Promise<RequestCount> {
    const window = this.#find(id) ?? this.#begin(id);
    // Callers over the limit cost the store nothing more.
    if (window.shared >= limit) return { ...toCount(window), requests: limit + 1 };
    window.here += 1;
    window.untold += 1;
    window.credit -= 1;
    if (window.credit < 0) return this.#tell(id, window, limit);
    if (window.untold === 1) {
      const mayTell = () => window.untold > 0 && window.endsAt > Date.now();
      setTimeout(() => mayTell() && this.#tell(id, window, limit), tellAfterMs).unref();
    }
    return toCount(window);
  }

  async read(id: string): Promise<RequestCount | null> {
    const window = this.#find(id);
    if (window !== undefined) return toCount(window);
    const stored = await this.#limiter.get(id);
    return stored === null || isOfFuture(stored)
      ? null
      : { requests: stored.consumedPoints, endsInMs: stored.msBeforeNext };
  }

  #find(id: string): Window | undefined {
    const window = this.#windows.get(id);
    if (window === undefined) return undefined;
    const msBeforeNext = window.endsAt - Date.now();
    return msBeforeNext > 0 && !isOfFuture({ msBeforeNext }) ? window : undefined;
  }

  #begin(id: string): Window {
    const window = { shared: 0, here: 0, untold: 0, credit: 0, endsAt: Date.now() + windowSeconds * 1_000 };
    this.#windows.set(id, window);
    return window;
  }

  async #add(id: string, requests: number): Promise<RateLimiterRes> {
    const count = await this.#limiter.penalty(id, requests);
    if (!isOfFuture(count)) return count;
    await this.#limiter.delete(id);
    return this.#limiter.penalty(id, requests);
  }

  /** Adds what was counted here to the shared count, and returns that. */
  async #tell(id: string, window: Window, limit: number): Promise<RequestCount> {
    const newRequests = window.untold;
    window.untold = 0;
    const { consumedPoints, msBeforeNext } = await this.#add(id, newRequests);
    // Answers may arrive out of order: the highest count is the newest.
    window.shared = Math.max(window.shared, consumedPoints);
    window.endsAt = Date.now() + msBeforeNext;
    window.here -= newRequests;
    window.credit = Math.floor((limit - window.shared) / creditDivisor) - window.here;
    return { requests: consumedPoints, endsInMs: msBeforeNext };
  }
}

/** How far clocks of processes may differ, in milliseconds. */
const clockMarginMs = 60_000;

/** Whether a window has yet to begin: a clock was set back since. It would last until that clock is there again. */
function isOfFuture({ msBeforeNext }: { msBeforeNext: number }): boolean {
  return msBeforeNext > windowSeconds * 1_000 + clockMarginMs;
}

function toCount({ shared, here, endsAt }: Window): RequestCount {
  return { requests: shared + here, endsInMs: endsAt - Date.now() };
}
