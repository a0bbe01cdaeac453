import type Stripe from 'stripe';
import type { PaymentEffect, PaymentEvent } from '#accounts/order.ts';
import { Problem } from '#src/problem.ts';

/** What a Stripe object says of a payment. With an id and a time, it becomes a PaymentEvent. */
export type Reading = Pick<PaymentEvent, 'effect' | 'orderId' | 'checkout' | 'payment' | 'customer'>;

/**
 * Reads a checkout session, from an event or from a lookup. Ignores `client_reference_id`, because on a payment link buyers
 * can choose it.
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
    customer: idOf(session.customer),
  };
}

/** Whether a session needs no more money. A bank debit or transfer completes it long before the money arrives. */
export function isSettled({ payment_status }: Pick<Stripe.Checkout.Session, 'payment_status'>): boolean {
  return payment_status === 'paid' || payment_status === 'no_payment_required';
}

/** The id of something that Stripe returns either as an id or as a whole object. */
export function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null);
}

/** The events that report a paid checkout. A bank debit or transfer is reported later than other payments. */
const successTypes = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];

/**
 * When a paid session was paid: the time of the event that reports it. No field of Stripe's objects has this time: a charge
 * is created when a payment starts, and a bank debit succeeds days later (decisions/0012). Null if the event is not among
 * the newest 100 of its types, or is older than the 30 days for which Stripe keeps events.
 */
export async function findSuccess(
  stripe: Stripe,
  { id, created }: Pick<Stripe.Checkout.Session, 'id' | 'created'>,
  options: Stripe.RequestOptions,
): Promise<Date | null> {
  const { data: newestFirst } = await stripe.events.list(
    { types: successTypes, created: { gte: created }, limit: 100 },
    options,
  );
  const moments = newestFirst.flatMap(({ created: at, data }) => {
    const session = data.object as Stripe.Checkout.Session;
    return session.id === id && isSettled(session) ? [at] : [];
  });
  return moments.length === 0 ? null : new Date(Math.min(...moments) * 1000);
}

/** The types of events that the webhook must receive: those that `interpret` understands. */
export const eventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'charge.dispute.created',
] as const satisfies Stripe.Event['type'][];

/** Maximum age of a signature in seconds: Stripe's own recommendation. */
const toleranceSeconds = 300;

/**
 * Checks and reads an event that Stripe sent; null if its type says nothing of a payment. `body` must be the bytes as they
 * came. Throws Problem `invalid_request` if their signature is missing, wrong or older than five minutes.
 */
export function readStripeEvent(
  { stripe, webhookSecret }: { stripe: Stripe; webhookSecret: string },
  { body, signature }: { body: Buffer; signature: string },
  now: Date,
): PaymentEvent | null {
  let event: Stripe.Event;
  try {
    event = stripe.webhooks.constructEvent(body, signature, webhookSecret, toleranceSeconds, undefined, now.getTime());
  } catch (cause) {
    const detail = 'Stripe did not sign this event for this endpoint within the last five minutes.';
    const message = 'The signature must be made over exactly this body with the signing secret of this endpoint.';
    const errors = [{ in: 'header', name: 'Stripe-Signature', code: 'invalid', message }] as const;
    throw new Problem('invalid_request', detail, { errors }, { cause });
  }
  const reading = interpret(event);
  return reading && { id: event.id, at: new Date(event.created * 1000).toISOString(), ...reading };
}

function interpret(event: Stripe.Event): Reading | null {
  switch (event.type) {
    case 'checkout.session.completed':
      return readSession(event.data.object, isSettled(event.data.object) ? 'paid' : 'none');
    case 'checkout.session.async_payment_succeeded':
      return readSession(event.data.object, 'paid');
    case 'checkout.session.async_payment_failed':
      return readSession(event.data.object, 'failed');
    case 'checkout.session.expired':
      return readSession(event.data.object, 'expired');
    case 'charge.refunded':
      return readCharge(event.data.object, event.data.object.refunded ? 'refunded' : 'none');
    case 'charge.dispute.created':
      return readCharge(event.data.object, 'disputed');
    default:
      return null;
  }
}

function readCharge({ metadata, payment_intent }: Stripe.Charge | Stripe.Dispute, effect: PaymentEffect): Reading {
  return { effect, orderId: metadata?.order_id ?? null, checkout: null, payment: idOf(payment_intent), customer: null };
}
