import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { type RequestCount, type RequestCounter, windowSeconds } from '#accounts/request-counter.ts';
import { Problem } from '#src/problem.ts';

/** Requests a minute. */
export interface RateLimits {
  anonymous: number;
  /** Checkouts and order reads, per address. */
  checkout: number;
  /** Under a key of this plan. */
  [tier: string]: number;
}

/** Whose requests are counted together, and against which limit. */
export interface Bucket {
  limit: string;
  id: string;
}

/** What is left of an allowance. */
export interface Allowance {
  /** The name of the limit that applies, such as `pro`. */
  policy: string;
  limit: number;
  remaining: number;
  /** Whole seconds until the count resets; at least 1. */
  resetSeconds: number;
  /** Whether the request just counted exceeded the limit. */
  isExceeded: boolean;
}

export type Allowances = ReturnType<typeof createAllowances>;

/** What callers have left, shared by all processes if there is a store for that. */
export function createAllowances(limits: RateLimits, shared: RequestCounter | null) {
  /** A tier that is no longer sold counts as no plan. */
  const limitOf = (bucket: Bucket) => limits[bucket.limit] ?? limits.anonymous;
  const counter = shared ?? countAlone();
  return {
    /** Counts one request. */
    async charge(bucket: Bucket): Promise<Allowance> {
      const limit = limitOf(bucket);
      const count = await counter.add(counterId(bucket), limit);
      return { policy: bucket.limit, ...toAllowance(limit, count), isExceeded: count.requests > limit };
    },
    /** Counts nothing. */
    async peek(bucket: Bucket): Promise<Allowance> {
      const count = await counter.read(counterId(bucket));
      return { policy: bucket.limit, ...toAllowance(limitOf(bucket), count), isExceeded: false };
    },
  };
}

function counterId({ limit, id }: Bucket): string {
  return `${limit}:${id}`;
}

/** In this process alone. */
function countAlone(): RequestCounter {
  const limiter = new RateLimiterMemory({ keyPrefix: '', duration: windowSeconds, points: Number.MAX_SAFE_INTEGER });
  const toCount = ({ consumedPoints, msBeforeNext }: RateLimiterRes) => ({
    requests: consumedPoints,
    endsInMs: msBeforeNext,
  });
  return {
    add: async (id) => toCount(await limiter.penalty(id)),
    async read(id) {
      const state = await limiter.get(id);
      return state && toCount(state);
    },
  };
}

function toAllowance(limit: number, count: RequestCount | null): Omit<Allowance, 'policy' | 'isExceeded'> {
  const { requests, endsInMs } =
    count !== null && count.endsInMs > 0 ? count : { requests: 0, endsInMs: windowSeconds * 1_000 };
  return {
    limit,
    remaining: Math.max(limit - requests, 0),
    resetSeconds: Math.max(Math.ceil(endsInMs / 1_000), 1),
  };
}

/** What a caller is told whose allowance is used up. */
export function overLimit({ limit, resetSeconds }: Allowance): Problem {
  return new Problem(
    'rate_limited',
    `You made more than ${limit} requests within a minute. Try again in ${resetSeconds} seconds.`,
    { headers: { 'Retry-After': String(resetSeconds) } },
  );
}
