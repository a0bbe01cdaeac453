import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { hashApiKey, isWellFormedApiKey } from '#accounts/api-key.ts';
import { isActive } from '#accounts/plans.ts';
import { hashToken } from '#accounts/session.ts';
import { opens, type StoredKey } from '#accounts/stored-key.ts';
import { type RequestCounter, windowSeconds } from '#accounts/usage.ts';
import { Problem } from '#src/problem.ts';
import type { AppDeps, RateLimits } from './app-deps.ts';
import { isOwnPage, stateOf } from './endpoint.ts';

interface Bucket {
  limit: string;
  id: string;
}

/** What is left of the limit of this name. `isExceeded`: by the request just counted. */
interface Allowance {
  policy: string;
  limit: number;
  remaining: number;
  resetSeconds: number;
  isExceeded: boolean;
}

interface Metering {
  limit: 'anonymous' | 'checkout';
  /** Whether a key is identified, and a wrong one refused; `counts`: requests count against it instead. */
  key?: 'counts' | 'read';
  /** Whether nothing is counted: the answer shows what the address has left. */
  isExempt?: true;
}

/**
 * Steps that identify the caller and count the request: against the key, or against the address if there is no valid key.
 * They refuse nothing themselves, so an unknown path is 404 whatever the count; routes refuse with `admit`.
 */
export function createMeters(deps: AppDeps) {
  const { usage, now } = deps;
  const allowances = createAllowances(deps.rateLimits, deps.sharedCounter);
  const { identify, findKey } = createIdentifier(deps);

  const step =
    ({ limit, key, isExempt }: Metering): RequestHandler =>
    async (req, res, next) => {
      const state = stateOf(res);
      // A request is counted by the first meter that it meets.
      if (state.admission !== undefined) return next();
      // Browsers send preflights by themselves and without a key: they cost nothing.
      const isFree = req.method === 'OPTIONS' || isExempt === true;
      const chargeAddress = () => {
        const bucket = { limit, id: `address ${callerGroup(req)}` };
        return isFree ? allowances.peek(bucket) : allowances.charge(bucket);
      };
      const ofAddress = key === 'counts' ? null : await chargeAddress();
      const found = key === undefined || isFree || ofAddress?.isExceeded ? nobody : await identify(req);
      let allowance = ofAddress;
      if ('secret' in found) {
        state.secret = found.secret;
        if (key === 'counts') {
          allowance = await allowances.charge(keyBucket(found.key, now()));
          if (!allowance.isExceeded) usage.count(found.key.hash, { requests: 1 });
        }
      }
      allowance ??= await chargeAddress();
      setRateLimitHeaders(res, allowance);
      if (allowance.isExceeded) state.admission = { refusal: overLimit(allowance) };
      else state.admission = 'refusal' in found ? found : { caller: { key: found.key } };
      next();
    };
  return {
    /** The holder of a key, or the address. */
    caller: step({ limit: 'anonymous', key: 'counts' }),
    /** The address, with the key of a holder: for a path that does something for both. */
    holder: step({ limit: 'checkout', key: 'read' }),
    /** The address, whatever key it has: for callers who do not have one yet. */
    buyer: step({ limit: 'checkout' }),
    page: step({ limit: 'anonymous' }),
    exempt: step({ limit: 'anonymous', isExempt: true }),
    /** Looks up a key that was sent in another way than by the header. */
    findKey,
  };
}

export type Meters = ReturnType<typeof createMeters>;

export interface RouteDeps extends AppDeps {
  findKey: Meters['findKey'];
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

/** What callers have left, shared by all processes if there is a store for that. */
function createAllowances(limits: RateLimits, shared: RequestCounter | null) {
  const counter = shared ?? countAlone();
  const measure = async ({ limit: policy, id }: Bucket, isCharged: boolean): Promise<Allowance> => {
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
      isExceeded: isCharged && count !== null && count.requests > limit,
    };
  };
  return { charge: (bucket: Bucket) => measure(bucket, true), peek: (bucket: Bucket) => measure(bucket, false) };
}

function countAlone(): RequestCounter {
  const limiter = new RateLimiterMemory({ keyPrefix: '', duration: windowSeconds, points: Number.MAX_SAFE_INTEGER });
  const toCount = ({ consumedPoints: requests, msBeforeNext: endsInMs }: RateLimiterRes) => ({ requests, endsInMs });
  return {
    add: async (id) => toCount(await limiter.penalty(id)),
    async read(id) {
      const state = await limiter.get(id);
      return state && toCount(state);
    },
  };
}

