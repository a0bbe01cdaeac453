import { dayMs, daysAfter } from '#text/days.ts';
import type { KeyIdentity } from './api-key.ts';
import type { Order, OrderChange, PaymentEvent } from './order.ts';
import type { Plan } from './plans.ts';
import { endKey, type Raise, type Renewal, replaceSecret, type StoredKey } from './stored-key.ts';

/** The minimum time between two requests to the payment provider about one order. */
const askEveryMs = 5_000;

interface AppliedPayments extends OrderChange {
  /** Ids of the events that were handled; the others do not match this order, or not yet. */
  counted: readonly string[];
}

/** Applies events in any order. A payment overrides `expired` and `failed`; a refund is final. */
export function applyPayments(order: Order, events: readonly PaymentEvent[], now: Date): AppliedPayments {
  // A refund names only the payment, which the order knows once its checkout was applied.
  const checkoutsFirst = events.toSorted((a, b) => Number(a.checkout === null) - Number(b.checkout === null));
  let after = order;
  const countedIds: string[] = [];
  for (const event of checkoutsFirst) {
    if (!isAboutOrder(after, event)) continue;
    after = applyPayment(after, event);
    countedIds.push(event.id);
  }
  if (after === order) return { order, counted: countedIds };
  const endsKey = after.status === 'refunded' || after.suspendedAt !== order.suspendedAt;
  return {
    order: after,
    counted: countedIds,
    ...(endsKey && after.keyHash !== null && { revoked: { hash: after.keyHash, at: now.toISOString() } }),
    ...(after.renewsHash !== null && { renewed: after.renewsHash }),
  };
}

/**
 * Which events count for an order, whether they arrive by webhook or lookup (contract A10): a checkout must have been
 * opened for the order; a payment must be in its currency, for its price and complete; a refund or dispute of its payment.
 */
export function isAboutOrder(order: Order, { effect, checkout, payment }: PaymentEvent): boolean {
  if (checkout === null) return effect !== 'paid' && payment !== null && payment === order.paymentReference;
  if (checkout.reference !== order.checkoutReference) return false;
  if (effect !== 'paid') return true;
  return checkout.currency === order.currency && checkout.subtotal === order.price && checkout.unpaid === 0;
}

function applyPayment(order: Order, { effect, payment, customer, at }: PaymentEvent): Order {
  switch (effect) {
    case 'paid':
      if (order.paidAt !== null) return order;
      return {
        ...order,
        status: order.status === 'refunded' ? 'refunded' : 'paid',
        paidAt: at,
        planExpiresAt: order.renewsHash === null ? daysAfter(at, order.days) : null,
        paymentReference: payment,
        customerReference: customer,
      };
    case 'failed':
      return order.status === 'pending' || order.status === 'expired' ? { ...order, status: 'failed' } : order;
    case 'expired':
      return order.status === 'pending' ? { ...order, status: 'expired' } : order;
    case 'refunded':
      return order.status === 'refunded' ? order : { ...order, status: 'refunded', refundedAt: at };
    case 'disputed':
      return order.suspendedAt === null ? { ...order, suspendedAt: at } : order;
    case 'none':
      return order;
  }
}

/** Whether the buyer can claim the order's key now. */
export function isClaimable({ status, keyClaimedAt, suspendedAt, renewsHash }: Order): boolean {
  return status === 'paid' && keyClaimedAt === null && suspendedAt === null && renewsHash === null;
}

/** Gives the buyer of a paid order its first key; null if it was given before, or if the order has none to give. */
export function claimKey(order: Order, key: KeyIdentity, now: Date): OrderChange | null {
  return isClaimable(order) ? giveKey(order, key, now) : null;
}

/**
 * Gives the order's key a new secret when an operator asks for it, and ends a suspension. The key is the order's own or the
 * one that it renews, even if revoked; an order without a key gets its first one. Null if the order is not paid.
 */
export function replaceKey(order: Order, secret: KeyIdentity, now: Date): OrderChange | null {
  const { keyHash, renewsHash, status } = order;
  const hash = keyHash ?? renewsHash;
  const resumed = { ...order, suspendedAt: null };
  if (hash === null || status !== 'paid') return giveKey(resumed, secret, now);
  return { order: resumed, replaced: { hash, secret }, ...(renewsHash !== null && { renewed: renewsHash }) };
}

function giveKey(order: Order, { hash, prefix }: KeyIdentity, now: Date): OrderChange | null {
  if (order.status !== 'paid' || order.planExpiresAt === null) return null;
  const at = now.toISOString();
  return {
    order: { ...order, keyClaimedAt: order.keyClaimedAt ?? at, keyHash: hash },
    issued: {
      hash,
      prefix,
      plan: { tier: order.tier, expiresAt: order.planExpiresAt },
      email: order.email,
      orderId: order.id,
      createdAt: at,
      revokedAt: null,
    },
  };
}

/** Notes that the provider is asked about a pending order now; null if it is too early. Whose change is stored, asks. */
export function askAgain(order: Order, now: Date): OrderChange | null {
  const isDue = order.askedAt === null || now.getTime() - Date.parse(order.askedAt) >= askEveryMs;
  return order.status === 'pending' && isDue ? { order: { ...order, askedAt: now.toISOString() } } : null;
}

