/**
 * What an event means for an order; `none`: nothing (a refund in part, a checkout that ended before its payment).
 * `refunded`: in full.
 */
export type PaymentEffect = 'paid' | 'failed' | 'expired' | 'refunded' | 'disputed' | 'none';

/** News of a payment, in the words of no provider. */
export interface PaymentEvent {
  /** By which it is handled once, however often it comes. */
  id: string;
  effect: PaymentEffect;
  /** The order it names; null where it names only the payment. */
  orderId: string | null;
  /** What the provider calls the payment. */
  payment: string | null;
  /** When it happened, ISO 8601, UTC. */
  at: string;
}

/** `held`: it belongs to no order known so far, and is applied once one turns out to be meant. */
export type EventOutcome = 'handled' | 'repeated' | 'held';
