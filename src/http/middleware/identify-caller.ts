import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { hashApiKey, isWellFormedApiKey } from '#accounts/api-key.ts';
import { hashToken } from '#accounts/session.ts';
import { opens, type StoredKey } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';
import { atMost } from '#text/memoize.ts';
import { type Allowance, type Allowances, type Bucket, overLimit } from '../allowances.ts';
import type { AppDeps } from '../app-deps.ts';
import { callerGroup } from '../caller-address.ts';
import { isOwnPage, readToken } from '../session-cookie.ts';

/** Whose key a request has: with the HMAC of the key as it was sent, or null without one. Or why the key is refused. */
export type Identity =
  | { key: StoredKey; secret: string }
  | { key: null }
  /** `allowance`: of unknown keys, if there were too many. */
  | { refusal: Problem; allowance?: Allowance };

export type IdentifyCaller = (req: Request) => Promise<Identity>;
/** Looks up a key that was sent in another way than by the header. */
export type FindKey = (req: Request, key: string) => Promise<Exclude<Identity, { key: null }>>;

/** An address that tried too many keys, and until when it is blocked, on the process's clock in milliseconds. */
interface Barred {
  allowance: Allowance;
  until: number;
}

const maxBarred = 10_000;

/** Looks up the keys of requests, or of the sessions of pages. Invented keys cost a lookup each, so an address has a limited number. */
export function createIdentifier({
  keys,
  sessions,
  publicUrl,
  pepper,
  allowances,
  now,
}: Pick<AppDeps, 'keys' | 'sessions' | 'publicUrl' | 'pepper' | 'now'> & { allowances: Allowances }): {
  identify: IdentifyCaller;
  findKey: FindKey;
} {
  const barred = new LRUCache<string, Barred>(atMost(maxBarred));

  const findKey: FindKey = async (req, key) => {
    if (!isWellFormedApiKey(key)) throw mistypedKey();
    const place = callerGroup(req);
    const bar = barred.get(place);
    if (bar !== undefined) {
      const used = { ...bar.allowance, resetSeconds: Math.ceil((bar.until - performance.now()) / 1000) };
      if (used.resetSeconds > 0) return { refusal: overLimit(used), allowance: used };
      barred.delete(place);
    }

    const secret = hashApiKey(key, pepper);
    const stored = await keys.findByHash(secret);
    if (stored !== null && stored.revokedAt === null && opens(stored, secret, now())) return { key: stored, secret };

    const unknownKeys: Bucket = { limit: 'anonymous', id: `unknown keys of ${place}` };
    const guesses = await allowances.charge(unknownKeys);
    if (guesses.remaining === 0) {
      barred.set(place, { allowance: guesses, until: performance.now() + guesses.resetSeconds * 1000 });
    }
    if (guesses.isExceeded) return { refusal: overLimit(guesses), allowance: guesses };
    return { refusal: new Problem('key_invalid', reasonAgainst(stored)) };
  };

  /** A session that has ended is none: its page is read as by anybody. */
  const findSession = async (req: Request): Promise<Identity> => {
    const token = readToken(req);
    if (token === null || !isOwnPage(req, publicUrl)) return { key: null };
    const session = await sessions.find(hashToken(token));
    if (session === null || session.expiresAt <= now().toISOString()) return { key: null };
    const key = await keys.findByHash(session.secret);
    const isOpen = key !== null && key.revokedAt === null && opens(key, session.secret, now());
    return isOpen ? { key, secret: session.secret } : { key: null };
  };

  const identify: IdentifyCaller = async (req) => {
    try {
      const key = readBearer(req.headers.authorization);
      return await (key === null ? findSession(req) : findKey(req, key));
    } catch (error) {
      if (error instanceof Problem) return { refusal: error };
      throw error;
    }
  };
  return { identify, findKey };
}

function mistypedKey(): Problem {
  return new Problem('key_invalid', 'This key is incomplete or mistyped. Copy it again.');
}

/** Why a well-formed key is not valid. */
function reasonAgainst(stored: StoredKey | null): string {
  if (stored === null) return 'This key does not exist.';
  return stored.revokedAt === null ? 'This key has been replaced by a newer one.' : 'This key has been revoked.';
}

/**
 * The key in an Authorization header; null without a header. The scheme's case does not matter. Throws Problem
 * `key_invalid` for another scheme.
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
  return key;
}
