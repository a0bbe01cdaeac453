import { z } from 'zod';
import { claimTokenOf } from '#accounts/pepper.ts';
import { type PlanDefinition, tiersOf } from '#accounts/plans.ts';
import { startCheckout } from '#accounts/start-checkout.ts';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { callerOf } from '../endpoint.ts';
import { idempotencyHeader, readFields, readIdempotencyKey } from '../parse/read-body.ts';

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
  .describe(
    "The buyer's email address, for the receipt and for operators to find the order. Null or an empty text counts as absent.",
  );

/** The request body. As in a query, an empty value counts as absent. In JSON, so does null. */
const checkoutBody = (plans: readonly PlanDefinition[]) =>
  z.strictObject(
    { tier: z.enum(tiersOf(plans)).describe('The plan to buy.'), email: buyerEmail },
    'The body must be a JSON object, such as {"tier":"pro"}.',
  );

/** POST /checkout: creates an order and returns the URL to pay it at (contract A7). */
export function checkout(deps: AppDeps): Endpoint {
  const schema = checkoutBody(deps.plans);
  return {
    operationId: 'startCheckout',
    tag: 'Plans',
    summary: 'Start a checkout',
    description:
      'Send the buyer to checkout_url, then poll the order until it is paid. The first read after the payment returns the key. If you send a key of the same plan, the order renews it instead: the same key goes on, and its plan ends later by the days of the plan, counted from its end, or from the payment if it had ended.',
    access: 'key or none',
    headers: idempotencyHeader,
    body: { schema, example: { tier: 'pro', email: 'ada@example.org' }, maxKilobytes: 16 },
    answer: {
      description: 'The order and its payment page.',
      schema: checkoutAnswer,
      example: {
        checkout_url: 'https://masthead.example/sandbox/ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13',
        order_id: 'ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13',
        claim_token: 'PzSx0yWz0bX6k5Rr2m0bqfQyq3i3xw8o2n9c1t7u4aE',
      },
    },
    errors: ['idempotency_conflict', 'payment_failed'],
    async handle(req, res) {
      const idempotencyKey = readIdempotencyKey(req);
      const { tier, email } = readFields(req.body, schema);
      const { key } = callerOf(res);
      const order = await startCheckout(deps, { tier, email, key, idempotencyKey }, deps.now());
      const answer: z.output<typeof checkoutAnswer> = {
        checkout_url: order.checkoutUrl,
        order_id: order.id,
        claim_token: claimTokenOf(order.id, deps.pepper),
      };
      res.json(answer);
    },
  };
}

const checkoutAnswer = z
  .strictObject({
    checkout_url: z.url().describe('The page where the buyer pays.'),
    order_id: z.string(),
    claim_token: z.string().describe('A secret: anyone with it and the order_id can claim the key. Keep both.'),
  })
  .meta({ id: 'Checkout' });
