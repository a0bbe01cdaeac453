import type { Request } from 'express';
import { z } from 'zod';
import { type Order, orderStatuses } from '#accounts/order.ts';
import { claimTokenOf } from '#accounts/pepper.ts';
import { type Offer, type PlanDefinition, type Right, tiersOf } from '#accounts/plans.ts';
import { ordersOf, readOrder, receivePayment, startCheckout, type Webhook } from '#accounts/purchase.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { countOf } from '#text/printed.ts';
import { answerObject, moment } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Endpoint, ofOwnKey } from '../endpoint.ts';
import examples from '../examples.json' with { type: 'json' };
import { andWords, listWords, rejectValue } from '../parse/faults.ts';
import { choice, idempotencyHeader, readFields, readIdempotencyKey, textOf } from '../parse/read-body.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { callerOf, keyOf, stateOf } from '../request-state.ts';

type PlansDeps = Pick<AppDeps, 'plans' | 'formats' | 'leadTools' | 'rateLimits'>;

export function plans(deps: PlansDeps): Endpoint {
  const answer = presentPlans(deps);
  return {
    operationId: 'listPlans',
    access: 'key or none',
    scope: 'any',
    answer: { schema: plansAnswer(deps.plans) },
    handle: (_req, res) => void res.json(answer),
  };
}

const plansAnswer = (plans: readonly PlanDefinition[]) =>
  answerObject('Plans', {
    plans: z.array(
      answerObject('Plan', {
        tier: z.enum(tiersOf(plans)),
        price: z.int().min(1).describe('In minor units of the currency, such as cents.'),
        currency: z.string().length(3).describe('ISO 4217.'),
        days: z.int().min(1).describe('Days the plan runs from its payment.'),
        includes: z.array(z.string()),
      }),
    ),
  });

const describeLimit = (perMinute: number) => `${countOf(perMinute, 'request')} a minute`;

export function presentPlans(deps: PlansDeps): z.output<ReturnType<typeof plansAnswer>> {
  return {
    plans: deps.plans.map(({ tier, price, currency, days, rights }: Offer) => {
      const includes = [
        'full email addresses in search, and lists of your own',
        ...rights.map((right) => describeRight(right, deps)),
        describeLimit(deps.rateLimits[tier] ?? deps.rateLimits.anonymous),
      ];
      return { tier, price, currency, days, includes };
    }),
  };
}

function describeRight(right: Right, { formats, leadTools }: PlansDeps): string {
  const listTitles = (things: readonly { title: string }[]) => andWords.format(things.map(({ title }) => title));
  const files = formats.filter(({ needsAddress }) => !needsAddress);
  const forTools = formats.filter(({ needsAddress }) => needsAddress);
  switch (right) {
    case 'export_outlets':
      return `outlets as ${listTitles(formats.filter((format) => format.right === right))}`;
    case 'export_all':
      return `outlets, podcasts and newsletters as ${listTitles(files)} and for ${listTitles(forTools)}`;
    case 'push':
      return `pushing leads to ${listTitles(leadTools)} campaigns`;
  }
}

const emailMessage = 'email must be a plain email address, such as ada@example.org, or be omitted.';

const buyerEmail = z
  .string(emailMessage)
  .nullish()
  .transform((text, context) => {
    if (!text?.trim()) return null;
    const result = normalizeEmail(text);
    if ('email' in result && !result.isFirstOfSeveral) return result.email;
    context.addIssue(emailMessage);
    return z.NEVER;
  })
  .describe(
    "The buyer's email address, for the receipt and for operators to find the order. Null or an empty text counts as absent.",
  );

const maxReference = 200;
const referenceMessage = `reference must be a text of at most ${maxReference} characters.`;

const buyerReference = textOf(maxReference, referenceMessage)
  .nullish()
  .transform((text) => text || null)
  .describe('What your software calls the order: the order has it. Null or an empty text counts as absent.');

const maxUrl = 2_000;

/** A page at one of these URLs, or below it. */
function pageBelow(bases: readonly string[]) {
  const message = `return_url must be an http(s) URL of at most ${maxUrl} characters at ${listWords(bases)}.`;
  return z
    .string(message)
    .nullish()
    .transform((text, context) => {
      if (!text?.trim()) return null;
      const url = URL.parse(text.trim());
      const isBelow = url !== null && bases.some((base) => `${url.origin}${url.pathname}/`.startsWith(`${base}/`));
      if (isBelow && !url.username && !url.password && url.href.length <= maxUrl) return url.href;
      context.addIssue(message);
      return z.NEVER;
    })
    .describe(
      'The page that the buyer returns to, paid or not: at this service, or at an origin that its operator allows. Absent: the page that shows the key.',
    );
}

export function checkout(deps: AppDeps): Endpoint {
  const schema = z.strictObject(
    {
      tier: choice(tiersOf(deps.plans)).describe('The plan to buy.'),
      email: buyerEmail,
      return_url: pageBelow([deps.publicUrl, ...deps.returnOrigins]),
      reference: buyerReference,
    },
    'The body must be a JSON object, such as {"tier":"pro"}.',
  );
  return {
    operationId: 'startCheckout',
    access: 'key or none',
    scope: 'own key',
    headers: idempotencyHeader,
    body: { schema, example: { tier: 'pro', email: 'ada@example.org' }, maxKilobytes: 16 },
    answer: {
      schema: checkoutAnswer,
      example: examples.checkout,
    },
    errors: ['not_found', 'idempotency_conflict', 'payment_failed'],
    async handle(req, res) {
      const idempotencyKey = readIdempotencyKey(req);
      const { key } = callerOf(res);
      const { return_url: returnUrl, ...fields } = readFields(req.body, schema);
      const request = { ...fields, returnUrl, key, idempotencyKey };
      const { checkoutUrl, id } = await startCheckout(deps, request, deps.now());
      res.json({ checkout_url: checkoutUrl, order_id: id, claim_token: claimTokenOf(id, deps.pepper) });
    },
  };
}

