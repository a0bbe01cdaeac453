import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { findBillingPortal } from '#accounts/find-billing-portal.ts';
import { isActive, type PlanDefinition, tiersOf } from '#accounts/plans.ts';
import { endOfSecret, type StoredKey, shownPrefix } from '#accounts/stored-key.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Api, always, jsonAnswer, moment, withKey } from '../openapi/api.ts';
import { keyOf, secretOf } from '../request-state.ts';

/** GET /me: what the caller's key includes (contract A9). */
export function handleAccount(deps: AppDeps): RequestHandler {
  return async (_req, res) => {
    const key = keyOf(res);
    res.json(presentAccount(key, secretOf(res), await findBillingPortal(deps, key), deps.now()));
  };
}

export const accountAnswer = (plans: readonly PlanDefinition[]) =>
  z
    .strictObject({
      plan: z.enum(tiersOf(plans)),
      status: z.enum(['active', 'expired']),
      expires_at: moment,
      key_prefix: z.string().describe('The first characters of the key that you send, which identify it.'),
      order_id: z.string().nullable().describe('null if an operator issued the key.'),
      billing_portal_url: z
        .url()
        .nullable()
        .describe('The page where you see your payments and invoices, after a login by email. null without one.'),
      old_key_expires_at: moment
        .optional()
        .describe('Present if the key that you send was replaced: when it stops working, whatever the plan.'),
    })
    .meta({ id: 'Account' });

function presentAccount(
  key: StoredKey,
  secret: string,
  portalUrl: string | null,
  now: Date,
): z.output<ReturnType<typeof accountAnswer>> {
  const { plan, orderId } = key;
  const endsAt = endOfSecret(key, secret);
  return {
    plan: plan.tier,
    status: isActive(plan, now) ? 'active' : 'expired',
    expires_at: plan.expiresAt,
    key_prefix: shownPrefix(key, secret),
    order_id: orderId,
    billing_portal_url: portalUrl,
    ...(endsAt !== null && { old_key_expires_at: endsAt }),
  };
}

const example = {
  plan: 'pro',
  status: 'active',
  expires_at: '2026-12-21T12:00:00.000Z',
  key_prefix: 'mh_4fT9xQ2b',
  order_id: 'ord_1b7c4e0f7d6a4a39a4f5d6c2b8e90a13',
  billing_portal_url: null,
};

export function describeAccount({ plans, problems }: Api): ZodOpenApiOperationObject {
  return {
    operationId: 'readAccount',
    tags: ['Plans'],
    summary: 'Get the plan of your key',
    description:
      'Returns the plan of the key you send, until when it runs, and the order it comes from. Works with an expired plan too.',
    security: withKey,
    responses: {
      200: jsonAnswer('The plan of your key.', accountAnswer(plans), example),
      ...problems([...always, 'key_missing', 'key_invalid']),
    },
  };
}
