import type { Request, RequestHandler, Response } from 'express';
import { isActive } from '#accounts/plans.ts';
import { windowSeconds } from '#accounts/request-counter.ts';
import { anonymous, type StoredKey } from '#accounts/stored-key.ts';
import type { Problem } from '#src/problem.ts';
import { type Allowance, type Allowances, type Bucket, overLimit } from '../allowances.ts';
import type { AppDeps } from '../app-deps.ts';
import { callerGroup } from '../caller-address.ts';
import { type Admission, stateOf } from '../request-state.ts';
import type { IdentifyCaller } from './identify-caller.ts';

type MeterDeps = Pick<AppDeps, 'usage' | 'now'> & { allowances: Allowances; identify: IdentifyCaller };

/**
 * Identifies the caller and counts the request: against the key, or against the address if there is no valid key. It
 * refuses nothing itself, so an unknown path is 404 whatever the count; routes refuse with `admit`.
 */
export function meterRequests(deps: MeterDeps): RequestHandler {
  return async (req, res, next) => {
    if (stateOf(res).admission === undefined) settle(res, await meter(req, deps));
    next();
  };
}

/**
 * Counts the request against its address alone, whatever key it has: for paths used by callers who do not have a key
 * yet, and for pages.
 */
export function meterAddress({ allowances }: MeterDeps, limit: AddressLimit): RequestHandler {
  return async (req, res, next) => {
    settle(res, await chargeAddress(req, allowances, limit));
    next();
  };
}

/** The same, but a key is identified, and an unknown one refused: for a path that does something for a key's holder. */
export function meterHolder({ allowances, identify }: MeterDeps, limit: 'checkout'): RequestHandler {
  return async (req, res, next) => {
    const counted = await chargeAddress(req, allowances, limit);
    const { allowance } = counted;
    const found = allowance.isExceeded || req.method === 'OPTIONS' ? { key: null } : await identify(req);
    if ('refusal' in found) settle(res, refuse(found.refusal, found.allowance ?? allowance));
    else settle(res, { ...counted, admission: { caller: found.key === null ? anonymous : { key: found.key } } });
    next();
  };
}

/** The limits that count addresses. */
type AddressLimit = 'checkout' | 'anonymous';

async function chargeAddress(req: Request, allowances: Allowances, limit: AddressLimit): Promise<Metered> {
  const bucket: Bucket = { limit, id: `address ${callerGroup(req)}` };
  const allowance = await (req.method === 'OPTIONS' ? allowances.peek(bucket) : allowances.charge(bucket));
  return { allowance, admission: { caller: anonymous } };
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

interface Metered {
  allowance: Allowance;
  admission: Admission;
  /** The HMAC of a valid key that was sent. */
  secret?: string;
}

async function meter(req: Request, { identify, usage, allowances, now }: MeterDeps): Promise<Metered> {
  const address = addressBucket(callerGroup(req));
  // Browsers send preflights by themselves and without a key: they cost nothing.
  if (req.method === 'OPTIONS') return { allowance: await allowances.peek(address), admission: { caller: anonymous } };

  const found = await identify(req);
  if ('refusal' in found) return refuse(found.refusal, found.allowance ?? (await allowances.charge(address)));
  if (found.key === null) return { allowance: await allowances.charge(address), admission: { caller: anonymous } };
  const { key, secret } = found;
  const allowance = await allowances.charge(keyBucket(key, now()));
  if (!allowance.isExceeded) usage.count(key.hash, { requests: 1 });
  return { allowance, admission: { caller: { key } }, secret };
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
