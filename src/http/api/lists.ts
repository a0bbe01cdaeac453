import type { Request, Response } from 'express';
import { z } from 'zod';
import { headOf, type ListHead, maxListed, maxLists } from '#accounts/media-list.ts';
import { createList, removeList, writeList } from '#search/lists/lists.ts';
import { Problem } from '#src/problem.ts';
import { formatNumber } from '#text/printed.ts';
import { answerObject, count, deletedAnswer, header, moment } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import examples from '../examples.json' with { type: 'json' };
import { nameOf, readFields } from '../parse/read-body.ts';
import { keyOf } from '../request-state.ts';
import { sendJson } from '../send.ts';
import { listRecordsBody, writeEntries } from './list-entries.ts';

export const listAnswer = answerObject('MediaList', {
  id: z.string(),
  name: z.string(),
  count: count.describe('Its entries, as of its last write.'),
  created_at: moment,
  updated_at: moment,
});

export const listsAnswer = answerObject('Lists', { lists: z.array(listAnswer).describe('By name.') });

const listBody = z.strictObject(
  { name: nameOf('What the list is called.') },
  'The body must be a JSON object, such as {"name":"Spring launch"}.',
);

export const listPath = z.object({ id: z.string().describe('The id of the list.') });
const ifMatch = z.object({
  'If-Match': z.string().optional().describe('The ETag of an answer about the list: only that version is written.'),
});
export const versioned = {
  ETag: header('ListVersion'),
};

export const aList = { access: 'key', scope: 'lists' } as const;
const writing = { ...aList, path: listPath, headers: ifMatch } as const;
const writtenAnswer = { schema: listAnswer, headers: versioned };
const naming = { schema: listBody, example: { name: 'Spring launch' }, maxKilobytes: 16 };

export function getLists({ lists }: AppDeps): Endpoint {
  return {
    ...aList,
    operationId: 'findLists',
    answer: { schema: listsAnswer },
    async handle(_req, res) {
      await sendJson(res, { lists: (await lists.list(keyOf(res).hash)).map(presentList) });
    },
  };
}

export function postList(deps: AppDeps): Endpoint {
  return {
    ...aList,
    operationId: 'createList',
    facts: { maxLists },
    body: naming,
    answer: writtenAnswer,
    errors: ['plan_expired', 'too_many_lists'],
    async handle(req, res) {
      const { name } = readFields(req.body, listBody);
      sendList(res, headOf(await createList(deps, name, keyOf(res), deps.now())));
    },
  };
}

export function patchList(deps: AppDeps): Endpoint {
  return {
    ...writing,
    operationId: 'renameList',
    body: naming,
    answer: writtenAnswer,
    errors: ['plan_expired', 'search_unavailable', 'not_found', 'list_changed'],
    async handle(req, res) {
      const change = readFields(req.body, listBody);
      const done = await writeList(deps, { ...readTarget(req), change }, keyOf(res), deps.now());
      if ('list' in done) sendList(res, headOf(done.list));
    },
  };
}

export function postListRecords(deps: AppDeps): Endpoint {
  return {
    ...writing,
    operationId: 'writeListRecords',
    facts: { maxListed: formatNumber(maxListed) },
    body: {
      schema: listRecordsBody,
      example: examples.listRecords,
      maxKilobytes: 8 * 1024,
    },
    answer: writtenAnswer,
    errors: ['plan_expired', 'search_unavailable', 'not_found', 'list_changed', 'list_full'],
    async handle(req, res) {
      const entries = readFields(req.body, listRecordsBody);
      sendList(res, await writeEntries(deps, readTarget(req), entries, keyOf(res)));
    },
  };
}

export function deleteList(deps: AppDeps): Endpoint {
  return {
    ...writing,
    operationId: 'deleteList',
    answer: { schema: deletedAnswer },
    errors: ['not_found', 'list_changed'],
    async handle(req, res) {
      await removeList(deps, readTarget(req), keyOf(res));
      res.json({ deleted: true });
    },
  };
}

function sendList(res: Response, list: ListHead): void {
  res.set('ETag', `"${list.version}"`).json(presentList(list));
}

export function presentList({ id, name, count, createdAt, updatedAt }: ListHead): z.output<typeof listAnswer> {
  return { id, name, count, created_at: createdAt, updated_at: updatedAt };
}

/**
 * The list to write, and its version that If-Match names; null for any. That of a page is followed by a digest of what it
 * shows. Throws Problem `list_changed` for what is not a version of a list.
 */
function readTarget(req: Request<{ id: string }>): { id: string; version: number | null } {
  const { id } = req.params;
  const sentTag = req.get('If-Match')?.trim();
  if (sentTag === undefined || sentTag === '*') return { id, version: null };
  const version = /^(?:W\/)?"(\d{1,9})(?:\.[^"]*)?"$/.exec(sentTag)?.[1];
  if (version !== undefined) return { id, version: Number(version) };
  throw new Problem('list_changed', 'If-Match names no version of this list. Send the ETag of an answer about it.');
}
