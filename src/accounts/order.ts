import { randomBytes } from 'node:crypto';
import type { KeyIdentity } from './api-key.ts';
import type { Tier } from './plans.ts';
import type { Raise, StoredKey } from './stored-key.ts';

/** Either pending → paid → refunded, or pending → expired or failed. A payment still turns these two into paid. */
export const orderStatuses = ['pending', 'paid', 'refunded', 'expired', 'failed'] as const;
type OrderStatus = (typeof orderStatuses)[number];

export const unpaidStatuses = ['pending', 'expired', 'failed'] as const satisfies OrderStatus[];

/** The price is the one offered to the buyer, in minor units (ISO 4217). Times are ISO 8601, UTC. */
export interface Order {
  id: string;
  status: OrderStatus;
  tier: Tier;
  price: number;
  currency: string;
  days: number;
  email: string | null;
  /** What the buyer's software calls the order, and the page that the buyer returns to; absent if it did not say. */
  reference?: string;
  returnUrl?: string;
  checkoutUrl: string;
  /** The payment provider's ids: of the checkout, of the payment once there is one, and of the buyer if it keeps one. */
  checkoutReference: string;
  paymentReference: string | null;
  customerReference: string | null;
  createdAt: string;
  paidAt: string | null;
  /** Null while the order is unpaid, and for a renewal: then the plan of the renewed key has the end. */
  planExpiresAt: string | null;
  refundedAt: string | null;
  /** Since when the payment is disputed. No key works until an operator issues a new one. */
  suspendedAt: string | null;
  keyClaimedAt: string | null;
  keyHash: string | null;
  /** The key that the order renews or raises instead of giving one of its own (contract A15, A20). */
  renewsHash: string | null;
  /** Present if the key was of a smaller plan at first. */
  raise?: Raise;
  askedAt: string | null;
}

/** What is written in one step: the order, and what happens to keys with it. */
export interface OrderChange {
  order: Order;
  issued?: StoredKey;
  /** A key that gets another secret. The secrets before it stop working, and a revocation ends. */
  replaced?: { hash: string; secret: KeyIdentity };
  revoked?: { hash: string; at: string };
  /** A key whose plan the order renews, or renewed until now. `settleRenewal` updates it. */
  renewed?: string;
}

/** A new order's id. It appears in URLs, so it is not a secret, but it cannot be guessed. */
export function newOrderId(): string {
  return `ord_${randomBytes(16).toString('hex')}`;
}

/** `none`: a partial refund, or a checkout that completed before its payment. `refunded` means in full. */
export type PaymentEffect = 'paid' | 'failed' | 'expired' | 'refunded' | 'disputed' | 'none';

/** What the provider reports about a checkout. Amounts are in minor units of the currency (ISO 4217, upper case). */
export interface CheckoutState {
  reference: string;
  currency: string | null;
  subtotal: number | null;
  unpaid: number | null;
}

export interface PaymentEvent {
  /** An event id is handled once, however often it arrives. */
  id: string;
  effect: PaymentEffect;
  /** The order that it claims to be about. Operators see it, but nothing relies on it, because others could forge it. */
  orderId: string | null;
  /** Null if it is about a payment alone (a refund, a dispute). */
  checkout: CheckoutState | null;
  /** The provider's ids of the payment, and of the buyer if it keeps one. */
  payment: string | null;
  customer: string | null;
  at: string;
}

/** `held`: no known order matches the event yet. It is applied as soon as one does. */
export type EventOutcome = 'handled' | 'repeated' | 'held';

/**
 * Orders, their payment events, and the resulting keys. What changes together is written together or not at all, even
 * with several processes. Every method fails with Problem `store_unavailable` if the store cannot be reached.
 */
export interface OrderStore {
  /** Also applies the events held for its checkout. If the id is taken, the order stored under it stays, and is returned. */
  save(order: Order): Promise<Order>;
  find(id: string): Promise<Order | null>;
  list(filter: OrderFilter, limit: number): Promise<Order[]>;
  /**
   * Writes what `decide` makes of the current order, including keys; nothing if it returns null. If another process changes
   * the order meanwhile, `decide` is called again. Null if the order does not exist.
   */
  change(id: string, decide: (order: Order) => OrderChange | null): Promise<ChangedOrder | null>;
  /** Stores the event. If it counts for an order (`isAboutOrder`), applies it and the events held for the same payment. */
  receive(event: PaymentEvent, now: Date): Promise<EventOutcome>;
  /** Deletes what is older: orders that were never paid, with their events, and events that match no order. */
  purge(before: Date): Promise<Purged>;
}

/** `email` ignores case; `day` is the UTC day on which an order was made. */
export interface OrderFilter {
  email?: string | undefined;
  status?: OrderStatus | undefined;
  day?: string | undefined;
}

/** How many were deleted; `events`: those that matched no order. */
export type Purged = { orders: number; events: number };

export type ChangedOrder = { order: Order; isChanged: boolean };
