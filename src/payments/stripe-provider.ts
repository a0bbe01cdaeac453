import Stripe from 'stripe';
import type { Order, PaymentEffect, PaymentEvent } from '#accounts/order.ts';
import type { PaymentProvider, UnpaidOrder } from '#accounts/purchase.ts';
import { Problem } from '#src/problem.ts';
import { eventTypes, findSuccess, isSettled, readSession, readStripeEvent } from './read-stripe.ts';

/** How long a checkout can be paid; Stripe allows 30 minutes to 24 hours from now, by its own clock. */
const openMs = 23 * 60 * 60 * 1000;
/** For a lookup while somebody waits for an order. */
const lookup = { timeout: 2_000, maxNetworkRetries: 0 };
/** For the time of a payment; if Stripe does not say in time, that of the lookup counts. */
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

/** What a checkout offers beyond the payment. With a login page of the customer portal, each payment makes a customer. */
interface CheckoutExtras {
  promotionCodes: boolean;
  invoices: boolean;
  automaticTax: boolean;
  portalUrl: string | null;
}

const noExtras: CheckoutExtras = { promotionCodes: false, invoices: false, automaticTax: false, portalUrl: null };

/**
 * `webhookSecret` is what Stripe signs its events under; `publicUrl` where buyers come back to, without a slash at its
 * end; `warn` reports an error to the operator that the buyer need not see.
 */
export function createStripeProvider(
  stripe: Stripe,
  webhookSecret: string,
  publicUrl: string,
  warn: (fields: object, message: string) => void,
  extras = noExtras,
): PaymentProvider {
  return {
    portalUrl: extras.portalUrl,
    isSandbox: false,
    webhook: {
      name: 'stripe',
      title: 'Stripe',
      signatureHeader: 'Stripe-Signature',
      eventTypes,
      read: (body, signature, now) => readStripeEvent(stripe, webhookSecret, body, signature, now),
    },
    async open(order) {
      try {
        const asked = describeSession(order, publicUrl, extras);
        const { id, url } = await stripe.checkout.sessions.create(asked, { idempotencyKey: order.id });
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

  /** When the session was paid; now, which is never too early, if Stripe does not say. */
  async function findTime({ id }: Order, session: Stripe.Checkout.Session, now: Date): Promise<Date> {
    try {
      return (await findSuccess(stripe, session, lookupOfTime)) ?? now;
    } catch (error) {
      warn({ order: id, ...describe(error) }, 'could not ask Stripe when an order was paid');
      return now;
    }
  }
}

/** What a session from a lookup says, as the events would have. */
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

/** The same for one order whenever it is made: Stripe refuses an idempotency key with different parameters. */
function describeSession(
  { id, email, days, currency, price, planTitle, createdAt }: UnpaidOrder,
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
    // Only the order's id: the claim token stays with the buyer, since browsers and proxies keep URLs.
    success_url: `${publicUrl}/claim?order_id=${id}`,
    cancel_url: `${publicUrl}/`,
    expires_at: Math.floor((Date.parse(createdAt) + openMs) / 1000),
  };
}

/** What went wrong, without secrets and without anything from the buyer: Stripe's messages repeat both. */
function describe(error: unknown): object {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  const { type, code, param, statusCode, requestId } = error;
  return { reason: type, code, param, status: statusCode, stripe_request: requestId };
}

function toProblem(error: unknown): Problem {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param === 'customer_email') {
    const message = 'The payment provider does not accept this address. Use another one, or omit it.';
    return new Problem('invalid_request', 'Invalid in this request: email. See errors for details.', {
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
