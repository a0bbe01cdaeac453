/**
 * What an event means for an order; `none` for no effect (a partial refund, a checkout that completed before its
 * payment). `refunded` means in full.
 */
export type PaymentEffect = 'paid' | 'failed' | 'expired' | 'refunded' | 'disputed' | 'none';

/** What the provider reports about a checkout. Amounts are in minor units of the currency. */
export interface CheckoutState {
  /** The provider's id of the checkout. */
  reference: string;
  /** ISO 4217, upper case; null if the checkout has none. */
  currency: string | null;
  /** The price before discounts and taxes; null if it sells nothing. */
  subtotal: number | null;
  /** The unpaid part of its total; null if it has no total. */
  unpaid: number | null;
}

/** A payment event, independent of the provider. */
export interface PaymentEvent {
  /** Identifies the event, so it is handled once however often it arrives. */
  id: string;
  effect: PaymentEffect;
  /** The order it claims to be about: shown to operators, but decides nothing, since others can write it too. */
  orderId: string | null;
  /** The checkout it is about; null if it is about a payment alone (a refund, a dispute). */
  checkout: CheckoutState | null;
  /** The provider's id of the payment. */
  payment: string | null;
  /** The provider's id of the buyer, if it keeps one that they can come back to. */
  customer: string | null;
  /** When it happened, ISO 8601, UTC. */
  at: string;
}

/** `held`: it matches no known order so far, and is applied once an order turns out to match. */
export type EventOutcome = 'handled' | 'repeated' | 'held';
