import { hash, randomBytes } from 'node:crypto';

/** How long a browser stays signed in, in days. */
export const sessionDays = 30;

/** A browser that is signed in under a key. Times are ISO 8601, UTC. */
export interface Session {
  /** The SHA-256 of what its cookie holds, which is stored nowhere. */
  hash: string;
  /** What people tell it by: part of the hash. */
  id: string;
  /** The hash of the key. */
  account: string;
  /** The HMAC of the secret that it was started with: it ends with that. */
  secret: string;
  /** What the browser says that it is. */
  browser: string;
  createdAt: string;
  expiresAt: string;
}

/** Sessions of pages. Methods fail with Problem `store_unavailable` if the store cannot be reached. */
export interface SessionStore {
  /** Stores it, and drops those that ended before it began. */
  save(session: Session): Promise<void>;
  find(hash: string): Promise<Session | null>;
  /** Those of an account, the newest first. */
  list(account: string): Promise<Session[]>;
  /** Returns whether the account had a session of this id. */
  remove(account: string, id: string): Promise<boolean>;
}

/** A new session, and what its cookie holds: 256 random bits. */
export function startSession(
  key: { hash: string; secret: string },
  browser: string,
  now: Date,
): { session: Session; token: string } {
  const token = randomBytes(32).toString('base64url');
  const digest = hashToken(token);
  const expiresAt = new Date(now.getTime() + sessionDays * 24 * 60 * 60 * 1000).toISOString();
  const { hash: account, secret } = key;
  return {
    token,
    session: {
      hash: digest,
      id: digest.slice(0, 16),
      account,
      secret,
      browser,
      createdAt: now.toISOString(),
      expiresAt,
    },
  };
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
