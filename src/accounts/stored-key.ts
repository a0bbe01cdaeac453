import type { Visibility } from '#records/masking.ts';
import type { KeyIdentity } from './api-key.ts';
import type { FurtherKey } from './further-key.ts';
import { isActive, type Plan, type Tier } from './plans.ts';

/** A key as it is stored: with hashes of its secrets only. A rotation changes only the secret. Times are ISO 8601, UTC. */
export interface StoredKey {
  /** Identifies the key for good: HMAC-SHA-256 of its first secret under KEY_PEPPER, hex. */
  hash: string;
  /** The start of its secret, to tell keys apart by eye. */
  prefix: string;
  plan: Plan;
  email: string | null;
  orderId: string | null;
  createdAt: string;
  revokedAt: string | null;
  /** The HMAC of its current secret; absent until the first rotation, when `hash` is that. */
  secretHash?: string;
  /** The replaced secret that still works for a while after a rotation. */
  retiring?: KeyIdentity & { endsAt: string };
  /** Renewals by orders, first paid first, and what the plan was before them. Without `firstTier`, the tier never changed. */
  renewals?: { firstEnd: string; firstTier?: Tier; orders: readonly Renewal[] };
}

export interface Renewal {
  orderId: string;
  paidAt: string;
  days: number;
  raise?: Raise;
}

/** What an order makes of a smaller plan (contract A20): `lowerDays` of that are worth `days` of this tier. */
export interface Raise {
  tier: Tier;
  days: number;
  lowerDays: number;
}

/** API keys. Every method fails with Problem `store_unavailable` if the store cannot be reached. */
export interface KeyStore {
  save(key: StoredKey): Promise<void>;
  /** The key of the secret with this HMAC, even if the secret was replaced or revoked. */
  findByHash(secret: string): Promise<StoredKey | null>;
  /** Reads the key from the store, never from a cache. Null if there is none. */
  find(hash: string): Promise<StoredKey | null>;
  /** Writes what `decide` makes of the key in one atomic step, and may call it again. Null if nothing was written. */
  change(hash: string, decide: (key: StoredKey) => StoredKey | null): Promise<StoredKey | null>;
  /** Keys with a secret whose shown prefix starts with this, all for an empty one, of this address if there is one. Newest first. */
  list(prefix: string, email?: string): Promise<StoredKey[]>;
}

/** The HMAC of the current secret. */
export function currentSecretOf({ hash, secretHash = hash }: StoredKey): string {
  return secretHash;
}

/** Whether the secret with this HMAC works now: the current one, or a replaced one until its end; none of a revoked key. */
export function opens(key: StoredKey, secret: string, now: Date): boolean {
  if (key.revokedAt !== null) return false;
  if (secret === currentSecretOf(key)) return true;
  return secret === key.retiring?.hash && now.getTime() < Date.parse(key.retiring.endsAt);
}

/** How long a replaced secret may go on working, in hours: at most, and by default. */
export const maxOverlapHours = 72;
export const defaultOverlapHours = 24;

/**
 * The key with a new secret (contract A15); null if the secret that was sent no longer works. The old secret keeps working for
 * `overlapHours`. At most two secrets work at a time: a second rotation within the overlap ends the secret that the first one
 * made, and the oldest keeps its end. A holder who sends the oldest secret can make it end earlier, but not later. Without an
 * overlap all old secrets end at once, because one of them may have leaked.
 */
export function rotateSecret(
  key: StoredKey,
  { sent, next, overlapHours }: { sent: string; next: KeyIdentity; overlapHours: number },
  now: Date,
): StoredKey | null {
  if (!opens(key, sent, now)) return null;
  const endsAt = new Date(now.getTime() + overlapHours * 60 * 60 * 1000).toISOString();
  const before = key.retiring && opens(key, key.retiring.hash, now) ? key.retiring : null;
  const replaced = { ...key, prefix: next.prefix, secretHash: next.hash };
  if (before === null) return { ...replaced, retiring: { hash: sent, prefix: key.prefix, endsAt } };
  if (sent !== before.hash && overlapHours > 0) return { ...replaced, retiring: before };
  return { ...replaced, retiring: { ...before, endsAt: endsAt < before.endsAt ? endsAt : before.endsAt } };
}

/** The prefix of the secret with this HMAC, as its holder knows it. */
export function shownPrefix({ prefix, retiring }: StoredKey, secret: string): string {
  return retiring?.hash === secret ? retiring.prefix : prefix;
}

/** When the secret with this HMAC stops working; null for the current one, which works as long as the key. */
export function endOfSecret({ retiring, ...key }: StoredKey, secret: string): string | null {
  return secret === currentSecretOf(key) || retiring?.hash !== secret ? null : retiring.endsAt;
}

/** The key with another secret, for a holder who lost it. Earlier secrets stop working; a revoked key works again. */
export function replaceSecret(key: StoredKey, { hash, prefix }: KeyIdentity): StoredKey {
  const { retiring: _, ...rest } = key;
  return { ...rest, prefix, secretHash: hash, revokedAt: null };
}

/** The key without any working secret; one revoked earlier keeps its time. */
export function endKey(key: StoredKey, at: string): StoredKey {
  return { ...key, revokedAt: key.revokedAt ?? at };
}

/** Anonymous, or the holder of an existing key that is not revoked. `further`: the key sent, if it is not the account's own. */
export type Caller = { key: StoredKey | null; further?: FurtherKey };

export const anonymous = { key: null } as const satisfies Caller;

export function visibilityFor(caller: Caller, now: Date): Visibility {
  return caller.key !== null && isActive(caller.key.plan, now) ? 'full' : 'masked';
}
