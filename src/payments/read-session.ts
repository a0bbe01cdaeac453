import type Stripe from 'stripe';
import type { PaymentEffect, PaymentEvent } from '#domain/plans/payment-event.ts';

/** What is read of a Stripe object, before it has an id and a time. */
export type Reading = Pick<PaymentEvent, 'effect' | 'orderId' | 'checkout' | 'payment'>;

/**
 * What a checkout session says about a payment, whether it came with an event or from a lookup. `client_reference_id`
 * is not read: on a payment link, buyers choose it.
 */
export function readSession(session: Stripe.Checkout.Session, effect: PaymentEffect): Reading {
  const { id, currency, amount_subtotal, amount_total, payment_status } = session;
  return {
    effect,
    orderId: session.metadata?.order_id ?? null,
    checkout: {
      reference: id,
      currency: currency?.toUpperCase() ?? null,
      subtotal: amount_subtotal,
      // `no_payment_required` alone is not a payment: it is also the status of a free trial.
      unpaid: payment_status === 'paid' ? 0 : amount_total,
    },
    payment: idOf(session.payment_intent),
  };
}

/** Whether a session needs no more money. A bank debit or transfer completes it long before the money arrives. */
export function isSettled({ payment_status }: Pick<Stripe.Checkout.Session, 'payment_status'>): boolean {
  return payment_status === 'paid' || payment_status === 'no_payment_required';
}

/** The id of an object that Stripe returns as an id or as a whole. */
export function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null);
}
