import type { Response } from 'express';
import { z } from 'zod';
import { allows, requireRight } from '#accounts/plans.ts';
import { type ChangesCursor, readCursor, writeCursor } from '#outbound/changes-cursor.ts';
import { type ChangesPage, type RecordUpdate, readChanges, requireCursor } from '#outbound/read-changes.ts';
import { feedDays } from '#records/change-feed.ts';
import { pickKeys } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import { type Kind, kinds } from '#records/vocabularies.ts';
import { answerObject } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import { ChangeWatch, mostWaiting } from '../change-watch.ts';
import type { Endpoint } from '../endpoint.ts';
import { rejectValue } from '../parse/faults.ts';
import { wholeNumberParameter, wordsParameter } from '../parse/parameter-kinds.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { exampleRecord, fieldsParameter, recordAnswer } from '../record-answer.ts';
import { keyOf } from '../request-state.ts';
import { sendJson } from '../send.ts';

const maxChanges = 1_000;
const maxWaitSeconds = 25;

const parameters = z.object({
  after: z
    .string()
    .transform((text, context): ChangesCursor => {
      const wrong = 'This is not a cursor. Use the next of an earlier answer, or the X-Changes-Cursor of an export.';
      return readCursor(text) ?? rejectValue(context, wrong, { code: 'invalid_cursor' });
    })
    .optional()
    .describe(
      'The cursor of what you have: `next` of the last answer, or X-Changes-Cursor of an export. From now on, without it.',
    ),
  limit: wholeNumberParameter(1, maxChanges).default(100).describe(`Changes at once, 100 unless you say.`),
  kind: wordsParameter('kind', kinds)
    .default([])
    .describe(
      'Only changes of these kinds. A record that becomes another kind is gone. All that your plan exports, without it.',
    ),
  fields: fieldsParameter,
  wait: wholeNumberParameter(0, maxWaitSeconds)
    .default(0)
    .describe(
      `Seconds to wait while there is no change: the answer comes with the first. At most ${mostWaiting.perKey} requests of a key wait at once; others are answered at once.`,
    ),
});

export function changes(deps: AppDeps): Endpoint {
  const watch = new ChangeWatch(deps.changeFeed);
  return {
    operationId: 'readChanges',
    facts: { feedDays },
    access: 'key',
    scope: 'export',
    query: parameters,
    answer: { schema: changesAnswer, example: exampleChanges },
    errors: ['search_unavailable', 'plan_required', 'plan_expired', 'cursor_expired'],
    async handle(req, res) {
      const { fields, wait, ...request } = readParameters(req.originalUrl, parameters).values;
      const key = keyOf(res);
      const readable = readableKinds(deps, key.plan, request.kind);
      const after = request.after ?? (await requireCursor(deps, deps.now()));
      const ended = AbortSignal.any([deps.stopping, hasLeft(res), AbortSignal.timeout(wait * 1_000)]);
      const readPage = () => readChanges(deps, { after, kinds: readable, limit: request.limit }, deps.now());
      let page = await readPage();
      while (wait > 0 && page.changes.length === 0 && !ended.aborted && watch.hasRoomFor(key.hash)) {
        await watch.waitPast(page.next.version, key.hash, ended);
        if (!ended.aborted) page = await readPage();
      }
      const rows = page.changes.filter(({ change }) => change === 'upsert').length;
      if (req.method !== 'HEAD') deps.usage.count(key.hash, { exportedRows: rows });
      await sendJson(res, present(page, fields));
    },
  };
}

/** The kinds that were asked for, or all that the plan exports. @throws Problem `plan_expired` or `plan_required`, as an export does */
function readableKinds({ plans, now }: AppDeps, plan: Parameters<typeof requireRight>[1], askedKinds: readonly Kind[]) {
  const isOfOutlets = askedKinds.every((kind) => kind === 'outlet');
  requireRight(plans, plan, isOfOutlets ? 'export_outlets' : 'export_all', now());
  if (askedKinds.length > 0) return askedKinds;
  return allows(plans, plan, 'export_all') ? kinds : (['outlet'] as const);
}

/** Aborted when the caller is gone, or has the answer. */
function hasLeft(res: Response): AbortSignal {
  const departure = new AbortController();
  res.once('close', () => departure.abort());
  return departure.signal;
}

function present({ changes, next, hasMore }: ChangesPage, fields: readonly RecordKey[] | null): ChangesAnswer {
  return {
    changes: changes.map((change) => presentChange(change, fields)),
    next: writeCursor(next),
    has_more: hasMore,
  };
}

function presentChange(update: RecordUpdate, fields: readonly RecordKey[] | null): ChangesAnswer['changes'][number] {
  const { id, change } = update;
  if (change === 'upsert') return { id, change, record: pickKeys(update.record, fields) };
  return { id, change, ...(update.mergedInto !== null && { merged_into: update.mergedInto }) };
}

const changeAnswer = answerObject('Change', {
  id: z.string(),
  change: z
    .enum(['upsert', 'gone'])
    .describe(
      '`upsert`: insert `record`, or put it in place of what you have under `id`. `gone`: delete what you have.',
    ),
  merged_into: z
    .string()
    .optional()
    .describe('Present if the record was merged into another one: its id. That one may have been merged since.'),
  record: recordAnswer.optional().describe('Present with `upsert`: the record as it is now, with all contacts.'),
});

const changesAnswer = answerObject('Changes', {
  changes: z.array(changeAnswer).describe('One for each record that changed, the oldest change first.'),
  next: z
    .string()
    .describe('The cursor of what you have once you applied these changes: `after` of your next request.'),
  has_more: z.boolean().describe('Whether there are more changes: ask again at once.'),
});

type ChangesAnswer = z.output<typeof changesAnswer>;

const exampleChanges: ChangesAnswer = {
  changes: [
    { id: 'outlet-harbour-times', change: 'upsert', record: { ...exampleRecord, email: 'ada@harbour-times.example' } },
    { id: 'outlet-leeds-gazette', change: 'gone', merged_into: 'outlet-harbour-times' },
  ],
  next: 'MTcxNjA1NzgtMjBmMi00ZTM5LTlmZGMtNTVjNmIzYjZhN2VjIDQyIDQyIDQ5ODcxMw',
  has_more: false,
};