const checkoutAnswer = answerObject('Checkout', {
  checkout_url: z.url().describe('The page where the buyer pays.'),
  order_id: z.string(),
  claim_token: z.string().describe('A secret: anyone with it and the order_id can claim the key. Keep both.'),
});

const orderParameters = z.object({
  claim_token: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text !== undefined) return text;
      return rejectValue(context, 'This must be the claim_token from POST /api/v1/checkout.', { code: 'missing' });
    })
    .describe('The claim_token from POST /checkout.'),
});

export function order(deps: AppDeps): Endpoint {
  return {
    operationId: 'readOrder',
    access: 'open',
    path: z.object({ id: z.string().describe('The order_id from POST /checkout.') }),
    query: orderParameters,
    answer: { schema: orderAnswer(deps.plans) },
    errors: ['order_not_found'],
    async handle(req, res) {
      const { claim_token: claimToken } = readParameters(req.originalUrl, orderParameters).values;
      const request = { orderId: req.params.id, claimToken, mayClaim: isSeen(req) };
      const { order, planExpiresAt, renews, apiKey } = await readOrder(deps, request, deps.now());
      const answer: z.output<ReturnType<typeof orderAnswer>> = {
        ...presentOrder(order),
        plan_expires_at: planExpiresAt,
        key_claimed_at: order.keyClaimedAt,
        renews,
        ...(apiKey !== null && { api_key: apiKey }),
      };
      res.json(answer);
    },
  };
}

/** The orders that made and renewed a key: what `/account` shows of them. */
export function myOrders({ orders, plans }: AppDeps): Endpoint {
  return {
    operationId: 'listOrders',
    ...ofOwnKey,
    answer: { schema: answerObject('Orders', { orders: z.array(answerObject('OrderLine', orderLine(plans))) }) },
    async handle(_req, res) {
      res.json({ orders: (await ordersOf(orders, keyOf(res))).map(presentOrder) });
    },
  };
}

function presentOrder(order: Order) {
  return {
    order_id: order.id,
    status: order.status,
    tier: order.tier,
    price: order.price,
    currency: order.currency,
    created_at: order.createdAt,
    paid_at: order.paidAt,
    reference: order.reference ?? null,
  };
}

const orderLine = (plans: readonly PlanDefinition[]) => ({
  order_id: z.string(),
  status: z.enum(orderStatuses),
  tier: z.enum(tiersOf(plans)),
  price: z.int().describe('In minor units of the currency, before discounts and taxes.'),
  currency: z.string().length(3).describe('ISO 4217.'),
  created_at: moment,
  paid_at: moment.nullable(),
  reference: z.string().nullable().describe('The reference from POST /checkout.'),
});

/** Headers of requests made ahead of need: the standard one, and older ones. */
const prefetchHeaders = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];

function isSeen(req: Request<{ id: string }>): boolean {
  return req.method !== 'HEAD' && !prefetchHeaders.some((name) => /prefetch|preview/i.test(req.get(name) ?? ''));
}

const orderAnswer = (plans: readonly PlanDefinition[]) =>
  answerObject('Order', {
    ...orderLine(plans),
    plan_expires_at: moment.nullable(),
    key_claimed_at: moment.nullable().describe('When the key was given out.'),
    renews: z
      .string()
      .nullable()
      .describe(
        'The first characters of the key that the order renews or raises: it never returns an api_key, and plan_expires_at is the end of the key with the days of this order. null for an order with a key of its own.',
      ),
    api_key: z.string().optional().describe('Only in the first answer after the payment. Save it: it is shown once.'),
  });

/** POST /webhooks/{provider} (contract A10): applies an event once, then answers 200, as providers repeat others. */
export function paymentEvent({ orders, mails, log, now }: AppDeps, webhook: Webhook): Endpoint {
  const { name, title, signatureHeader, eventTypes } = webhook;
  return {
    operationId: 'receive{title}Event',
    facts: { title, name, types: eventTypes.map((type) => `\`${type}\``).join(', ') },
    access: 'open',
    query: 'ignored',
    headers: z.object({
      [signatureHeader]: z
        .string()
        .optional()
        .describe(`${title}'s signature, made with the secret of the endpoint. Without a valid one the answer is 400.`),
    }),
    body: {
      schema: z
        .looseObject({ id: z.string(), type: z.string() })
        .describe("An event as the payment provider writes it. Further keys are the provider's own."),
      example: { id: 'evt_1PgafmB7WZ01zgkW6dKueIc5', type: 'checkout.session.completed' },
      maxKilobytes: 1024,
      isRaw: true,
    },
    answer: { schema: z.strictObject({ outcome: z.enum(['handled', 'repeated', 'held', 'ignored']) }) },
    async handle(req, res) {
      // A request without a body has nothing that could be signed.
      const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const event = webhook.read(bytes, req.get(signatureHeader) ?? '', now());
      const deps = { orders, mails, log: log.child({ request_id: stateOf(res).requestId }) };
      res.json({ outcome: event === null ? 'ignored' : await receivePayment(deps, event, now()) });
    },
  };
}