type Holder = { key: StoredKey; secret: string };

const nobody: { key: null } = { key: null };

function createIdentifier({ keys, sessions, publicUrl, pepper, now }: AppDeps) {
  /** Throws Problem `key_invalid`. */
  const findKey = async (key: string): Promise<Holder> => {
    if (!isWellFormedApiKey(key)) {
      throw new Problem('key_invalid', 'This key is incomplete or mistyped. Copy it again.');
    }
    const secret = hashApiKey(key, pepper);
    const stored = await keys.findByHash(secret);
    if (stored !== null && opens(stored, secret, now())) return { key: stored, secret };
    throw new Problem('key_invalid', reasonAgainst(stored));
  };

  /** A session that has ended does not count: its page is read as by anybody. */
  const findSession = async (req: Request): Promise<Holder | typeof nobody> => {
    const token = readToken(req);
    if (token === null || !isOwnPage(req, publicUrl)) return nobody;
    const session = await sessions.find(hashToken(token));
    if (session === null || session.expiresAt <= now().toISOString()) return nobody;
    const key = await keys.findByHash(session.secret);
    return key !== null && opens(key, session.secret, now()) ? { key, secret: session.secret } : nobody;
  };

  const identify = async (req: Request): Promise<Holder | typeof nobody | { refusal: Problem }> => {
    try {
      const key = readBearer(req.headers.authorization);
      return await (key === null ? findSession(req) : findKey(key));
    } catch (error) {
      if (error instanceof Problem) return { refusal: error };
      throw error;
    }
  };
  return { identify, findKey };
}

/** Under https no subdomain can set a cookie of the first name (RFC 6265bis, 4.1.3.2). */
const cookieNames = ['__Host-masthead_session', 'masthead_session'] as const;

export function readToken(req: Request<object>): string | null {
  const cookies = `; ${req.headers.cookie ?? ''}`;
  const tokens = cookieNames.map((name) => new RegExp(`; *${name} *= *([^;\\s]+)`).exec(cookies)?.[1]);
  return tokens.find((token) => token !== undefined) ?? null;
}

/** The Set-Cookie header for a token; none at all for 0 seconds. */
export function writeCookie(token: string, publicUrl: string, seconds: number): string {
  const isSecure = publicUrl.startsWith('https:');
  const name = cookieNames[isSecure ? 0 : 1];
  return `${name}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

function reasonAgainst(stored: StoredKey | null): string {
  if (stored === null) return 'This key does not exist.';
  return stored.revokedAt === null ? 'This key has been replaced by a newer one.' : 'This key has been revoked.';
}

/** The key in an Authorization header; null without one. Throws Problem `key_invalid` for another scheme. */
function readBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (key !== undefined) return key;
  throw new Problem('key_invalid', 'The Authorization header must be `Bearer <key>`. Other schemes are not supported.');
}

/** Such as [2001:db8::1]:80, [::1] or 203.0.113.9:4711. An IPv6 address without brackets has no port. */
const beside = /^\[([^\]]+)\](?::\d*)?$|^(\d+(?:\.\d+){3}):\d*$/;

/** Some proxies, such as Azure Application Gateway, append ports: removed before anything looks for trusted proxies. */
export const dropForwardedPorts: RequestHandler = (req, _res, next) => {
  const forwarded = req.get('X-Forwarded-For');
  if (forwarded !== undefined) {
    req.headers['x-forwarded-for'] = forwarded
      .split(',')
      .map((entry) => entry.trim().replace(beside, '$1$2'))
      .join(', ');
  }
  next();
};

/**
 * Whose requests are counted together: an IPv4 address, or the /64 of an IPv6 address, which a single household or
 * server is given (RFC 6177) and could otherwise cycle through. If a trusted proxy names no address, the nearest known
 * one counts, ultimately that of the connection: forging a header gains nothing and harms nobody else.
 */
function callerGroup({ ips, socket }: Request<object>): string {
  const known = [...ips, socket.remoteAddress ?? ''].find((address) => isIP(address) !== 0);
  if (known === undefined) return 'unknown';
  const address = ipaddr.process(known);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
