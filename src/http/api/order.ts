import type { Request } from 'express';
import { z } from 'zod';
import { type PlanDefinition, tiersOf } from '#accounts/plans.ts';
import { type OrderReading, readOrder } from '#accounts/read-order.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Endpoint, moment } from '../endpoint.ts';
import { rejectValue } from '../parse/faults.ts';
import { readParameters } from '../parse/read-parameters.ts';

const parameters = z.object({
  claim_token: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text !== undefined) return text;
      return rejectValue(context, 'This must be the claim_token from POST /api/v1/checkout.', { code: 'missing' });
    })
    .describe('The claim_token from POST /checkout.'),
});

/** GET /orders/{id}: the order, and the first time after its payment its key (contract A8). */
export function order(deps: AppDeps): Endpoint {
  return {
    operationId: 'readOrder',
    tag: 'Plans',
    summary: 'Get an order (returns the key once)',
    description:
      'Only the first read after the payment includes api_key. HEAD requests and prefetches never claim it. For a pending order, the service asks the payment provider.',
    access: 'open',
    path: z.object({ id: z.string().describe('The order_id from POST /checkout.') }),
    query: parameters,
    answer: { description: 'The order.', schema: orderAnswer(deps.plans), example },
    errors: ['order_not_found'],
    async handle(req, res) {
      const { claim_token: claimToken } = readParameters(req.originalUrl, parameters).values;
      const request = { orderId: req.params.id, claimToken, mayClaim: isSeen(req) };
      res.json(presentOrder(await readOrder(deps, request, deps.now())));
    },
  };
}

/** Headers of requests made ahead of need: the standard one, and older ones. */
const prefetchHeaders = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'];

/** Whether somebody will see the answer's body. */
function isSeen(req: Request<{ id: string }>): boolean {
  return req.method !== 'HEAD' && !prefetchHeaders.some((name) => /prefetch|preview/i.test(req.get(name) ?? ''));
}

const orderAnswer = (plans: readonly PlanDefinition[]) =>
  z
    .strictObject({
      order_id: z.string(),
      status: z.enum(['pending', 'paid', 'refunded', 'expired', 'failed']),
      tier: z.enum(tiersOf(plans)),
      created_at: moment,
      paid_at: moment.nullable(),
      plan_expires_at: moment.nullable(),
      key_claimed_at: moment.nullable().describe('When the key was given out.'),
      renews: z
        .string()
        .nullable()
        .describe(
          'The first characters of the key that the order renews: it never returns an api_key, and plan_expires_at is the end of the key with the days of this order. null for an order with a key of its own.',
        ),
      api_key: z.string().optional().describe('Only in the first answer after the payment. Save it: it is shown once.'),
    })
    .meta({ id: 'Order' });

function presentOrder(reading: OrderReading): z.output<ReturnType<typeof orderAnswer>> {
  const { order, planExpiresAt, renews, apiKey } = reading;
  return {
    order_id: order.id,
    status: order.status,
    tier: order.tier,
    created_at: order.createdAt,
    paid_at: order.paidAt,
    plan_expires_at: planExpiresAt,
    key_claimed_at: order.keyClaimedAt,
    renews,
    ...(apiKey !== null && { api_key: apiKey }),
  };
}

const example = {
  order_id: 'ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13',
  status: 'paid',
  tier: 'pro',
  created_at: '2026-11-21T12:00:00.000Z',
  paid_at: '2026-11-21T12:01:30.000Z',
  plan_expires_at: '2026-12-21T12:01:30.000Z',
  key_claimed_at: '2026-11-21T12:02:00.000Z',
  renews: null,
};
