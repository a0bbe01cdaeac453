import { generateApiKey, identifyKey, type KeyIdentity } from './api-key.ts';
import type { AuditLog } from './audit.ts';
import type { KeyStore } from './key-store.ts';
import { type Order, type OrderChange, replaceKey, replaceRenewal, resumeRenewal } from './order.ts';
import type { ChangedOrder, OrderStore } from './order-store.ts';
import { replaceSecret, type StoredKey } from './stored-key.ts';

/** `not_paid`: a pending, expired, failed or refunded order, which has no key. */
export type Reissue =
  | { outcome: 'reissued'; order: Order; key: string; stored: StoredKey }
  | { outcome: 'not_paid'; order: Order }
  | { outcome: 'unknown' };

interface Reissuing {
  orders: OrderStore;
  keys: KeyStore;
  audit: AuditLog;
  operator: string;
}

/**
 * Gives a paid order a new key, to be shown once; the one before it works no more. Also ends a suspension. The days that
 * other orders added to the plan stay. If the order renews a key, that one goes on as the new key; if it cannot, the order
 * gets a key of its own, for the rest of its days.
 */
export async function reissueKey(
  { orders, keys, audit, operator }: Reissuing,
  pepper: string,
  orderId: string,
  now: Date,
): Promise<Reissue> {
  const order = await orders.find(orderId);
  if (order === null) return { outcome: 'unknown' };
  await audit.append({ at: now.toISOString(), operator, action: 'orders reissue', subject: orderId, outcome: null });
  const key = generateApiKey();
  const secret = identifyKey(key, pepper);
  const change =
    order.renewsHash === null
      ? await orders.change(orderId, (current) => replaceKey(current, secret, now))
      : await reissueRenewed({ orders, keys }, order, order.renewsHash, secret, now);
  if (change === null) return { outcome: 'unknown' };
  const stored = change.isChanged ? await keys.findByHash(secret.hash) : null;
  return stored === null
    ? { outcome: 'not_paid', order: change.order }
    : { outcome: 'reissued', order: change.order, key, stored };
}

/**
 * The key that the order renews goes on under the new secret, also if it was revoked, unless its own order was refunded or
 * is disputed. Then the order gets a key of its own: the days of the other order are not given twice.
 */
async function reissueRenewed(
  { orders, keys }: Pick<Reissuing, 'orders' | 'keys'>,
  order: Order,
  renewed: string,
  secret: KeyIdentity,
  now: Date,
): Promise<ChangedOrder | null> {
  if (order.status !== 'paid') return { order, isChanged: false };
  const replaced = await keys.rotate(renewed, (key) => (key.revokedAt === null ? replaceSecret(key, secret) : null));
  const revoked = replaced === null ? await keys.find(renewed) : null;
  const ownId = revoked?.orderId ?? null;
  const revived = ownId === null ? null : await orders.change(ownId, (own) => reviveKey(own, renewed, secret, now));
  if (replaced !== null || revived?.isChanged) {
    const resumed = await orders.change(order.id, resumeRenewal);
    return { order: resumed?.order ?? order, isChanged: true };
  }
  return orders.change(order.id, (current) =>
    revoked === null || current.renewsHash === null
      ? replaceKey(current, secret, now)
      : replaceRenewal(current, revoked, secret, now),
  );
}

/** A revoked key under another secret, if its order is still paid for. */
function reviveKey(own: Order, hash: string, secret: KeyIdentity, now: Date): OrderChange | null {
  return own.keyHash === hash && own.suspendedAt === null ? replaceKey(own, secret, now) : null;
}
