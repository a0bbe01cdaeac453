import Stripe from 'stripe';
import type { Order, PaymentEffect, PaymentEvent } from '#accounts/order.ts';
import type { PaymentProvider, UnpaidOrder } from '#accounts/purchase.ts';
import { messageOf, Problem } from '#src/problem.ts';
import { eventTypes, findSuccess, isSettled, readSession, readStripeEvent } from './read-stripe.ts';

/** How long a checkout can be paid. Stripe allows 30 minutes to 24 hours by its own clock, which may differ from ours. */
const openMs = 23 * 60 * 60 * 1000;
/** Somebody waits for the answer of a lookup, so it is short and not repeated. */
const lookup = { timeout: 2_000, maxNetworkRetries: 0 };
/** For finding out when an order was paid. If Stripe does not answer in time, the time of the lookup is used. */
const lookupOfTime = { timeout: 1_000, maxNetworkRetries: 0 };

/** A Stripe client with the API version that this code was written for. Idempotency keys make its retries safe. */
export function createStripeClient(secretKey: string, apiBase: string | null, attemptMs = 6_000): Stripe {
  const { protocol, hostname: host, port } = new URL(apiBase ?? 'https://api.stripe.com');
  const isSecure = protocol === 'https:';
  return new Stripe(secretKey, {
    apiVersion: '2026-10-28.endive',
    timeout: attemptMs,
    maxNetworkRetries: 2,
    telemetry: false,
    protocol: isSecure ? 'https' : 'http',
    host,
    port: port || (isSecure ? '443' : '80'),
  });
}

/** What a checkout offers beyond the payment. With a `portalUrl`, each payment creates a Stripe customer. */
interface CheckoutExtras {
  promotionCodes: boolean;
  invoices: boolean;
  automaticTax: boolean;
  portalUrl: string | null;
}

const noExtras: CheckoutExtras = { promotionCodes: false, invoices: false, automaticTax: false, portalUrl: null };

interface StripeDeps {
  stripe: Stripe;
  /** With which Stripe signs its events. */
  webhookSecret: string;
  /** To which buyers return, without a slash at its end. */
  publicUrl: string;
  extras?: CheckoutExtras;
  /** Tells the operator of an error that the buyer need not see. */
  warn: (fields: object, message: string) => void;
}

export function createStripeProvider({
  stripe,
  webhookSecret,
  publicUrl,
  extras = noExtras,
  warn,
}: StripeDeps): PaymentProvider {
  return {
    portalUrl: extras.portalUrl,
    isSandbox: false,
    webhook: {
      name: 'stripe',
      title: 'Stripe',
      signatureHeader: 'Stripe-Signature',
      eventTypes,
      read: (body, signature, now) => readStripeEvent({ stripe, webhookSecret }, { body, signature }, now),
    },
    async open(order) {
      try {
        const session = describeSession(order, publicUrl, extras);
        const { id, url } = await stripe.checkout.sessions.create(session, { idempotencyKey: order.id });
        if (url) return { url, reference: id };
      } catch (error) {
        throw toProblem(error);
      }
      throw toProblem(new Error('Stripe returned a checkout session without a URL.'));
    },
    async look(order, now) {
      try {
        const expand = ['payment_intent.latest_charge'];
        const session = await stripe.checkout.sessions.retrieve(order.checkoutReference, { expand }, lookup);
        return readNews(order, session, now, isSettled(session) ? await findTime(order, session, now) : now);
      } catch (error) {
        warn({ order: order.id, ...describe(error) }, 'could not ask Stripe about an order');
        return [];
      }
    },
  };

  /** When the session was paid. If Stripe does not say, now: a payment must never be dated too early. */
  async function findTime({ id }: Order, session: Stripe.Checkout.Session, now: Date): Promise<Date> {
    try {
      return (await findSuccess(stripe, session, lookupOfTime)) ?? now;
    } catch (error) {
      warn({ order: id, ...describe(error) }, 'could not ask Stripe when an order was paid');
      return now;
    }
  }
}

/** Makes of a session from a lookup the same events that the webhook would have received. */
function readNews({ id: orderId }: Order, session: Stripe.Checkout.Session, now: Date, paidAt: Date): PaymentEvent[] {
  const news = (effect: PaymentEffect, at = now): PaymentEvent => ({
    ...readSession(session, effect),
    id: `look_${orderId}_${effect}`,
    orderId,
    at: at.toISOString(),
  });
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null;
  const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null;
  if (isSettled(session)) {
    return [
      news('paid', paidAt),
      ...(charge?.refunded ? [{ ...news('refunded'), checkout: null }] : []),
      ...(charge?.disputed ? [{ ...news('disputed'), checkout: null }] : []),
    ];
  }
  if (session.status === 'expired') return [news('expired')];
  const hasFailed = intent?.status === 'requires_payment_method' || intent?.status === 'canceled';
  return session.status === 'complete' && hasFailed ? [news('failed')] : [];
}

/** The parameters depend on the order alone, because Stripe refuses a repeated idempotency key with other parameters. */
function describeSession(
  { id, email, days, currency, price, planTitle, returnUrl, createdAt }: UnpaidOrder,
  publicUrl: string,
  { promotionCodes, invoices, automaticTax, portalUrl }: CheckoutExtras,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { order_id: id };
  const product_data = { name: `Masthead ${planTitle}, ${days} days` };
  return {
    mode: 'payment',
    client_reference_id: id,
    metadata,
    // Refunds and disputes name the payment, not the checkout.
    payment_intent_data: { metadata },
    line_items: [{ quantity: 1, price_data: { currency: currency.toLowerCase(), unit_amount: price, product_data } }],
    ...(email !== null && { customer_email: email }),
    // Discounts and taxes change the total; a payment is matched by its subtotal (contract A10).
    ...(promotionCodes && { allow_promotion_codes: true }),
    ...(automaticTax && { automatic_tax: { enabled: true } }),
    ...(invoices && { invoice_creation: { enabled: true } }),
    ...(portalUrl !== null && { customer_creation: 'always' }),
    // Without the claim token, which is a secret: browsers and proxies keep URLs.
    success_url: returnUrl ?? `${publicUrl}/claim?order_id=${id}`,
    cancel_url: returnUrl ?? `${publicUrl}/`,
    expires_at: Math.floor((Date.parse(createdAt) + openMs) / 1000),
  };
}

/** What went wrong, for the log. Leaves out Stripe's messages, because they repeat secrets and what the buyer entered. */
function describe(error: unknown): object {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return { reason: messageOf(error) };
  }
  const { type, code, param, statusCode, requestId } = error;
  return { reason: type, code, param, status: statusCode, stripe_request: requestId };
}

function toProblem(error: unknown): Problem {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'customer_email') {
    const message = 'The payment provider does not accept this address. Use another one, or omit it.';
    return new Problem('invalid_request', `email: ${message}`, {
      errors: [{ in: 'body', name: 'email', code: 'invalid', message }],
    });
  }
  return new Problem(
    'payment_failed',
    'The payment provider could not start the payment. Nothing was ordered; try again in a moment.',
    {},
    { cause: new Error(JSON.stringify(describe(error))) },
  );
}
