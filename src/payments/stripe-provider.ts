import Stripe from 'stripe';
import type { Order, PaymentEffect, PaymentEvent } from '#accounts/order.ts';
import type { Checkout, PaymentProvider, UnpaidOrder, Webhook } from '#accounts/purchase.ts';
import { Problem } from '#src/problem.ts';
import { eventTypes, findSuccess, isSettled, readSession, readStripeEvent } from './read-stripe.ts';

/** Timeout of one attempt in milliseconds, and the number of retries, which idempotency keys make safe. */
const maxAttemptMs = 6_000;
const retries = 2;
/** The same for a lookup while somebody waits for an order: retried only once, if a connection was cut. */
const lookMs = 2_000;
/** How long to look up the time of a payment; without an answer the time of the lookup is used. */
const successMs = 1_000;

/** How long a checkout can be paid; Stripe allows 30 minutes to 24 hours from now, by its own clock. */
const openMs = 23 * 60 * 60 * 1000;

/** A Stripe client with the API version that this code was written for. */
export function createStripeClient(
  secretKey: string,
  apiBase: string | null,
  attemptMs: number = maxAttemptMs,
): Stripe {
  const base = apiBase === null ? null : new URL(apiBase);
  return new Stripe(secretKey, {
    apiVersion: '2026-10-28.endive',
    timeout: attemptMs,
    maxNetworkRetries: retries,
    telemetry: false,
    ...(base && {
      protocol: base.protocol === 'https:' ? 'https' : 'http',
      host: base.hostname,
      port: base.port || (base.protocol === 'https:' ? '443' : '80'),
    }),
  });
}

/** Reports an error to the operator that the buyer need not see. */
type Warn = (fields: object, message: string) => void;

/** What a checkout offers beyond the payment. */
interface CheckoutExtras {
  promotionCodes: boolean;
  invoices: boolean;
  automaticTax: boolean;
  /** The login page of the customer portal. With it, each payment makes a customer, who can log in there. */
  portalUrl: string | null;
}

const noExtras: CheckoutExtras = { promotionCodes: false, invoices: false, automaticTax: false, portalUrl: null };

/** Payments through Stripe Checkout. */
export class StripeProvider implements PaymentProvider {
  readonly webhook: Webhook;
  readonly isSandbox = false;
  readonly portalUrl: string | null;
  readonly #stripe: Stripe;
  readonly #publicUrl: string;
  readonly #warn: Warn;
  readonly #extras: CheckoutExtras;

  /**
   * @param webhookSecret under which Stripe signs its events
   * @param publicUrl where buyers come back to, without a slash at its end
   */
  constructor(stripe: Stripe, webhookSecret: string, publicUrl: string, warn: Warn, extras = noExtras) {
    this.webhook = {
      name: 'stripe',
      title: 'Stripe',
      signatureHeader: 'Stripe-Signature',
      eventTypes,
      read: (body, signature, now) => readStripeEvent(stripe, webhookSecret, body, signature, now),
    };
    this.#stripe = stripe;
    this.#publicUrl = publicUrl;
    this.#warn = warn;
    this.#extras = extras;
    this.portalUrl = extras.portalUrl;
  }

  async open(order: UnpaidOrder): Promise<Checkout> {
    try {
      const { id, url } = await this.#stripe.checkout.sessions.create(this.#sessionOf(order), {
        idempotencyKey: order.id,
      });
      if (url) return { url, reference: id };
    } catch (error) {
      throw toProblem(error);
    }
    throw toProblem(new Error('Stripe returned a checkout session without a URL.'));
  }

  async look(order: Order, now: Date): Promise<PaymentEvent[]> {
    try {
      const session = await this.#stripe.checkout.sessions.retrieve(
        order.checkoutReference,
        { expand: ['payment_intent.latest_charge'] },
        { timeout: lookMs, maxNetworkRetries: 0 },
      );
      return await this.#readNews(order.id, session, now);
    } catch (error) {
      this.#warn({ order: order.id, ...describe(error) }, 'could not ask Stripe about an order');
      return [];
    }
  }

  /** What a session from a lookup says, as the events would have. */
  async #readNews(orderId: string, session: Stripe.Checkout.Session, now: Date): Promise<PaymentEvent[]> {
    const news = (effect: PaymentEffect, at: Date): PaymentEvent => ({
      ...readSession(session, effect),
      id: `look_${orderId}_${effect}`,
      orderId,
      at: at.toISOString(),
    });
    const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null;
    const charge = typeof intent?.latest_charge === 'object' ? intent.latest_charge : null;
    if (isSettled(session)) {
      const ofPayment = (effect: PaymentEffect): PaymentEvent => ({ ...news(effect, now), checkout: null });
      return [
        news('paid', await this.#findSuccess(orderId, session, now)),
        ...(charge?.refunded ? [ofPayment('refunded')] : []),
        ...(charge?.disputed ? [ofPayment('disputed')] : []),
      ];
    }
    if (session.status === 'expired') return [news('expired', now)];
    const hasFailed = intent?.status === 'requires_payment_method' || intent?.status === 'canceled';
    return session.status === 'complete' && hasFailed ? [news('failed', now)] : [];
  }

  /** When the session was paid; now, which is never too early, if Stripe does not say. */
  async #findSuccess(orderId: string, session: Stripe.Checkout.Session, now: Date): Promise<Date> {
    try {
      const options = { timeout: successMs, maxNetworkRetries: 0 };
      return (await findSuccess(this.#stripe, session, options)) ?? now;
    } catch (error) {
      this.#warn({ order: orderId, ...describe(error) }, 'could not ask Stripe when an order was paid');
      return now;
    }
  }

  /** The same for one order whenever it is made: Stripe refuses an idempotency key with different parameters. */
  #sessionOf(order: UnpaidOrder): Stripe.Checkout.SessionCreateParams {
    const metadata = { order_id: order.id };
    const { promotionCodes, invoices, automaticTax, portalUrl } = this.#extras;
    const name = `Masthead ${order.planTitle}, ${order.days} days`;
    return {
      mode: 'payment',
      client_reference_id: order.id,
      metadata,
      // Refunds and disputes name the payment, not the checkout.
      payment_intent_data: { metadata },
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: order.currency.toLowerCase(),
            unit_amount: order.price,
            product_data: { name },
          },
        },
      ],
      ...(order.email !== null && { customer_email: order.email }),
      // Discounts and taxes change the total; a payment is matched by its subtotal (contract A10).
      ...(promotionCodes && { allow_promotion_codes: true }),
      ...(automaticTax && { automatic_tax: { enabled: true } }),
      ...(invoices && { invoice_creation: { enabled: true } }),
      ...(portalUrl !== null && { customer_creation: 'always' }),
      // Only the order's id: the claim token stays with the buyer, since browsers and proxies keep URLs.
      success_url: `${this.#publicUrl}/claim?order_id=${order.id}`,
      cancel_url: `${this.#publicUrl}/`,
      expires_at: Math.floor((Date.parse(order.createdAt) + openMs) / 1000),
    };
  }
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
