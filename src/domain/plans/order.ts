import type { KeyIdentity } from './api-key.ts';
import type { PaymentEvent } from './payment-event.ts';
import type { Tier } from './plan.ts';
import type { StoredKey } from './stored-key.ts';

/** pending → paid → refunded; pending → expired or failed, which a payment that was made still overrules. */
export type OrderStatus = 'pending' | 'paid' | 'refunded' | 'expired' | 'failed';

/** What an order is in as long as nobody has paid for it. */
export const unpaidStatuses = ['pending', 'expired', 'failed'] as const satisfies OrderStatus[];

/** The purchase of a plan. What was offered is kept with it: later prices change nothing. Times are ISO 8601, UTC. */
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
  /** The buyer's address, where one was given. */
  email: string | null;
  /** Where the buyer pays. */
  checkoutUrl: string;
  /** What the payment provider calls the checkout, and the payment once there is one. */
  checkoutReference: string;
  paymentReference: string | null;
  createdAt: string;
  paidAt: string | null;
  planExpiresAt: string | null;
  refundedAt: string | null;
  /** Since when the payment is disputed: until an operator issues a new key, none works. */
  suspendedAt: string | null;
  keyClaimedAt: string | null;
  /** HMAC of the key that was given for it last; null before the first. */
  keyHash: string | null;
  /** When the payment provider was last asked about it. */
  askedAt: string | null;
}

/** What is written in one step: the order, and what becomes of keys with it. */
export interface OrderChange {
  order: Order;
  /** A key that begins to exist. */
  issued?: StoredKey;
  /** The HMAC of a key that ends, and when; one that ended before keeps its time. */
  revoked?: { hash: string; at: string };
}

const dayMs = 24 * 60 * 60 * 1000;
/** The least time between two questions to the payment provider about one order. */
const askEveryMs = 5_000;

/** An order after some events, and which of them count for it. */
export interface AppliedPayments extends OrderChange {
  /** Ids of the events that are done with; the others fit this order not, or not yet. */
  counted: readonly string[];
}

/**
 * The order after these events, whatever the order in which they come: a payment that was made overrules `expired`
 * and `failed`, a refund stays, also when it comes first. The same object where they change nothing.
 */
export function applyPayments(order: Order, events: readonly PaymentEvent[], now: Date): AppliedPayments {
  // A refund is known to be of this order only once its payment is.
  const checkoutsFirst = [
    ...events.filter(({ checkout }) => checkout !== null),
    ...events.filter(({ checkout }) => checkout === null),
  ];
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
 * Whether an event counts for an order (contract A10): the one rule for whatever the provider tells, in whichever way.
 * A checkout counts only when it is the very one that was opened for the order, and a payment only when it is in the
 * order's currency, for its price, and nothing is left to pay. A refund or a dispute counts only when it is about the
 * order's payment.
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

/** The first key of a paid order; null where it was given already, or none may be given. */
export function claimKey(order: Order, key: KeyIdentity, now: Date): OrderChange | null {
  return isClaimable(order) ? giveKey(order, key, now) : null;
}

/**
 * A new key for a paid order in place of the one it has, by an operator's decision; it also ends a suspension.
 * Null where the order is not paid.
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

/** Marks a pending order as asked about now; null where that is not due. Whoever makes this change asks. */
export function askAgain(order: Order, now: Date): OrderChange | null {
  const isDue = order.askedAt === null || now.getTime() - Date.parse(order.askedAt) >= askEveryMs;
  return order.status === 'pending' && isDue ? { order: { ...order, askedAt: now.toISOString() } } : null;
}
