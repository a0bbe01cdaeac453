import { z } from 'zod';
import { scopes } from '#accounts/further-key.ts';
import * as keys from '#accounts/keys.ts';
import { isActive, type PlanDefinition, tiersOf } from '#accounts/plans.ts';
import { findBillingPortal } from '#accounts/purchase.ts';
import { defaultOverlapHours, endOfSecret, maxOverlapHours, shownPrefix } from '#accounts/stored-key.ts';
import { shownDays } from '#accounts/usage.ts';
import { answerObject, count, moment } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Endpoint, ofOwnKey } from '../endpoint.ts';
import { readFields } from '../parse/read-body.ts';
import { callerOf, keyOf, secretOf } from '../request-state.ts';
import { sendJson } from '../send.ts';

export function me(deps: AppDeps): Endpoint {
  return {
    operationId: 'readAccount',
    access: 'key',
    scope: 'any',
    answer: { schema: accountAnswer(deps.plans) },
    async handle(_req, res) {
      const key = keyOf(res);
      const secret = secretOf(res);
      const { further } = callerOf(res);
      const endsAt = endOfSecret(key, secret);
      const answer: z.output<ReturnType<typeof accountAnswer>> = {
        plan: key.plan.tier,
        status: isActive(key.plan, deps.now()) ? 'active' : 'expired',
        expires_at: key.plan.expiresAt,
        key_prefix: further?.prefix ?? shownPrefix(key, secret),
        order_id: key.orderId,
        billing_portal_url: await findBillingPortal(deps, key),
        ...(endsAt !== null && { old_key_expires_at: endsAt }),
        ...(further && { scopes: [...further.scopes] }),
      };
      res.json(answer);
    },
  };
}

const accountAnswer = (plans: readonly PlanDefinition[]) =>
  answerObject('Account', {
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
    scopes: z.array(z.enum(scopes)).optional().describe('Present for a further key: what it may do.'),
  });

export function usage(deps: AppDeps): Endpoint {
  return {
    operationId: 'readUsage',
    access: 'key',
    scope: 'any',
    answer: { schema: usageAnswer },
    async handle(_req, res) {
      const days = await deps.usage.read(keyOf(res).hash);
      const answer: z.output<typeof usageAnswer> = {
        days: days.map(({ date, requests, exportedRows: exported_rows, pushedLeads: pushed_leads }) => ({
          date,
          requests,
          exported_rows,
          pushed_leads,
        })),
      };
      await sendJson(res, answer);
    },
  };
}

const usageAnswer = answerObject('Usage', {
  days: z
    .array(
      z.strictObject({
        date: z.string().meta({ format: 'date' }),
        requests: count.describe('Requests within the limit, this one included.'),
        exported_rows: count.describe('Rows of exports that were made for you.'),
        pushed_leads: count.describe('Leads that outbound tools were sent.'),
      }),
    )
    .describe(`The last ${shownDays} days in UTC, the oldest first, today last.`),
});

const overlapMessage = `overlap_hours must be a whole number from 0 to ${maxOverlapHours}.`;

const rotateBody = z.strictObject(
  {
    overlap_hours: z
      .int(overlapMessage)
      .min(0, overlapMessage)
      .max(maxOverlapHours, overlapMessage)
      .nullish()
      .transform((hours) => hours ?? defaultOverlapHours)
      .describe(
        `How long the key that you send goes on, ${defaultOverlapHours} unless you say. 0 ends it at once, as after a leak.`,
      ),
  },
  'The body must be a JSON object, such as {"overlap_hours":24}.',
);

export function rotateKey(deps: AppDeps): Endpoint {
  return {
    operationId: 'rotateKey',
    ...ofOwnKey,
    body: { schema: rotateBody, example: { overlap_hours: 24 }, maxKilobytes: 16, isOptional: true },
    answer: { schema: rotateAnswer },
    async handle(req, res) {
      const { overlap_hours: overlapHours } = readFields(req.body, rotateBody);
      const rotation = { sent: secretOf(res), overlapHours };
      const { key, stored, sentEndsAt } = await keys.rotateKey(deps, keyOf(res), rotation, deps.now());
      res.json({ api_key: key, key_prefix: stored.prefix, old_key_expires_at: sentEndsAt });
    },
  };
}

const rotateAnswer = answerObject('RotatedKey', {
  api_key: z.string().describe('The new key. Save it: it is shown once.'),
  key_prefix: z.string().describe('The first characters of the new key, which identify it.'),
  old_key_expires_at: moment.describe('When the key that you sent stops working.'),
});
