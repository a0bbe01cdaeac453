import { hash, randomBytes } from 'node:crypto';
import type { KeyedKind } from '#records/keyed-store.ts';
import { dayMs, daysAfter } from '#text/days.ts';

export const sessionDays = 30;

/** A browser that is signed in under a key. Times are ISO 8601, UTC. */
export interface Session {
  /** The SHA-256 of the token in its cookie. The token itself is stored nowhere. */
  hash: string;
  id: string;
  account: string;
  /** The HMAC of the key's secret at sign-in. The session ends when that secret does. */
  secret: string;
  browser: string;
  createdAt: string;
  expiresAt: string;
}

export const sessionKind: KeyedKind<Session> = {
  name: 'page_sessions',
  ownerOf: ({ account }) => account,
  orderOf: ({ createdAt }) => createdAt,
  livesMs: sessionDays * dayMs,
  isOfCaller: true,
};

/** A new session, and the token for its cookie: 256 random bits. */
export function startSession(
  key: { hash: string; secret: string },
  browser: string,
  now: Date,
): { session: Session; token: string } {
  const token = randomBytes(32).toString('base64url');
  const digest = hashToken(token);
  const createdAt = now.toISOString();
  const expiresAt = daysAfter(createdAt, sessionDays);
  const owner = { account: key.hash, secret: key.secret, browser };
  return { token, session: { hash: digest, id: digest.slice(0, 16), ...owner, createdAt, expiresAt } };
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
