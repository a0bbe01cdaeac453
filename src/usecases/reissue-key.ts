import { generateApiKey, identifyKey } from '#domain/plans/api-key.ts';
import { type Order, replaceKey } from '#domain/plans/order.ts';
import type { AuditLog } from '#ports/audit-log.ts';
import type { OrderStore } from '#ports/order-store.ts';

/** `not_paid`: a pending, expired, failed or refunded order, which has no key. */
export type Reissue =
  | { outcome: 'reissued'; order: Order; key: string }
  | { outcome: 'not_paid'; order: Order }
  | { outcome: 'unknown' };

/** Gives a paid order a new key, to be shown once, and revokes the old one. Also ends a suspension. */
export async function reissueKey(
  { orders, audit, operator }: { orders: OrderStore; audit: AuditLog; operator: string },
  pepper: string,
  orderId: string,
  now: Date,
): Promise<Reissue> {
  if ((await orders.find(orderId)) === null) return { outcome: 'unknown' };
  await audit.append({ at: now.toISOString(), operator, action: 'orders reissue', subject: orderId, outcome: null });
  const key = generateApiKey();
  const identity = identifyKey(key, pepper);
  const change = await orders.change(orderId, (order) => replaceKey(order, identity, now));
  if (change === null) return { outcome: 'unknown' };
  const { order, isChanged } = change;
  return isChanged ? { outcome: 'reissued', order, key } : { outcome: 'not_paid', order };
}
