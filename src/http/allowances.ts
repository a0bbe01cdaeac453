import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';

/** Requests a minute. */
export interface RateLimits {
  anonymous: number;
  pro: number;
  premium: number;
  /** Checkouts and order reads, per address. */
  checkout: number;
}

/** Whose requests are counted together, and under which limit. */
export interface Bucket {
  limit: keyof RateLimits;
  id: string;
}

/** What is left of an allowance. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** Whole seconds until the count begins anew; at least 1. */
  resetSeconds: number;
  /** Whether the request just counted was one too many. */
  isExceeded: boolean;
}

export interface Allowances {
  /** Counts one request. */
  charge(bucket: Bucket): Promise<Allowance>;
  /** Counts nothing. */
  peek(bucket: Bucket): Promise<Allowance>;
}

/** Where the counts of all processes are. */
export interface SharedCounts {
  /** A database of MongoDB, as rate-limiter-flexible takes it. */
  store: object;
  /** How long a request waits for it, in milliseconds; 250 unless said. */
  patienceMs?: number;
}

const windowSeconds = 60;
const usualPatienceMs = 250;
/** How long the shared counts are left alone once they did not answer. */
const leaveAloneMs = 2_000;

/**
 * Counts requests, in windows of a minute that begin with a bucket's first request: for all processes together where
 * there is a store for that. While it does not answer this process counts for itself, and says so in the log.
 */
export function createAllowances(limits: RateLimits, shared: SharedCounts | null, log: Logger): Allowances {
  const limiters = {
    anonymous: createLimiter('anonymous', limits.anonymous, shared, log),
    pro: createLimiter('pro', limits.pro, shared, log),
    premium: createLimiter('premium', limits.premium, shared, log),
    checkout: createLimiter('checkout', limits.checkout, shared, log),
  };
  return {
    charge: ({ limit, id }) => limiters[limit].ask((limiter) => charge(limiter, limits[limit], id)),
    peek: ({ limit, id }) => limiters[limit].ask((limiter) => peek(limiter, limits[limit], id)),
  };
}

/** A limiter that is there to be asked, whichever it is. */
interface Asking {
  ask(question: (limiter: RateLimiterAbstract) => Promise<Allowance>): Promise<Allowance>;
}

function createLimiter(name: keyof RateLimits, points: number, shared: SharedCounts | null, log: Logger): Asking {
  const options = { keyPrefix: name, points, duration: windowSeconds };
  const own = new RateLimiterMemory(options);
  if (shared === null) return { ask: (question) => question(own) };

  const together = new RateLimiterMongo({
    ...options,
    storeClient: shared.store,
    tableName: 'rate_limits',
    disableIndexesCreation: true,
    // Whoever is over the limit costs the store nothing more.
    inMemoryBlockOnConsumed: points + 1,
  });
  let leftAloneUntil = 0;
  return {
    async ask(question) {
      if (performance.now() < leftAloneUntil) return question(own);
      try {
        const answer = await withinPatience(question(together), shared.patienceMs ?? usualPatienceMs);
        if (leftAloneUntil > 0) log.info({ limit: name }, 'request counts are shared again');
        leftAloneUntil = 0;
        return answer;
      } catch (error) {
        const reason = error instanceof Error ? error.name : String(error);
        log.warn(
          { limit: name, reason },
          'the store of request counts does not answer: this process counts for itself',
        );
        leftAloneUntil = performance.now() + leaveAloneMs;
        return question(own);
      }
    },
  };
}

async function withinPatience<Answer>(answer: Promise<Answer>, patienceMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), patienceMs);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function charge(limiter: RateLimiterAbstract, limit: number, id: string): Promise<Allowance> {
  try {
    return toAllowance(limit, await limiter.consume(id), false);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return toAllowance(limit, refusal, true);
    throw refusal;
  }
}

async function peek(limiter: RateLimiterAbstract, limit: number, id: string): Promise<Allowance> {
  const state = await limiter.get(id);
  return toAllowance(limit, state !== null && state.msBeforeNext > 0 ? state : null, false);
}

function toAllowance(limit: number, state: RateLimiterRes | null, isExceeded: boolean): Allowance {
  const consumed = isExceeded ? limit : (state?.consumedPoints ?? 0);
  return {
    limit,
    remaining: Math.max(limit - consumed, 0),
    resetSeconds: state === null ? windowSeconds : Math.max(Math.ceil(state.msBeforeNext / 1000), 1),
    isExceeded,
  };
}

/**
 * What callers at one place share: an IPv4 address, or the /64 of an IPv6 one, which is what a single
 * household or server is given (RFC 6177) and could otherwise walk through.
 */
export function addressGroup(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}
