import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { Logger } from 'pino';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { type RequestCount, type RequestCounter, windowSeconds } from '#ports/request-counter.ts';

const usualPatienceMs = 250;
/** How long the shared counts are left alone once they did not answer. */
const leaveAloneMs = 2_000;
/** How long requests that were counted here may be unknown to the other processes. */
const tellAfterMs = 100;
/** Of what was left when the store last answered, one part in so many is counted here before it is asked again. */
const creditDivisor = 8;
/** Whoever asked longest ago is forgotten here first; the store still has the count. */
const mostKnown = 100_000;
/** Two ends of a window that differ by less are the same end, read from the clock at two moments. */
const sameEndMs = 1_000;

/** Is told when the store stops to answer, and when it answers again. */
export type CounterLog = Pick<Logger, 'info' | 'warn'>;

/** The count of one bucket, as far as this process knows it. */
interface Known {
  /** The requests to all processes, as the store last said. */
  shared: number;
  /** Counted here since then: the store is being told of some, and not yet of the others. */
  beingTold: number;
  untold: number;
  /** How many more may be counted here before the store is asked again. */
  credit: number;
  /** On the clock of the system, in milliseconds. */
  endsAt: number;
  isToTell: boolean;
}

/**
 * Counts requests for all processes together, mostly without waiting for the store that they share (decisions/0022).
 * The first request of a bucket asks it. From then on a process counts by itself up to its credit, an eighth of what
 * was left, and tells the store a tenth of a second later; requests beyond the credit ask again, so that close to the
 * limit every one does. While the store does not answer, the process counts on from what it knows, and says so in the log.
 */
export class MongoRequestCounter implements RequestCounter {
  readonly #limiter: RateLimiterMongo;
  readonly #patienceMs: number;
  readonly #log: CounterLog;
  readonly #known = new LRUCache<string, Known>({ max: mostKnown });
  /** On the process's clock, in milliseconds; null while the store answers. */
  #leftAloneUntil: number | null = null;

  /** @param patienceMs how long a request waits for the store */
  constructor(db: Db, collection: string, log: CounterLog, patienceMs = usualPatienceMs) {
    this.#limiter = new RateLimiterMongo({
      storeClient: db,
      tableName: collection,
      keyPrefix: '',
      duration: windowSeconds,
      // It only counts here: what is over the limit is decided from the count.
      points: Number.MAX_SAFE_INTEGER,
      disableIndexesCreation: true,
    });
    this.#patienceMs = patienceMs;
    this.#log = log;
  }

  async add(id: string, limit: number): Promise<RequestCount> {
    const known = this.#find(id);
    // Whoever is over the limit costs the store nothing more.
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
      const answer = await this.#withinPatience(this.#limiter.get(id));
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

  /** Exact: the place of this request among those of all processes. */
  async #ask(id: string, known: Known, limit: number): Promise<RequestCount> {
    known.untold += 1;
    try {
      return await this.#tell(id, known, limit);
    } catch {
      return toCount(known);
    }
  }

  /** Adds to the shared count what it lacks, and learns what it is then. */
  async #tell(id: string, known: Known, limit: number): Promise<RequestCount> {
    const told = known.untold;
    known.untold = 0;
    known.beingTold += told;
    try {
      const { consumedPoints, msBeforeNext } = await this.#withinPatience(this.#limiter.penalty(id, told));
      known.beingTold -= told;
      const endsAt = Date.now() + msBeforeNext;
      // Of several answers that cross on the way the highest is the newest, unless the window is another one.
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

  async #withinPatience<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('timeout')), this.#patienceMs);
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
