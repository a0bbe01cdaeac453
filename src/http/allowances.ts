import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

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

const windowSeconds = 60;

/** Counts requests in this process, in windows of a minute that begin with a bucket's first request. */
export function createAllowances(limits: RateLimits): Allowances {
  const limiters = {
    anonymous: new RateLimiterMemory({ points: limits.anonymous, duration: windowSeconds }),
    pro: new RateLimiterMemory({ points: limits.pro, duration: windowSeconds }),
    premium: new RateLimiterMemory({ points: limits.premium, duration: windowSeconds }),
    checkout: new RateLimiterMemory({ points: limits.checkout, duration: windowSeconds }),
  };
  return {
    async charge({ limit, id }) {
      const state = await limiters[limit].consume(id).catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
      return toAllowance(limits[limit], state);
    },
    async peek({ limit, id }) {
      const state = await limiters[limit].get(id);
      return toAllowance(limits[limit], state !== null && state.msBeforeNext > 0 ? state : null);
    },
  };
}

function toAllowance(limit: number, state: RateLimiterRes | null): Allowance {
  const consumed = state?.consumedPoints ?? 0;
  return {
    limit,
    remaining: Math.max(limit - consumed, 0),
    resetSeconds: state === null ? windowSeconds : Math.max(Math.ceil(state.msBeforeNext / 1000), 1),
    isExceeded: consumed > limit,
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
