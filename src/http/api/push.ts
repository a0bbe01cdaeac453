import { z } from 'zod';
import { plansWith } from '#accounts/plans.ts';
import type { LeadTool } from '#outbound/outbound-lead.ts';
import { noCounts, type Push } from '#outbound/push.ts';
import { pushLeads, rehearsePush } from '#outbound/push-leads.ts';
import { PushRoom } from '#outbound/work-slots.ts';
import { rowKinds } from '#search/contact-row.ts';
import { openQuery } from '#search/lists/lists.ts';
import { type FieldError, Problem } from '#src/problem.ts';
import { answerObject, count } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import examples from '../examples.json' with { type: 'json' };
import { andWords, type FaultDetails, toProblem } from '../parse/faults.ts';
import { checkedAnyway } from '../parse/parameter-kinds.ts';
import { toSearchQuery } from '../parse/query-parameters.ts';
import {
  choice,
  collectFields,
  filtersField,
  idempotencyHeader,
  readFilters,
  readIdempotencyKey,
} from '../parse/read-body.ts';
import { callerOf, keyOf } from '../request-state.ts';

const campaignMessage = 'The campaign to add leads to, as a string.';
const keyMessage =
  'Your own API key for the tool, ASCII without spaces. It is used for this push and never stored. Required without dry_run.';
const keyError = 'Give your own API key for the tool, in ASCII without spaces.';

type Tools = readonly LeadTool[];

const toolName = (tools: Tools) => choice(tools.map(({ name }) => name));

const pushBody = (tools: Tools) =>
  z
    .strictObject(
      {
        tool: toolName(tools).describe('The tool to push to.'),
        api_key: z
          .string(keyError)
          .trim()
          .regex(/^[\x21-\x7e]{1,512}$/, keyError)
          .optional()
          .describe(keyMessage),
        campaign_id: z.string('Give the id of the campaign, as a string.').trim().describe(campaignMessage),
        filters: filtersField.optional(),
        rows: choice(rowKinds)
          .nullish()
          .describe('contacts: a lead for each contact, as in /export. records, unless you say: one for each record.'),
        dry_run: z
          .boolean('Use true or false, without quotes.')
          .nullish()
          .describe(
            'true: answers the counts that the push would begin with. Calls no tool and keeps nothing: api_key may be left out, and an Idempotency-Key stays free.',
          ),
      },
      'The body must be a JSON object, such as {"tool":"instantly","api_key":"…","campaign_id":"…","filters":{}}.',
    )
    .refine(({ api_key, dry_run }) => dry_run === true || api_key !== undefined, {
      ...checkedAnyway,
      path: ['api_key'],
      message: keyError,
      params: { code: 'missing' } satisfies FaultDetails,
    })
    .superRefine(({ tool, campaign_id }, context) => {
      const { pattern, right } = toolNamed(tools, tool).campaignId;
      if (pattern.test(campaign_id)) return;
      context.addIssue({ code: 'custom', path: ['campaign_id'], message: `For ${tool}, use ${right}.` });
    });

function toolNamed(tools: Tools, name: string): LeadTool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

function readPushBody(body: unknown, schema: ReturnType<typeof pushBody>, tools: Tools) {
  const faults: FieldError[] = [];
  const fields = collectFields(body, schema, faults);
  const selection = readFilters(body, faults);
  if (fields === null || selection === null) throw toProblem(faults);
  return {
    tool: toolNamed(tools, fields.tool),
    apiKey: fields.api_key ?? '',
    campaignId: fields.campaign_id,
    query: toSearchQuery(selection.values),
    rows: fields.rows ?? 'records',
    isDryRun: fields.dry_run === true,
  };
}

export function push(deps: AppDeps): Endpoint {
  const { plans, leadTools } = deps;
  const room = new PushRoom(deps.pushMaxAtOnce);
  const schema = pushBody(leadTools);
  const buyers = andWords.format(plansWith(plans, 'push').map(({ title }) => title));
  return {
    operationId: 'pushLeads',
    facts: { buyers },
    access: 'key',
    scope: 'push',
    right: 'push',
    headers: idempotencyHeader,
    body: { schema, example: examples.push, maxKilobytes: 64 },
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
      const { isDryRun, ...request } = { ...readPushBody(req.body, schema, leadTools), idempotencyKey };
      const { query } = await openQuery(deps, request.query, callerOf(res), request.rows);
      if (isDryRun) {
        const counts = await rehearsePush({ ...deps, room }, { ...request, query }, keyOf(res));
        const dryRun = { tool: request.tool.name, campaignId: request.campaignId, counts, details: {} };
        return void res.json({ ...presentPush(dryRun), dry_run: true });
      }
      const done = await pushLeads({ ...deps, room }, { ...request, query }, keyOf(res));
      const answer = presentPush(done);
      if (done.failure !== null) throw new Problem(done.failure.code, done.failure.detail, { push: answer });
      res.json(answer);
    },
  };
}

const pushAnswer = (tools: Tools) =>
  answerObject('Push', {
    tool: toolName(tools),
    campaign_id: z.string(),
    matched: count.describe('Records that match the filters, or contacts with `rows: contacts`.'),
    without_email: count.describe(
      'Records or contacts without an address, with one that is known to be invalid, or with an inbox that only programs use.',
    ),
    repeated: count.describe('Records or contacts with the address of an earlier one.'),
    sent: count.describe(
      'Leads that were sent: added + duplicates + invalid + blocked + skipped + failed. In a dry run, the leads that would be sent; the counts that depend on the tool are then 0.',
    ),
    added: count,
    duplicates: count,
    invalid: count,
    blocked: count,
    skipped: count,
    failed: count,
    details: z.record(z.string(), z.number()).describe("The tool's own counters."),
    dry_run: z.literal(true).optional().describe('Present if this was a dry run: nothing was sent.'),
  });

/** The counts come in the order of noCounts, however they were stored. */
function presentPush({
  tool,
  campaignId,
  counts,
  details,
}: Pick<Push, 'tool' | 'campaignId' | 'counts' | 'details'>): z.output<ReturnType<typeof pushAnswer>> {
  return { tool, campaign_id: campaignId, ...noCounts, ...counts, details };
}
