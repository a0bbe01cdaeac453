import type { Order, OrderChange, OrderStatus } from './order.ts';
import type { EventOutcome, PaymentEvent } from './payment-event.ts';

/**
 * Orders, their payment events, and the resulting keys. What changes together is written together or not at all, even
 * with several processes. Every method fails with Problem `store_unavailable` if the store cannot be reached.
 */
export interface OrderStore {
  /**
   * Saves a new order, and applies the events that are held for its checkout. Of those saved under one id the first
   * stays, and each caller gets that one.
   */
  save(order: Order): Promise<Order>;
  find(id: string): Promise<Order | null>;
  /** The latest orders that fit, newest first. */
  list(filter: OrderFilter, limit: number): Promise<Order[]>;
  /**
   * Writes what `decide` makes of the order's current state, keys included; nothing if it returns null. No other change
   * happens in between; `decide` may be called again if one tried to. Null if the order does not exist.
   */
  change(id: string, decide: (order: Order) => OrderChange | null): Promise<ChangedOrder | null>;
  /**
   * Stores the event by its id and applies it to the order whose checkout or payment it is about, if it counts for that
   * order (`isAboutOrder`), together with the events held for that payment.
   */
  receive(event: PaymentEvent, now: Date): Promise<EventOutcome>;
  /**
   * Deletes orders created before this time and never paid, with their events, and events received before it that match
   * no order so far. Paid orders stay.
   */
  purge(before: Date): Promise<Purged>;
}

/** What orders have in common; undefined: anything. */
export interface OrderFilter {
  /** The buyer's address, in any case. */
  email?: string | undefined;
  status?: OrderStatus | undefined;
  /** The day on which it was made, in UTC, such as 2026-03-01. */
  day?: string | undefined;
}

/** How many were deleted; `events`: those that matched no order. */
export interface Purged {
  orders: number;
  events: number;
}

export interface ChangedOrder {
  order: Order;
  /** Whether this call changed it. */
  isChanged: boolean;
}
