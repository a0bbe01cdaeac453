import { randomBytes } from 'node:crypto';
import type { KeyIdentity } from './api-key.ts';
import type { PaymentEvent } from './payment-event.ts';
import type { Tier } from './plans.ts';
import type { StoredKey } from './stored-key.ts';

/** pending → paid → refunded; pending → expired or failed, which a payment still overrides. */
export type OrderStatus = 'pending' | 'paid' | 'refunded' | 'expired' | 'failed';

/** The statuses of an order that nobody has paid for. */
export const unpaidStatuses = ['pending', 'expired', 'failed'] as const satisfies OrderStatus[];

/** The purchase of a plan. It keeps what was offered, so later prices change nothing. Times are ISO 8601, UTC. */
export interface Order {
  id: string;
  status: OrderStatus;
  tier: Tier;
  /** In minor units of the currency. */
  price: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** How long the plan runs from its payment. */
  days: number;
  /** The buyer's address, if given. */
  email: string | null;
  /** Where the buyer pays. */
  checkoutUrl: string;
  /** The payment provider's ids of the checkout and, once there is one, the payment. */
  checkoutReference: string;
  paymentReference: string | null;
  createdAt: string;
  paidAt: string | null;
  planExpiresAt: string | null;
  refundedAt: string | null;
  /** Since when the payment is disputed. No key works until an operator issues a new one. */
  suspendedAt: string | null;
  keyClaimedAt: string | null;
  /** HMAC of the order's latest key; null before the first. */
  keyHash: string | null;
  /** When the payment provider was last asked about it. */
  askedAt: string | null;
}

/** What is written in one step: the order, and what happens to keys with it. */
export interface OrderChange {
  order: Order;
  /** A new key. */
  issued?: StoredKey;
  /** The HMAC of a key that is revoked, and when; a key revoked earlier keeps its time. */
  revoked?: { hash: string; at: string };
}

const dayMs = 24 * 60 * 60 * 1000;
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
  const endsKey = after.status === 'refunded' || after.suspendedAt !== order.suspendedAt;
  return after !== order && endsKey && after.keyHash !== null
    ? { order: after, counted, revoked: { hash: after.keyHash, at: now.toISOString() } }
    : { order: after, counted };
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

function applyPayment(order: Order, { effect, payment, at }: PaymentEvent): Order {
  switch (effect) {
    case 'paid':
      return order.paidAt === null ? { ...order, ...paidSince(order, at), paymentReference: payment } : order;
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

function paidSince({ status, days }: Order, at: string): Pick<Order, 'status' | 'paidAt' | 'planExpiresAt'> {
  return {
    status: status === 'refunded' ? status : 'paid',
    paidAt: at,
    planExpiresAt: new Date(Date.parse(at) + days * dayMs).toISOString(),
  };
}

/** Whether the order's first key waits for its buyer. */
export function isClaimable({ status, keyClaimedAt, suspendedAt }: Order): boolean {
  return status === 'paid' && keyClaimedAt === null && suspendedAt === null;
}

/** The first key of a paid order; null if it was already given out, or none may be. */
export function claimKey(order: Order, key: KeyIdentity, now: Date): OrderChange | null {
  return isClaimable(order) ? giveKey(order, key, now) : null;
}

/**
 * A new key for a paid order that replaces the current one, by an operator's decision; also ends a suspension. Null if
 * the order is not paid.
 */
export function replaceKey(order: Order, key: KeyIdentity, now: Date): OrderChange | null {
  return giveKey({ ...order, suspendedAt: null }, key, now);
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
    ...(order.keyHash !== null && { revoked: { hash: order.keyHash, at } }),
  };
}

/** Marks a pending order as asked about now; null if that is not due. The process that makes this change asks. */
export function askAgain(order: Order, now: Date): OrderChange | null {
  const isDue = order.askedAt === null || now.getTime() - Date.parse(order.askedAt) >= askEveryMs;
  return order.status === 'pending' && isDue ? { order: { ...order, askedAt: now.toISOString() } } : null;
}

/**
 * A new order's id: `ord_` and 128 random bits in hexadecimal. It appears in URLs, so it is not a secret, but it cannot
 * be guessed.
 */
export function newOrderId(): string {
  return `ord_${randomBytes(16).toString('hex')}`;
}
