import type { KeyIdentity } from './api-key.ts';
import type { Order, OrderChange, PaymentEvent } from './order.ts';
import { daysAfter, endOfRest, freeOrder, settleRenewal } from './renewal.ts';
import { endKey, replaceSecret, type StoredKey } from './stored-key.ts';

/** The minimum time between two requests to the payment provider about one order. */
const askEveryMs = 5_000;

/** An order after some events, and which of them count for it. */
export interface AppliedPayments extends OrderChange {
  /** Ids of the events that were handled; the others do not match this order, or not yet. */
  counted: readonly string[];
}

/**
 * The order after these events, in any order of arrival: a payment overrides `expired` and `failed`, and a refund stays
 * even if it comes first. Returns the same object if nothing changes.
 */
export function applyPayments(order: Order, events: readonly PaymentEvent[], now: Date): AppliedPayments {
  // A refund can be matched to this order only once its payment is known.
  const checkoutsFirst = events.toSorted((a, b) => Number(a.checkout === null) - Number(b.checkout === null));
  let after = order;
  const counted: string[] = [];
  for (const event of checkoutsFirst) {
    if (!isAboutOrder(after, event)) continue;
    after = applyPayment(after, event);
    counted.push(event.id);
  }
  if (after === order) return { order, counted };
  const endsKey = after.status === 'refunded' || after.suspendedAt !== order.suspendedAt;
  return {
    order: after,
    counted,
    ...(endsKey && after.keyHash !== null && { revoked: { hash: after.keyHash, at: now.toISOString() } }),
    ...(after.renewsHash !== null && { renewed: after.renewsHash }),
  };
}

/**
 * Whether an event counts for an order (contract A10): the one rule for everything the provider reports, however it
 * arrives. A checkout counts only if it is the one opened for the order. A payment counts only if it is in the order's
 * currency, for its price, and fully paid. A refund or a dispute counts only if it is about the order's payment.
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
      return { ...order, ...paidSince(order, at), paymentReference: payment, customerReference: customer };
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

function paidSince(
  { status, days, renewsHash }: Order,
  at: string,
): Pick<Order, 'status' | 'paidAt' | 'planExpiresAt'> {
  return {
    status: status === 'refunded' ? status : 'paid',
    paidAt: at,
    planExpiresAt: renewsHash === null ? daysAfter(at, days) : null,
  };
}

/** Whether the order's first key waits for its buyer. */
export function isClaimable({ status, keyClaimedAt, suspendedAt, renewsHash }: Order): boolean {
  return status === 'paid' && keyClaimedAt === null && suspendedAt === null && renewsHash === null;
}

/** The first key of a paid order; null if it was already given out, or none may be. */
export function claimKey(order: Order, key: KeyIdentity, now: Date): OrderChange | null {
  return isClaimable(order) ? giveKey(order, key, now) : null;
}

/**
 * The order's key under another secret, or its first key, by an operator's decision; also ends a suspension. Null if the
 * order is not paid.
 */
export function replaceKey(order: Order, secret: KeyIdentity, now: Date): OrderChange | null {
  const { keyHash: hash } = order;
  const resumed = { ...order, suspendedAt: null };
  if (hash === null || order.status !== 'paid') return giveKey(resumed, secret, now);
  return { order: resumed, replaced: { hash, secret } };
}

/** A key of its own for an order that renewed one which was revoked, with the days left; null unless it is paid. */
export function replaceRenewal(order: Order, revoked: StoredKey, key: KeyIdentity, now: Date): OrderChange | null {
  const { paidAt } = order;
  if (order.renewsHash === null || paidAt === null) return null;
  const freed = freeOrder(order, endOfRest({ ...order, paidAt }, revoked, now));
  const change = giveKey({ ...freed, suspendedAt: null }, key, now);
  return change && { ...change, renewed: order.renewsHash };
}

/**
 * A paid renewal whose days count, by an operator's decision: ends a suspension, and repairs a key that lost them. Null if
 * it is not paid, or renews no key.
 */
export function resumeRenewal(order: Order): OrderChange | null {
  if (order.status !== 'paid' || order.renewsHash === null) return null;
  return { order: { ...order, suspendedAt: null }, renewed: order.renewsHash };
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

/** Marks a pending order as asked about now; null if that is not due. The process that makes this change asks. */
export function askAgain(order: Order, now: Date): OrderChange | null {
  const isDue = order.askedAt === null || now.getTime() - Date.parse(order.askedAt) >= askEveryMs;
  return order.status === 'pending' && isDue ? { order: { ...order, askedAt: now.toISOString() } } : null;
}

/** The hashes of the keys that a change of an order changes too. */
export function keysToRead({ replaced, revoked, renewed }: OrderChange): string[] {
  return [replaced?.hash, revoked?.hash, renewed].filter((hash) => hash !== undefined);
}

/**
 * What a change writes besides the key that it issues: the order, freed from a key that it cannot renew, and the keys that
 * change with it.
 *
 * @param held the keys of `keysToRead` that exist
 */
export function settleChange(
  { order, replaced, revoked, renewed }: OrderChange,
  held: readonly StoredKey[],
): { order: Order; changed: StoredKey[] } {
  const keys = new Map(held.map((key) => [key.hash, key]));
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
