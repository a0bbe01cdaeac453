import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { isActive } from '#accounts/plans.ts';
import { type RequestCount, type RequestCounter, windowSeconds } from '#accounts/request-counter.ts';
import { anonymous, type StoredKey } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';
import { daysAfter } from '#text/days.ts';
import type { AppDeps, RateLimits } from './app-deps.ts';
import { identifyCaller } from './identify-caller.ts';
import { stateOf } from './request-state.ts';

interface Bucket {
  limit: string;
  id: string;
}

interface Metering {
  limit: 'anonymous' | 'checkout';
  /** Which limit of a valid key a request counts against. Absent: keys are ignored. */
  limitOfKey?: (key: StoredKey, now: Date) => string;
  /** Whether nothing is counted. The answer still shows what the address has left. */
  isExempt?: true;
}

/**
 * Steps that identify the caller and count the request: against the key, or against the address if there is no valid key.
 * They refuse nothing themselves, so an unknown path is 404 whatever the count; routes refuse with `admit`.
 */
export function createMeters(deps: AppDeps) {
  const { usage, now } = deps;
  const allowances = createAllowances(deps.rateLimits, deps.sharedCounter);
  const step =
    ({ limit, limitOfKey, isExempt }: Metering): RequestHandler =>
    async (req, res, next) => {
      const state = stateOf(res);
      // Only the first meter counts a request.
      if (state.admission !== undefined) return next();
      // Browsers send preflights by themselves and without a key: they cost nothing.
      const isFree = req.method === 'OPTIONS' || isExempt === true;
      const chargeAddress = () => {
        const bucket = { limit, id: `address ${callerGroup(req)}` };
        return isFree ? allowances.peek(bucket) : allowances.charge(bucket);
      };
      const identified = limitOfKey === undefined || isFree ? anonymous : await identifyCaller(deps, req);
      let allowance: Allowance;
      if (limitOfKey !== undefined && 'secret' in identified) {
        const { key, secret } = identified;
        state.secret = secret;
        setPlanEnd(res, key, now());
        allowance = await allowances.charge({ limit: limitOfKey(key, now()), id: `key ${key.hash}` });
        if (!allowance.isExceeded) usage.count(key.hash, { requests: 1 });
      } else {
        allowance = await chargeAddress();
      }
      setRateLimitHeaders(res, allowance);
      if (allowance.isExceeded) state.admission = { refusal: overLimit(allowance) };
      else state.admission = 'refusal' in identified ? identified : { caller: identified };
      next();
    };
  return {
    /** Counts the key, or the address without one. */
    caller: step({ limit: 'anonymous', limitOfKey: planLimit }),
    /** The same, by limits of their own. */
    holder: step({ limit: 'checkout', limitOfKey: () => 'checkout_key' }),
    /** Counts the address and ignores keys: for callers who do not have one yet. */
    buyer: step({ limit: 'checkout' }),
    page: step({ limit: 'anonymous' }),
    exempt: step({ limit: 'anonymous', isExempt: true }),
  };
}

export type Meters = ReturnType<typeof createMeters>;

/** An expired plan gives no more than having none. */
function planLimit({ plan }: StoredKey, now: Date): string {
  return isActive(plan, now) ? plan.tier : 'anonymous';
}

/** How long before the end of a plan its answers name that end, in days. */
const endingDays = 7;

function setPlanEnd(res: Response, { plan }: StoredKey, now: Date): void {
  if (isActive(plan, now) && plan.expiresAt <= daysAfter(now, endingDays)) res.set('X-Plan-Expires-At', plan.expiresAt);
}

/** The three headers of contract A12, and the two of draft-ietf-httpapi-ratelimit-headers-11 (contract A15). */
function setRateLimitHeaders(res: Response, { policy, limit, remaining, resetSeconds }: Allowance): void {
  res.set({
    'RateLimit-Policy': `"${policy}";q=${limit};w=${windowSeconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  });
}

function overLimit({ limit, resetSeconds }: Allowance): Problem {
  return new Problem(
    'rate_limited',
    `You made more than ${limit} requests within a minute. Try again in ${resetSeconds} seconds.`,
    { headers: { 'Retry-After': String(resetSeconds) } },
  );
}

type Allowance = Awaited<ReturnType<ReturnType<typeof createAllowances>['charge']>>;

/** Counts requests, over all processes if they share a counter. Tells what is left of the limit of a name. */
function createAllowances(limits: RateLimits, shared: RequestCounter | null) {
  const counter = shared ?? countAlone();
  const measure = async ({ limit: policy, id }: Bucket, isCharged: boolean) => {
    // A tier that is no longer sold counts as no plan.
    const limit = limits[policy] ?? limits.anonymous;
    const counterId = `${policy}:${id}`;
    const count = isCharged ? await counter.add(counterId, limit) : await counter.read(counterId);
    const { requests, endsInMs } =
      count !== null && count.endsInMs > 0 ? count : { requests: 0, endsInMs: windowSeconds * 1_000 };
    return {
      policy,
      limit,
      remaining: Math.max(limit - requests, 0),
      resetSeconds: Math.max(Math.ceil(endsInMs / 1_000), 1),
      /** By the request just counted. */
      isExceeded: isCharged && count !== null && count.requests > limit,
    };
  };
  return { charge: (bucket: Bucket) => measure(bucket, true), peek: (bucket: Bucket) => measure(bucket, false) };
}

/** Whether a window has yet to begin: the clock was set back since. It would last until the clock is there again. */
function isOfFuture({ endsInMs }: RequestCount): boolean {
  return endsInMs > windowSeconds * 1_000;
}

function countAlone(): RequestCounter {
  const limiter = new RateLimiterMemory({ keyPrefix: '', duration: windowSeconds, points: Number.MAX_SAFE_INTEGER });
  const toCount = ({ consumedPoints: requests, msBeforeNext: endsInMs }: RateLimiterRes) => ({ requests, endsInMs });
  return {
    async add(id) {
      const count = toCount(await limiter.penalty(id));
      if (!isOfFuture(count)) return count;
      await limiter.delete(id);
      return toCount(await limiter.penalty(id));
    },
    async read(id) {
      const state = await limiter.get(id);
      return state === null || isOfFuture(toCount(state)) ? null : toCount(state);
    },
  };
}

/** `[2001:db8::1]:80`, `[::1]` or `203.0.113.9:4711`. An IPv6 address without brackets has no port. */
const addressWithPort = /^\[([^\]]+)\](?::\d*)?$|^(\d+(?:\.\d+){3}):\d*$/;

/** Removes the ports that some proxies append, such as Azure Application Gateway, before trusted proxies are looked for. */
export const dropForwardedPorts: RequestHandler = (req, _res, next) => {
  const forwarded = req.get('X-Forwarded-For');
  if (forwarded !== undefined) {
    req.headers['x-forwarded-for'] = forwarded
      .split(',')
      .map((entry) => entry.trim().replace(addressWithPort, '$1$2'))
      .join(', ');
  }
  next();
};

/**
 * Whose requests are counted together: an IPv4 address, or the /64 of an IPv6 address, since one household or server gets
 * a whole /64 (RFC 6177) and could cycle through it. If a trusted proxy names no address, the nearest known one counts, at
 * last that of the connection, so that a forged header gains nothing.
 */
function callerGroup({ ips, socket }: Request<object>): string {
  const clientAddress = [...ips, socket.remoteAddress ?? ''].find((address) => isIP(address) !== 0);
  if (clientAddress === undefined) return 'unknown';
  const address = ipaddr.process(clientAddress);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
