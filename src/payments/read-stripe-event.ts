import type Stripe from 'stripe';
import type { PaymentEffect, PaymentEvent } from '#domain/plans/payment-event.ts';
import { Problem } from '#domain/problem.ts';
import { idOf, isSettled, type Reading, readSession } from './read-session.ts';

/** Maximum age of a signature in seconds: Stripe's own recommendation. */
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
      'Stripe did not sign this event for this endpoint within the last five minutes.',
      {
        errors: [
          {
            in: 'header',
            name: 'Stripe-Signature',
            code: 'invalid',
            message: 'The signature must be made over exactly this body with the signing secret of this endpoint.',
          },
        ],
      },
      { cause },
    );
  }
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
  return { effect, orderId: metadata?.order_id ?? null, checkout: null, payment: idOf(payment_intent) };
}
