import { z } from 'zod';
import { plansWith } from '#accounts/plans.ts';
import type { LeadTool } from '#outbound/outbound-lead.ts';
import { noCounts, type Push } from '#outbound/push.ts';
import { pushLeads } from '#outbound/push-leads.ts';
import { PushRoom } from '#outbound/work-slots.ts';
import { openQuery } from '#search/lists.ts';
import { type FieldError, Problem } from '#src/problem.ts';
import { count } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { andWords, toProblem } from '../parse/faults.ts';
import { filterSchema, toSearchQuery } from '../parse/parameters.ts';
import { choice, collectFields, idempotencyHeader, readIdempotencyKey } from '../parse/read-body.ts';
import { readObject } from '../parse/read-parameters.ts';
import { callerOf, keyOf } from '../request-state.ts';

const campaignMessage = 'The campaign to add leads to, as a string.';
const keyMessage = 'Your own API key for the tool, ASCII without spaces. It is used for this push and never stored.';
const keyError = 'Give your own API key for the tool, in ASCII without spaces.';

type Tools = readonly LeadTool[];

const toolName = (tools: Tools) => choice(tools.map(({ name }) => name));

const textOrTexts = z.union([z.string(), z.array(z.string())], 'A filter must be a string or an array of strings.');

const pushBody = (tools: Tools) =>
  z
    .strictObject(
      {
        tool: toolName(tools).describe('The tool to push to.'),
        api_key: z
          .string(keyError)
          .trim()
          .regex(/^[\x21-\x7e]{1,512}$/, keyError)
          .describe(keyMessage),
        campaign_id: z.string('Give the id of the campaign, as a string.').trim().describe(campaignMessage),
        filters: z
          .record(z.string(), textOrTexts, 'The filters must be an object, such as {"country":"US"}.')
          .optional()
          .describe('The filters of /export by name. Values are strings or arrays of strings.'),
      },
      'The body must be a JSON object, such as {"tool":"instantly","api_key":"…","campaign_id":"…","filters":{}}.',
    )
    .superRefine(({ tool, campaign_id }, context) => {
      const { pattern, right } = toolNamed(tools, tool).campaignId;
      if (pattern.test(campaign_id)) return;
      context.addIssue({ code: 'custom', path: ['campaign_id'], message: `For ${tool}, use ${right}.` });
    });

function toolNamed(tools: Tools, name: string): LeadTool {
  const tool = tools.find((known) => known.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

function readPushBody(body: unknown, schema: ReturnType<typeof pushBody>, tools: Tools) {
  const faults: FieldError[] = [];
  const fields = collectFields(body, schema, faults);
  // The schema has reported filters that are no object, and values that are no texts.
  const { filters } = Object(body);
  const named = typeof filters === 'object' && !Array.isArray(filters) ? filters : {};
  const texts = Object.entries(named ?? {}).filter(([, value]) => textOrTexts.safeParse(value).success);
  const read = readObject(Object.fromEntries(texts), filterSchema, faults, 'filters.');
  if (fields === null || read === null) throw toProblem(faults);
  const query = toSearchQuery(read.values);
  return { tool: toolNamed(tools, fields.tool), apiKey: fields.api_key, campaignId: fields.campaign_id, query };
}

export function push(deps: AppDeps): Endpoint {
  const { plans, leadTools } = deps;
  const room = new PushRoom(deps.pushMaxAtOnce);
  const schema = pushBody(leadTools);
  const buyers = andWords.format(plansWith(plans, 'push').map(({ title }) => title));
  return {
    operationId: 'pushLeads',
    tag: 'Media',
    summary: 'Push leads to a campaign of an outbound tool',
    description: `${buyers} only. Adds the leads that an export with the same filters would contain. The push continues if the caller disconnects. The tool's api_key is used for this push and never stored.`,
    access: 'key',
    right: 'push',
    headers: idempotencyHeader,
    body: { schema, example: exampleBody, maxKilobytes: 64 },
    answer: { schema: pushAnswer(leadTools) },
    errors: [
      'search_unavailable',
      'idempotency_conflict',
      'meaning_unavailable',
      'not_found',
      'too_many_leads',
      'tool_key_rejected',
      'campaign_not_found',
      'tool_failed',
    ],
    async handle(req, res) {
      const idempotencyKey = readIdempotencyKey(req);
      const request = { ...readPushBody(req.body, schema, leadTools), idempotencyKey };
      const { query } = await openQuery(deps, request.query, callerOf(res));
      const done = await pushLeads({ ...deps, room }, { ...request, query }, keyOf(res));
      const answer = presentPush(done);
      if (done.failure !== null) throw new Problem(done.failure.code, done.failure.detail, { push: answer });
      res.json(answer);
    },
  };
}

const pushAnswer = (tools: Tools) =>
  z
    .strictObject({
      tool: toolName(tools),
      campaign_id: z.string(),
      matched: count.describe('Records that match the filters.'),
      without_email: count.describe('Records without an address, or with one that is known to be invalid.'),
      repeated: count.describe('Records with the address of an earlier one.'),
      sent: count.describe('added + duplicates + invalid + blocked + skipped + failed.'),
      added: count,
      duplicates: count,
      invalid: count,
      blocked: count,
      skipped: count,
      failed: count,
      details: z.record(z.string(), z.number()).describe("The tool's own counters."),
    })
    .meta({ id: 'Push' });

/** The counts come in the order of noCounts, however they were stored. */
function presentPush({ tool, campaignId, counts, details }: Push): z.output<ReturnType<typeof pushAnswer>> {
  return { tool, campaign_id: campaignId, ...noCounts, ...counts, details };
}

export const exampleBody = {
  tool: 'instantly',
  api_key: 'your-key-for-the-tool',
  campaign_id: '7f1c2d3e-0000-4000-8000-123456789abc',
  filters: { kind: 'outlet', country: ['US', 'CA'], category: 'technology' },
};
