/**
 * What an event means for an order; `none`: nothing (a refund in part, a checkout that ended before its payment).
 * `refunded`: in full.
 */
export type PaymentEffect = 'paid' | 'failed' | 'expired' | 'refunded' | 'disputed' | 'none';

/** What the provider says of a checkout. Amounts are in minor units of the currency. */
export interface CheckoutState {
  /** What the provider calls the checkout. */
  reference: string;
  /** ISO 4217, upper case; null where the checkout has none. */
  currency: string | null;
  /** What it sells for, before discounts and taxes; null where it sells nothing. */
  subtotal: number | null;
  /** How much of its total is not paid; null where it has no total. */
  unpaid: number | null;
}

/** News of a payment, in the words of no provider. */
export interface PaymentEvent {
  /** By which it is handled once, however often it comes. */
  id: string;
  effect: PaymentEffect;
  /** The order that it claims to be about: told to operators, decides nothing, since others can write there too. */
  orderId: string | null;
  /** The checkout that it is about; null where it is about a payment alone (a refund, a dispute). */
  checkout: CheckoutState | null;
  /** What the provider calls the payment. */
  payment: string | null;
  /** When it happened, ISO 8601, UTC. */
  at: string;
}

/** `held`: it fits no order known so far, and is applied once one turns out to be meant. */
export type EventOutcome = 'handled' | 'repeated' | 'held';
