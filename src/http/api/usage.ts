import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { shownDays, type UsageDay } from '#accounts/usage.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Api, always, count, jsonAnswer, withKey } from '../openapi/api.ts';
import { keyOf } from '../request-state.ts';
import { sendJson } from '../send-compressed.ts';

/** GET /me/usage: what was done with the caller's key (contract A15). */
export function handleUsage({ usage }: Pick<AppDeps, 'usage'>): RequestHandler {
  return async (_req, res) => {
    await sendJson(res, presentUsage(await usage.read(keyOf(res).hash)));
  };
}

export const usageAnswer = z
  .strictObject({
    days: z
      .array(
        z.strictObject({
          date: z.iso.date().meta({ override: ({ jsonSchema }) => void delete jsonSchema.pattern }),
          requests: count.describe('Requests within the limit, this one included.'),
          exported_rows: count.describe('Rows of exports that were made for you.'),
          pushed_leads: count.describe('Leads that outbound tools were sent.'),
        }),
      )
      .describe(`The last ${shownDays} days in UTC, the oldest first, today last.`),
  })
  .meta({ id: 'Usage' });

function presentUsage(days: readonly UsageDay[]): z.output<typeof usageAnswer> {
  return {
    days: days.map(({ date, requests, exportedRows, pushedLeads }) => ({
      date,
      requests,
      exported_rows: exportedRows,
      pushed_leads: pushedLeads,
    })),
  };
}

const example = { days: [{ date: '2026-11-21', requests: 1_204, exported_rows: 25_310, pushed_leads: 400 }] };

export function describeUsage({ problems }: Api): ZodOpenApiOperationObject {
  return {
    operationId: 'readUsage',
    tags: ['Plans'],
    summary: 'See how much your key was used',
    description:
      'Returns requests, exported rows and pushed leads for each of the last 30 days. A rotated key keeps its counts. Counts of other processes of the service arrive within ten seconds.',
    security: withKey,
    responses: {
      200: jsonAnswer('The days.', usageAnswer, example),
      ...problems([...always, 'key_missing', 'key_invalid']),
    },
  };
}
