import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { hashApiKey, isWellFormedApiKey } from '#domain/plans/api-key.ts';
import { isActive } from '#domain/plans/plans.ts';
import { anonymous, opens, type StoredKey } from '#domain/plans/stored-key.ts';
import { Problem } from '#domain/problem.ts';
import { windowSeconds } from '#ports/request-counter.ts';
import type { Allowance, Allowances, Bucket } from '../allowances.ts';
import type { AppDeps } from '../app-deps.ts';
import { callerGroup } from '../caller-address.ts';
import { type Admission, stateOf } from '../request-state.ts';

type MeterDeps = Pick<AppDeps, 'keys' | 'pepper' | 'usage' | 'now'> & { allowances: Allowances };

/**
 * Identifies the caller and counts the request: against the key, or against the address if there is no valid key. It
 * refuses nothing itself, so an unknown path is 404 whatever the count; routes refuse with `admit`.
 */
export function meterRequests(deps: MeterDeps): RequestHandler {
  const barred = new LRUCache<string, Barred>({ max: maxBarred });
  return async (req, res, next) => {
    if (stateOf(res).admission === undefined) settle(res, await meter(req, deps, barred));
    next();
  };
}

/**
 * Counts the request against its address alone, whatever key it has: for paths used by callers who do not have a key
 * yet.
 */
export function meterAddress({ allowances }: MeterDeps, limit: 'checkout'): RequestHandler {
  return async (req, res, next) => {
    const bucket: Bucket = { limit, id: `address ${callerGroup(req)}` };
    const allowance = await (req.method === 'OPTIONS' ? allowances.peek(bucket) : allowances.charge(bucket));
    settle(res, { allowance, admission: { caller: anonymous } });
    next();
  };
}

/** Lets the request pass uncounted; its answer shows what its address has left. */
export function exempt({ allowances }: MeterDeps): RequestHandler {
  return async (req, res, next) => {
    const allowance = await allowances.peek(addressBucket(callerGroup(req)));
    settle(res, { allowance, admission: { caller: anonymous } });
    next();
  };
}

function settle(res: Response, { allowance, admission, secret }: Metered): void {
  setRateLimitHeaders(res, allowance);
  const state = stateOf(res);
  state.admission = allowance.isExceeded ? { refusal: overLimit(allowance) } : admission;
  if (secret !== undefined) state.secret = secret;
}

/** An address that tried too many keys, and until when it is blocked, on the process's clock in milliseconds. */
interface Barred {
  allowance: Allowance;
  until: number;
}

const maxBarred = 10_000;

interface Metered {
  allowance: Allowance;
  admission: Admission;
  /** The HMAC of a valid key that was sent. */
  secret?: string;
}

async function meter(
  req: Request,
  { keys, pepper, usage, allowances, now }: MeterDeps,
  barred: LRUCache<string, Barred>,
): Promise<Metered> {
  const place = callerGroup(req);
  const address = addressBucket(place);
  const unknownKeys: Bucket = { limit: 'anonymous', id: `unknown keys of ${place}` };

  // Browsers send preflights by themselves and without a key: they cost nothing.
  if (req.method === 'OPTIONS') return { allowance: await allowances.peek(address), admission: { caller: anonymous } };

  try {
    const key = readBearer(req.headers.authorization);
    if (key === null) return { allowance: await allowances.charge(address), admission: { caller: anonymous } };

    const bar = barred.get(place);
    if (bar !== undefined) {
      const used = { ...bar.allowance, resetSeconds: Math.ceil((bar.until - performance.now()) / 1000) };
      if (used.resetSeconds > 0) return refuse(overLimit(used), used);
      barred.delete(place);
    }

    const secret = hashApiKey(key, pepper);
    const stored = await keys.findByHash(secret);
    if (stored !== null && stored.revokedAt === null && opens(stored, secret, now())) {
      const allowance = await allowances.charge(keyBucket(stored, now()));
      if (!allowance.isExceeded) usage.count(stored.hash, { requests: 1 });
      return { allowance, admission: { caller: { key: stored } }, secret };
    }
    // Invented keys cost a lookup each, so an address has a limited number.
    const guesses = await allowances.charge(unknownKeys);
    if (guesses.remaining === 0) {
      barred.set(place, { allowance: guesses, until: performance.now() + guesses.resetSeconds * 1000 });
    }
    if (guesses.isExceeded) return refuse(overLimit(guesses), guesses);
    return refuse(new Problem('key_invalid', reasonAgainst(stored)), await allowances.charge(address));
  } catch (error) {
    if (error instanceof Problem) return refuse(error, await allowances.charge(address));
    throw error;
  }
}

/** Why a well-formed key is not valid. */
function reasonAgainst(stored: StoredKey | null): string {
  if (stored === null) return 'This key does not exist.';
  return stored.revokedAt === null ? 'This key has been replaced by a newer one.' : 'This key has been revoked.';
}

function addressBucket(place: string): Bucket {
  return { limit: 'anonymous', id: `address ${place}` };
}

function refuse(refusal: Problem, allowance: Allowance): Metered {
  return { allowance, admission: { refusal } };
}

/** An expired plan gives no more than having none. */
function keyBucket({ hash, plan }: StoredKey, now: Date): Bucket {
  return { limit: isActive(plan, now) ? plan.tier : 'anonymous', id: `key ${hash}` };
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

/**
 * The key in an Authorization header; null without a header. The scheme's case does not matter. Throws Problem
 * `key_invalid` for another scheme and for text that cannot be a key, without a store lookup.
 */
function readBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (key === undefined) {
    throw new Problem(
      'key_invalid',
      'The Authorization header must be `Bearer <key>`. Other schemes are not supported.',
    );
  }
  if (!isWellFormedApiKey(key)) {
    throw new Problem('key_invalid', 'This key is incomplete or mistyped. Copy it again.');
  }
  return key;
}
