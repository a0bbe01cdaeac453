import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { hashApiKey, isWellFormedApiKey } from '#accounts/api-key.ts';
import { opens, type StoredKey } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';
import { atMost } from '#text/memoize.ts';
import { type Allowance, type Allowances, type Bucket, overLimit } from '../allowances.ts';
import type { AppDeps } from '../app-deps.ts';
import { callerGroup } from '../caller-address.ts';

/** Whose key a request has: with the HMAC of the key as it was sent, or null without one. Or why the key is refused. */
export type Identity =
  | { key: StoredKey; secret: string }
  | { key: null }
  /** `allowance`: of unknown keys, if there were too many. */
  | { refusal: Problem; allowance?: Allowance };

export type IdentifyCaller = (req: Request) => Promise<Identity>;

/** An address that tried too many keys, and until when it is blocked, on the process's clock in milliseconds. */
interface Barred {
  allowance: Allowance;
  until: number;
}

const maxBarred = 10_000;

/** Looks up the keys of requests. Invented keys cost a lookup each, so an address has a limited number. */
export function createIdentifier({
  keys,
  pepper,
  allowances,
  now,
}: Pick<AppDeps, 'keys' | 'pepper' | 'now'> & { allowances: Allowances }): IdentifyCaller {
  const barred = new LRUCache<string, Barred>(atMost(maxBarred));

  const identify = async (req: Request): Promise<Identity> => {
    const key = readBearer(req.headers.authorization);
    if (key === null) return { key };

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

  return async (req) => {
    try {
      return await identify(req);
    } catch (error) {
      if (error instanceof Problem) return { refusal: error };
      throw error;
    }
  };
}

/** Why a well-formed key is not valid. */
function reasonAgainst(stored: StoredKey | null): string {
  if (stored === null) return 'This key does not exist.';
  return stored.revokedAt === null ? 'This key has been replaced by a newer one.' : 'This key has been revoked.';
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
