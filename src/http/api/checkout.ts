import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { Order } from '#accounts/order.ts';
import { claimTokenOf } from '#accounts/pepper.ts';
import { type PlanDefinition, tiersOf } from '#accounts/plans.ts';
import { startCheckout } from '#accounts/start-checkout.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Api, always, jsonAnswer, keyOrNone, ofBodies } from '../openapi/api.ts';
import { idempotencyHeader, readIdempotencyKey } from '../parse/read-idempotency-key.ts';
import { readFields } from '../parse/read-json-body.ts';
import { callerOf } from '../request-state.ts';

const emailMessage = 'email must be a plain email address, such as ada@example.org, or be omitted.';

const buyerEmail = z
  .string(emailMessage)
  .nullish()
  .transform((text, context) => {
    if (text === null || text === undefined || text.trim() === '') return null;
    const read = normalizeEmail(text);
    if ('email' in read && !read.isFirstOfSeveral) return read.email;
    context.addIssue(emailMessage);
    return z.NEVER;
  })
  .meta({
    description:
      "The buyer's email address, for the receipt and for operators to find the order. Null or an empty text counts as absent.",
    // One schema, so that clients written before the field could be null still read it.
    override: ({ jsonSchema }) => {
      delete jsonSchema.anyOf;
      jsonSchema.type = ['string', 'null'];
    },
  });

/** The request body. As in a query, an empty value counts as absent. In JSON, so does null. */
export const checkoutBody = (plans: readonly PlanDefinition[]) =>
  z.strictObject(
    { tier: z.enum(tiersOf(plans)).describe('The plan to buy.'), email: buyerEmail },
    'The body must be a JSON object, such as {"tier":"pro"}.',
  );

/** POST /checkout: creates an order and returns the URL to pay it at (contract A7). */
export function handleCheckout(deps: AppDeps): RequestHandler {
  const schema = checkoutBody(deps.plans);
  return async (req, res) => {
    const idempotencyKey = readIdempotencyKey(req.get('Idempotency-Key'));
    const { tier, email } = readFields(req.body, schema);
    const { key } = callerOf(res);
    const order = await startCheckout(deps, { tier, email, key, idempotencyKey }, deps.now());
    res.json(presentCheckout(order, claimTokenOf(order.id, deps.pepper)));
  };
}

export const checkoutAnswer = z
  .strictObject({
    checkout_url: z.url().describe('The page where the buyer pays.'),
    order_id: z.string(),
    claim_token: z.string().describe('A secret: anyone with it and the order_id can claim the key. Keep both.'),
  })
  .meta({ id: 'Checkout' });

function presentCheckout({ id, checkoutUrl }: Order, claimToken: string): z.output<typeof checkoutAnswer> {
  return { checkout_url: checkoutUrl, order_id: id, claim_token: claimToken };
}

export const exampleCheckout = { tier: 'pro', email: 'ada@example.org' };

const exampleAnswer = {
  checkout_url: 'https://masthead.example/sandbox/ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13',
  order_id: 'ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13',
  claim_token: 'PzSx0yWz0bX6k5Rr2m0bqfQyq3i3xw8o2n9c1t7u4aE',
};

export function describeCheckout({ plans, problems }: Api): ZodOpenApiOperationObject {
  return {
    operationId: 'startCheckout',
    tags: ['Plans'],
    summary: 'Start a checkout',
    description:
      'Send the buyer to checkout_url, then poll the order until it is paid. The first read after the payment returns the key. If you send a key of the same plan, the order renews it instead: the same key goes on, and its plan ends later by the days of the plan, counted from its end, or from the payment if it had ended.',
    security: keyOrNone,
    requestParams: { header: idempotencyHeader },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: checkoutBody(plans), example: exampleCheckout } },
    },
    responses: {
      200: jsonAnswer('The order and its payment page.', checkoutAnswer, exampleAnswer),
      ...problems([...always, ...ofBodies, 'key_invalid', 'idempotency_conflict', 'payment_failed']),
    },
  };
}
