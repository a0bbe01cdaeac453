import type { Visibility } from '#records/masking.ts';
import type { KeyIdentity } from './api-key.ts';
import { isActive, type Plan } from './plans.ts';
import type { Renewals } from './renewal.ts';

/**
 * What is stored of an API key: never the key itself. A rotation gives it another secret; its plan, order, limits and
 * counts stay. Times are ISO 8601, UTC.
 */
export interface StoredKey {
  /** What identifies it for good: HMAC-SHA-256 of its first secret under KEY_PEPPER, hex. */
  hash: string;
  /** The start of its secret, to tell keys apart by eye. */
  prefix: string;
  plan: Plan;
  /** The holder's address, if an operator or buyer gave one. */
  email: string | null;
  orderId: string | null;
  createdAt: string;
  revokedAt: string | null;
  /** Present once it was rotated: the HMAC of its secret. */
  secretHash?: string;
  /** Present if its last rotation left the secret before it working for a while. */
  retiring?: RetiringSecret;
  /** Present once an order renewed it. */
  renewals?: Renewals;
}

/** A secret that was replaced. */
export interface RetiringSecret {
  hash: string;
  prefix: string;
  /** When it stops working. */
  endsAt: string;
}

/** The HMAC of the secret that opens the key. */
export function secretOf({ hash, secretHash = hash }: StoredKey): string {
  return secretHash;
}

/** Whether the secret with this HMAC opens the key now: the current one, or the one before it until its end. */
export function opens(key: StoredKey, secret: string, now: Date): boolean {
  if (secret === secretOf(key)) return true;
  return secret === key.retiring?.hash && now.getTime() < Date.parse(key.retiring.endsAt);
}

/** The longest time that a replaced secret may go on, in hours, and the time unless its holder says. */
export const maxOverlapHours = 72;
export const defaultOverlapHours = 24;

/**
 * The key with a new secret (contract A15). The secret before goes on for the overlap. If it is rotated again within
 * that, whichever of the two is sent, the secret of the earlier rotation ends, and the one before it keeps its end: so at
 * most two secrets open a key. Without an overlap both end at once, because one of them leaked. A holder who sends the old
 * secret can bring its end forward, but never put it off. Null if the secret sent opens the key no more.
 */
export function rotateSecret(
  key: StoredKey,
  sent: string,
  next: KeyIdentity,
  overlapHours: number,
  now: Date,
): StoredKey | null {
  if (key.revokedAt !== null || !opens(key, sent, now)) return null;
  const endsAt = new Date(now.getTime() + overlapHours * hourMs).toISOString();
  const before = key.retiring && opens(key, key.retiring.hash, now) ? key.retiring : null;
  const replaced = { ...key, prefix: next.prefix, secretHash: next.hash };
  if (before === null) return { ...replaced, retiring: { hash: sent, prefix: key.prefix, endsAt } };
  if (sent !== before.hash && overlapHours > 0) return { ...replaced, retiring: before };
  return { ...replaced, retiring: { ...before, endsAt: earlierOf(endsAt, before.endsAt) } };
}

/** The start of the key as its holder has it, who sent the secret with this HMAC. */
export function shownPrefix({ prefix, retiring }: StoredKey, secret: string): string {
  return retiring?.hash === secret ? retiring.prefix : prefix;
}

/** When the secret with this HMAC stops opening the key: null for the current one, which lives as long as the key. */
export function endOfSecret({ retiring, ...key }: StoredKey, secret: string): string | null {
  return secret === secretOf(key) || retiring?.hash !== secret ? null : retiring.endsAt;
}

const hourMs = 60 * 60 * 1000;

function earlierOf(one: string, other: string): string {
  return one < other ? one : other;
}

/** The key under another secret, because its holder lost it: those before it end, and so does a revocation. */
export function replaceSecret(key: StoredKey, { hash, prefix }: KeyIdentity): StoredKey {
  const { retiring: _, ...kept } = key;
  return { ...kept, prefix, secretHash: hash, revokedAt: null };
}

/** The caller: anonymous, or the holder of an existing key that is not revoked. */
export type Caller = { key: null } | { key: StoredKey };

export const anonymous: Caller = { key: null };

/** Full addresses require an active plan. */
export function visibilityFor(caller: Caller, now: Date): Visibility {
  return caller.key !== null && isActive(caller.key.plan, now) ? 'full' : 'masked';
}
