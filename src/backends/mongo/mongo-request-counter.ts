import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { Logger } from 'pino';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { type RequestCount, type RequestCounter, windowSeconds } from '#accounts/request-counter.ts';
import { atMost } from '#text/memoize.ts';

const defaultTimeoutMs = 250;
/** How long the shared counts are left alone after they failed to answer. */
const leaveAloneMs = 2_000;
/** How long locally counted requests may be unknown to other processes. */
const tellAfterMs = 100;
/**
 * The fraction of the remaining limit that is counted locally before the store is asked again, as one part in this
 * many.
 */
const creditDivisor = 8;
/** The least recently used bucket is dropped first; the store still has its count. */
const maxKnown = 100_000;
/** Two window ends that differ by less are the same end, read from the clock at two times. */
const sameEndMs = 1_000;

/** Called when the store stops answering, and when it answers again. */
export type CounterLog = Pick<Logger, 'info' | 'warn'>;

/** The count of one bucket, as known to this process. */
interface Known {
  /** The requests to all processes, as last reported by the store. */
  shared: number;
  /** Counted locally since then: the store is being told of some, and not yet of the others. */
  beingTold: number;
  untold: number;
  /** How many more may be counted locally before the store is asked again. */
  credit: number;
  /** On the system's clock, in milliseconds. */
  endsAt: number;
  isToTell: boolean;
}

/**
 * Counts requests for all processes together, mostly without waiting for the shared store (decisions/0022). A bucket's
 * first request asks it. From then on a process counts locally up to its credit, an eighth of what was left, and
 * reports to the store a tenth of a second later; requests beyond the credit ask again, so close to the limit every
 * request does. While the store does not answer, the process continues from its last known count, and logs that.
 */
export class MongoRequestCounter implements RequestCounter {
  readonly #limiter: RateLimiterMongo;
  readonly #timeoutMs: number;
  readonly #log: CounterLog;
  readonly #known = new LRUCache<string, Known>(atMost(maxKnown));
  /** On the process's clock, in milliseconds; null while the store answers. */
  #leftAloneUntil: number | null = null;

  /** @param timeoutMs how long a request waits for the store */
  constructor(db: Db, collection: string, log: CounterLog, timeoutMs = defaultTimeoutMs) {
    this.#limiter = new RateLimiterMongo({
      storeClient: db,
      tableName: collection,
      keyPrefix: '',
      duration: windowSeconds,
      // It only counts here; the count decides who is over the limit.
      points: Number.MAX_SAFE_INTEGER,
      disableIndexesCreation: true,
    });
    this.#timeoutMs = timeoutMs;
    this.#log = log;
  }

  async add(id: string, limit: number): Promise<RequestCount> {
    const known = this.#find(id);
    // Callers over the limit cost the store nothing more.
    if (known !== undefined && known.shared >= limit) return { ...toCount(known), requests: limit + 1 };
    if (known !== undefined && known.credit > 0) {
      known.credit -= 1;
      return this.#addHere(id, known, limit);
    }
    if (this.#isLeftAlone()) return this.#addHere(id, known ?? this.#begin(id), limit);
    return this.#ask(id, known ?? this.#begin(id), limit);
  }

  async read(id: string): Promise<RequestCount | null> {
    const known = this.#find(id);
    if (known !== undefined) return toCount(known);
    if (this.#isLeftAlone()) return null;
    try {
      const answer = await this.#withTimeout(this.#limiter.get(id));
      return answer && { requests: answer.consumedPoints, endsInMs: answer.msBeforeNext };
    } catch (error) {
      this.#leaveAlone(error);
      return null;
    }
  }

  #find(id: string): Known | undefined {
    const known = this.#known.get(id);
    return known !== undefined && known.endsAt > Date.now() ? known : undefined;
  }

  #begin(id: string): Known {
    const endsAt = Date.now() + windowSeconds * 1_000;
    const known: Known = { shared: 0, beingTold: 0, untold: 0, credit: 0, endsAt, isToTell: false };
    this.#known.set(id, known);
    return known;
  }

  #addHere(id: string, known: Known, limit: number): RequestCount {
    known.untold += 1;
    if (!known.isToTell && !this.#isLeftAlone()) {
      known.isToTell = true;
      setTimeout(() => this.#tellLater(id, known, limit), tellAfterMs).unref();
    }
    return toCount(known);
  }

  async #tellLater(id: string, known: Known, limit: number): Promise<void> {
    known.isToTell = false;
    if (known.untold === 0 || known.endsAt <= Date.now() || this.#isLeftAlone()) return;
    await this.#tell(id, known, limit).catch(() => {});
  }

  /** Exact: the position of this request among those of all processes. */
  async #ask(id: string, known: Known, limit: number): Promise<RequestCount> {
    known.untold += 1;
    try {
      return await this.#tell(id, known, limit);
    } catch {
      return toCount(known);
    }
  }

  /** Adds to the shared count what it lacks, and learns the new total. */
  async #tell(id: string, known: Known, limit: number): Promise<RequestCount> {
    const told = known.untold;
    known.untold = 0;
    known.beingTold += told;
    try {
      const { consumedPoints, msBeforeNext } = await this.#withTimeout(this.#limiter.penalty(id, told));
      known.beingTold -= told;
      const endsAt = Date.now() + msBeforeNext;
      // Of answers that arrive out of order the highest is the newest, unless the window changed.
      known.shared =
        Math.abs(endsAt - known.endsAt) < sameEndMs ? Math.max(known.shared, consumedPoints) : consumedPoints;
      known.endsAt = endsAt;
      known.credit = Math.floor((limit - known.shared) / creditDivisor) - known.beingTold - known.untold;
      this.#useAgain();
      return { requests: consumedPoints, endsInMs: msBeforeNext };
    } catch (error) {
      known.beingTold -= told;
      known.untold += told;
      this.#leaveAlone(error);
      throw error;
    }
  }

  #isLeftAlone(): boolean {
    return this.#leftAloneUntil !== null && performance.now() < this.#leftAloneUntil;
  }

  #leaveAlone(error: unknown): void {
    const reason = error instanceof Error ? error.name : String(error);
    if (!this.#isLeftAlone()) {
      this.#log.warn({ reason }, 'the store of request counts does not answer: this process counts alone');
    }
    this.#leftAloneUntil = performance.now() + leaveAloneMs;
  }

  #useAgain(): void {
    if (this.#leftAloneUntil === null) return;
    this.#leftAloneUntil = null;
    this.#log.info('request counts are shared again');
  }

  async #withTimeout<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('timeout')), this.#timeoutMs);
    });
    try {
      return await Promise.race([answer, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function toCount({ shared, beingTold, untold, endsAt }: Known): RequestCount {
  return { requests: shared + beingTold + untold, endsInMs: endsAt - Date.now() };
}
