import type { Order, OrderChange } from '#domain/plans/order.ts';
import type { EventOutcome, PaymentEvent } from '#domain/plans/payment-event.ts';
import type { Reservation } from '#domain/plans/reservation.ts';

/**
 * Orders, the events of their payment, and the keys that come of them. What changes together is written together or
 * not at all, also between several processes. Every method fails with Problem `store_unavailable` when the store is
 * out of reach.
 */
export interface OrderStore {
  /**
   * Of all that ask with one hash, the first has its reservation kept, and every one gets that. One that is older
   * than `oldest` gives way.
   */
  reserve(reservation: Reservation, oldest: Date): Promise<Reservation>;
  /** Forgets a reservation for an order that was not made; one that another order holds by now stays. */
  release(reservation: Reservation): Promise<void>;
  /**
   * Saves a new order, and applies the events that are held for its checkout. Of those saved under one reservation the
   * first stays, and each gets that one; null where the reservation was released meanwhile, and nothing is saved.
   */
  save(order: Order, reservation: Reservation | null): Promise<Order | null>;
  find(id: string): Promise<Order | null>;
  /**
   * Writes what `decide` makes of the order as it is now, keys included; nothing where it answers null. No other
   * change comes between; `decide` may be called again where one tried to. Null where there is no such order.
   */
  change(id: string, decide: (order: Order) => OrderChange | null): Promise<ChangedOrder | null>;
  /**
   * Keeps the event by its id and applies it to the order whose checkout or payment it is about, where it counts for
   * that order (`isAboutOrder`), and with it the events held for that payment.
   */
  receive(event: PaymentEvent, now: Date): Promise<EventOutcome>;
  /**
   * Removes orders that were made before then and never paid, with their events, and events that were received before
   * then and fit no order so far. Whatever was paid stays.
   */
  purge(before: Date): Promise<Purged>;
}

/** How many were removed; `events`: those that fitted no order. */
export interface Purged {
  orders: number;
  events: number;
}

export interface ChangedOrder {
  order: Order;
  /** Whether this call changed it. */
  isChanged: boolean;
}
