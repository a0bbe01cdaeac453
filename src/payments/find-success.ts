import type Stripe from 'stripe';
import { isSettled } from './read-session.ts';

/** The events that report a paid checkout: immediately, or later for a bank debit or transfer. */
const successTypes = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];
/** The maximum per request. */
const maxEvents = 100;

/**
 * When a paid session was paid: the time of the event that reports the payment. No field of Stripe's objects has it: a
 * charge and its balance transaction are created when a payment starts, which for a bank debit is days before it
 * succeeds (decisions/0044). Null if the event is not among the newest 100 of its types, or is older than the 30 days
 * that Stripe keeps events.
 */
export async function findSuccess(
  stripe: Stripe,
  { id, created }: Pick<Stripe.Checkout.Session, 'id' | 'created'>,
  options: Stripe.RequestOptions,
): Promise<Date | null> {
  const { data: newestFirst } = await stripe.events.list(
    { types: successTypes, created: { gte: created }, limit: maxEvents },
    options,
  );
  const moments = newestFirst.flatMap(({ created: at, data }) => {
    const session = data.object as Stripe.Checkout.Session;
    return session.id === id && isSettled(session) ? [at] : [];
  });
  return moments.length === 0 ? null : new Date(Math.min(...moments) * 1000);
}
