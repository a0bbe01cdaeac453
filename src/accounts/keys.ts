import { Problem } from '#src/problem.ts';
import { generateApiKey, identifyKey } from './api-key.ts';
import type { AuditLog } from './audit.ts';
import { replaceKey } from './change-order.ts';
import type { Order, OrderStore } from './order.ts';
import { daysAfter, type Tier } from './plans.ts';
import { endKey, endOfSecret, type KeyStore, rotateSecret, type StoredKey } from './stored-key.ts';

/** What operators' work on keys needs, and the operator. */
export interface KeyOperation {
  keys: KeyStore;
  audit: AuditLog;
  operator: string;
}

/** Creates a key, which is to be shown once, and saves its hash. The plan runs for so many days from now. */
export async function issueKey(
  { keys, audit, operator }: KeyOperation,
  pepper: string,
  { tier, days, email }: { tier: Tier; days: number; email: string | null },
  now: Date,
): Promise<{ key: string; stored: StoredKey }> {
  const key = generateApiKey();
  const stored: StoredKey = {
    ...identifyKey(key, pepper),
    plan: { tier, expiresAt: daysAfter(now.toISOString(), days) },
    email,
    orderId: null,
    createdAt: now.toISOString(),
    revokedAt: null,
  };
  await audit.append({ at: now.toISOString(), operator, action: 'keys issue', subject: stored.prefix, outcome: null });
  await keys.save(stored);
  return { key, stored };
}

/** `ambiguous`: several keys that are not revoked start with it, and none was touched. */
export type Revocation =
  | { outcome: 'revoked'; key: StoredKey }
  | { outcome: 'already_revoked'; key: StoredKey; revokedAt: string }
  | { outcome: 'ambiguous'; candidates: readonly StoredKey[] }
  | { outcome: 'unknown' };

/** Revokes the one key whose shown prefix starts with this. Processes that cache keys refuse it within five seconds. */
export async function revokeKey(
  { keys, audit, operator }: KeyOperation,
  prefix: string,
  now: Date,
): Promise<Revocation> {
  const matches = await keys.list(prefix);
  const [key, ...others] = matches.filter(({ revokedAt }) => revokedAt === null);
  if (key !== undefined && others.length > 0) return { outcome: 'ambiguous', candidates: [key, ...others] };
  if (key !== undefined) {
    await audit.append({ at: now.toISOString(), operator, action: 'keys revoke', subject: key.prefix, outcome: null });
    await keys.change(key.hash, (held) => endKey(held, now.toISOString()));
    return { outcome: 'revoked', key };
  }
  const [revoked] = matches;
  if (revoked === undefined || revoked.revokedAt === null) return { outcome: 'unknown' };
  return { outcome: 'already_revoked', key: revoked, revokedAt: revoked.revokedAt };
}

/** `sent`: HMAC of the holder's secret (contract A15). Throws Problem `key_invalid` if it was replaced or revoked. */
export async function rotateKey(
  { keys, pepper }: { keys: KeyStore; pepper: string },
  { hash }: StoredKey,
  sent: string,
  overlapHours: number,
  now: Date,
): Promise<{ key: string; stored: StoredKey; sentEndsAt: string }> {
  const key = generateApiKey();
  const next = identifyKey(key, pepper);
  const stored = await keys.change(hash, (current) => rotateSecret(current, sent, next, overlapHours, now));
  if (stored === null) throw new Problem('key_invalid', 'This key was replaced or revoked a moment ago.');
  return { key, stored, sentEndsAt: endOfSecret(stored, sent) ?? now.toISOString() };
}

/** `not_paid`: a pending, expired, failed or refunded order, which has no key. */
export type Reissue =
  | { outcome: 'reissued'; order: Order; key: string; stored: StoredKey }
  | { outcome: 'not_paid'; order: Order }
  | { outcome: 'unknown' };

/** To be shown once; the key before it and a suspension end. A key that the order renews goes on with all its days. */
export async function reissueKey(
  { orders, keys, audit, operator }: KeyOperation & { orders: OrderStore },
  pepper: string,
  orderId: string,
  now: Date,
): Promise<Reissue> {
  if ((await orders.find(orderId)) === null) return { outcome: 'unknown' };
  await audit.append({ at: now.toISOString(), operator, action: 'orders reissue', subject: orderId, outcome: null });
  const key = generateApiKey();
  const secret = identifyKey(key, pepper);
  const change = await orders.change(orderId, (current) => replaceKey(current, secret, now));
  if (change === null) return { outcome: 'unknown' };
  const stored = change.isChanged ? await keys.findByHash(secret.hash) : null;
  return stored === null
    ? { outcome: 'not_paid', order: change.order }
    : { outcome: 'reissued', order: change.order, key, stored };
}
