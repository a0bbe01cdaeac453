import type Stripe from 'stripe';
import type { PaymentEffect, PaymentEvent } from '#domain/plans/payment-event.ts';
import { Problem } from '#domain/problem.ts';

/** How old a signature may be, in seconds: what Stripe itself advises. */
const toleranceSeconds = 300;

/**
 * What an event that Stripe sent says of a payment; null for a type that says nothing of one.
 *
 * @param body the request's body as it came, which is what Stripe signed
 * @throws Problem `invalid_request` where the signature is missing, wrong or older than five minutes.
 */
export function readStripeEvent(
  stripe: Stripe,
  webhookSecret: string,
  body: Buffer,
  signature: string,
  now: Date,
): PaymentEvent | null {
  const event = verify(stripe, webhookSecret, body, signature, now);
  const reading = interpret(event);
  if (reading === null) return null;
  return { id: event.id, at: new Date(event.created * 1000).toISOString(), ...reading };
}

function verify(stripe: Stripe, secret: string, body: Buffer, signature: string, now: Date): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now.getTime());
  } catch (cause) {
    throw new Problem(
      'invalid_request',
      'This is no event that Stripe signed for this endpoint within the last five minutes.',
      {
        errors: [
          {
            in: 'header',
            name: 'Stripe-Signature',
            code: 'invalid',
            message: 'Right is the signature of exactly this body under the signing secret of this endpoint.',
          },
        ],
      },
      { cause },
    );
  }
}

type Reading = Pick<PaymentEvent, 'effect' | 'orderId' | 'payment'>;

function interpret(event: Stripe.Event): Reading | null {
  switch (event.type) {
    case 'checkout.session.completed':
      return readSession(event.data.object, isPaid(event.data.object) ? 'paid' : 'none');
    case 'checkout.session.async_payment_succeeded':
      return readSession(event.data.object, 'paid');
    case 'checkout.session.async_payment_failed':
      return readSession(event.data.object, 'failed');
    case 'checkout.session.expired':
      return readSession(event.data.object, 'expired');
    case 'charge.refunded': {
      const { refunded, metadata, payment_intent } = event.data.object;
      return {
        effect: refunded ? 'refunded' : 'none',
        orderId: metadata?.order_id ?? null,
        payment: idOf(payment_intent),
      };
    }
    case 'charge.dispute.created': {
      const { metadata, payment_intent } = event.data.object;
      return { effect: 'disputed', orderId: metadata?.order_id ?? null, payment: idOf(payment_intent) };
    }
    default:
      return null;
  }
}

function readSession(session: Stripe.Checkout.Session, effect: PaymentEffect): Reading {
  return {
    effect,
    orderId: session.metadata?.order_id ?? session.client_reference_id,
    payment: idOf(session.payment_intent),
  };
}

/** A payment by bank debit or transfer completes the checkout long before the money is there. */
export function isPaid({ payment_status }: Stripe.Checkout.Session): boolean {
  return payment_status === 'paid' || payment_status === 'no_payment_required';
}

/** The id of an object that Stripe gives as an id or whole. */
export function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null);
}
