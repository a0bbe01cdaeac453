import type { Order } from './order.ts';
import type { Renewal, Renewals, StoredKey } from './stored-key.ts';

/** What an order means for the key that it renews: the key as it should be, the order freed from the key, or nothing. */
export type RenewalEffect = { key: StoredKey } | { freed: Order } | null;

const dayMs = 24 * 60 * 60 * 1000;

/** A time some days later. */
export function daysAfter(time: string, days: number): string {
  return new Date(Date.parse(time) + days * dayMs).toISOString();
}

/**
 * Makes a key follow an order that renews it, or did until now (contract A15). The days of an order count while it is
 * paid, not refunded, and not disputed. The end of the plan is computed from all renewals, so it does not depend on the
 * order in which events arrive, nor on how often: of the days of the others, a refund takes none.
 *
 * An order whose key was revoked before it was paid is freed: it gives a key of its own.
 *
 * @param hash what identifies the key; `key` is null if there is none
 */
export function settleRenewal(order: Order, hash: string, key: StoredKey | null): RenewalEffect {
  const renewal = order.renewsHash === hash ? renewalOf(order) : null;
  const known = key?.renewals?.orders.find(({ orderId }) => orderId === order.id);
  if (renewal !== null && known === undefined && (key === null || key.revokedAt !== null)) {
    return { freed: freeOrder(order, daysAfter(renewal.paidAt, renewal.days)) };
  }
  if (key === null || (renewal === null) === (known === undefined)) return null;
  const renewals = renewalsWith(key, order.id, renewal);
  const expiresAt = renewals.orders.reduce(endWith, renewals.firstEnd);
  return { key: { ...key, plan: { ...key.plan, expiresAt }, renewals } };
}

/** A renewing order that becomes one with a key of its own, whose plan ends then. */
export function freeOrder(order: Order, planExpiresAt: string): Order {
  return { ...order, renewsHash: null, planExpiresAt };
}

/** When the plan of the key ends with the days of this order and of those paid before it; null if it has none of it. */
export function endAfter({ renewals }: StoredKey, orderId: string): string | null {
  const last = renewals?.orders.findIndex((renewal) => renewal.orderId === orderId) ?? -1;
  return renewals === undefined || last === -1
    ? null
    : renewals.orders.slice(0, last + 1).reduce(endWith, renewals.firstEnd);
}

/**
 * When a key of its own ends that a paid order gets now, because the one that it renews was revoked: with the days that
 * the order had left when that key stopped, or when its payment was disputed. Days of other orders are not its own.
 */
export function endOfRest(order: Order & { paidAt: string }, key: StoredKey, now: Date): string {
  const { id: orderId, paidAt, days } = order;
  const renewals = renewalsWith(key, orderId, { orderId, paidAt, days });
  const end = endAfter({ ...key, renewals }, orderId) ?? paidAt;
  const begin = daysAfter(end, -days);
  const stops = [key.revokedAt, order.suspendedAt].filter((time) => time !== null);
  const stopped = stops.toSorted()[0] ?? now.toISOString();
  const rest = Math.max(0, Date.parse(end) - Date.parse(stopped > begin ? stopped : begin));
  return new Date(now.getTime() + rest).toISOString();
}

/** The renewals of a key with this one of the order, or without any of it. */
function renewalsWith({ renewals, plan }: StoredKey, id: string, renewal: Renewal | null): Renewals {
  const others = (renewals?.orders ?? []).filter(({ orderId }) => orderId !== id);
  return {
    firstEnd: renewals?.firstEnd ?? plan.expiresAt,
    orders: renewal === null ? others : [...others, renewal].toSorted(byPayment),
  };
}

function renewalOf({ id: orderId, status, suspendedAt, paidAt, days }: Order): Renewal | null {
  return status === 'paid' && suspendedAt === null && paidAt !== null ? { orderId, paidAt, days } : null;
}

/** A renewal adds its days from the end of the plan, or from its payment if the plan had ended. */
function endWith(end: string, { paidAt, days }: Renewal): string {
  return daysAfter(paidAt > end ? paidAt : end, days);
}

function byPayment(one: Renewal, other: Renewal): number {
  if (one.paidAt !== other.paidAt) return one.paidAt < other.paidAt ? -1 : 1;
  return one.orderId < other.orderId ? -1 : 1;
}