export function keysToRead({ replaced, revoked, renewed }: OrderChange): string[] {
  return [replaced?.hash, revoked?.hash, renewed].filter((hash) => hash !== undefined);
}

/**
 * What a change writes, besides a key that it issues: the order and the keys that change with it. If the order cannot renew
 * its key, it is written without that key (see settleRenewal).
 *
 * @param storedKeys the keys of `keysToRead` that exist
 */
export function settleChange(
  { order, replaced, revoked, renewed }: OrderChange,
  storedKeys: readonly StoredKey[],
): { order: Order; changed: StoredKey[] } {
  const keys = new Map(storedKeys.map((key) => [key.hash, key]));
  const write = (hash: string | undefined, change: (key: StoredKey) => StoredKey) => {
    const key = hash === undefined ? undefined : keys.get(hash);
    if (key !== undefined) keys.set(key.hash, change(key));
  };
  write(replaced?.hash, (key) => (replaced ? replaceSecret(key, replaced.secret) : key));
  write(revoked?.hash, (key) => (revoked ? endKey(key, revoked.at) : key));
  const effect = renewed === undefined ? null : settleRenewal(order, renewed, keys.get(renewed) ?? null);
  if (effect !== null && 'key' in effect) write(renewed, () => effect.key);
  return { order: effect !== null && 'freed' in effect ? effect.freed : order, changed: [...keys.values()] };
}

/** What an order does to the key that it renews: it changes the key, gives it up (`freed`), or does nothing. */
type RenewalEffect = { key: StoredKey } | { freed: Order } | null;

/**
 * Updates a key for an order that renews it, or did until now (contract A15). The days of an order count while it is paid,
 * not refunded and not disputed. The end of the plan is computed from all renewals again. So events may arrive repeatedly and
 * in any order, and a refund takes away only its own days.
 *
 * If the key was revoked before the order was paid, the order is freed from it and gives a key of its own.
 *
 * @param hash of the key, also if there is no such key and `key` is null
 */
export function settleRenewal(order: Order, hash: string, key: StoredKey | null): RenewalEffect {
  const { id: orderId, status, suspendedAt, paidAt, days, raise } = order;
  const counts = order.renewsHash === hash && status === 'paid' && suspendedAt === null;
  const renewal: Renewal | null = counts && paidAt !== null ? { orderId, paidAt, days, ...(raise && { raise }) } : null;
  const before = key?.renewals?.orders ?? [];
  const otherRenewals = before.filter((other) => other.orderId !== orderId);
  const isKnown = otherRenewals.length < before.length;
  if (renewal !== null && !isKnown && (key === null || key.revokedAt !== null)) {
    return { freed: { ...order, renewsHash: null, planExpiresAt: daysAfter(renewal.paidAt, days) } };
  }
  if (key === null || isKnown === (renewal !== null)) return null;
  const orders = renewal === null ? otherRenewals : [...otherRenewals, renewal].toSorted(byPayment);
  const { firstEnd, firstTier = key.plan.tier } = key.renewals ?? { firstEnd: key.plan.expiresAt };
  const renewed = { ...key, renewals: { firstEnd, firstTier, orders } };
  return { key: { ...renewed, plan: planAfter(renewed, orders) } };
}

/** When the plan ends with the days of this order and of those paid before it; null if the order added no days. */
export function endAfter(key: StoredKey, orderId: string): string | null {
  const orders = key.renewals?.orders ?? [];
  const last = orders.findIndex((renewal) => renewal.orderId === orderId);
  return last === -1 ? null : planAfter(key, orders.slice(0, last + 1)).expiresAt;
}

/**
 * The plan of a key with these renewals. Each adds its days from the end of the plan, or from its payment if the plan had ended.
 * The first of a larger tier begins that with its payment, and turns the days that are left into days of it, rounded down; so
 * are the days of the smaller plan that are paid later.
 */
function planAfter({ plan, renewals }: StoredKey, orders: readonly Renewal[]): Plan {
  let tier = renewals?.firstTier ?? plan.tier;
  let end = renewals?.firstEnd ?? plan.expiresAt;
  let raised: Raise | undefined;
  for (const { paidAt, days, raise } of orders) {
    const from = paidAt > end ? paidAt : end;
    if (raise !== undefined && raise.tier !== tier) {
      const daysLeft = (Date.parse(from) - Date.parse(paidAt)) / dayMs;
      end = daysAfter(paidAt, days + daysOf(raise, daysLeft));
      tier = raise.tier;
      raised = raise;
    } else {
      end = daysAfter(from, raise === undefined && raised !== undefined ? daysOf(raised, days) : days);
    }
  }
  return { tier, expiresAt: end };
}

/** The whole days that so many days of the smaller plan are worth. */
function daysOf({ days, lowerDays }: Raise, daysLeft: number): number {
  return Math.floor((daysLeft * days) / lowerDays);
}

function byPayment(one: Renewal, other: Renewal): number {
  if (one.paidAt !== other.paidAt) return one.paidAt < other.paidAt ? -1 : 1;
  return one.orderId < other.orderId ? -1 : 1;
}
