import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { headOf, type ListHead, listStatuses, maxListed, maxLists } from '#accounts/media-list.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { pickKeys } from '#records/fields.ts';
import { createList, openList, readList, removeList, writeList } from '#search/lists.ts';
import { Problem } from '#src/problem.ts';
import { formatNumber } from '#text/printed.ts';
import { count, header, moment } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import examples from '../examples.json' with { type: 'json' };
import { pageLinks, pageNumbers, paging, presentNumbers } from '../page-answer.ts';
import { quote, toProblem } from '../parse/faults.ts';
import { wordsParameter } from '../parse/parameter-kinds.ts';
import { pageShape, sortParameter } from '../parse/parameters.ts';
import { choice, readFields } from '../parse/read-body.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { fieldsParameter, recordAnswer } from '../record-answer.ts';
import { keyOf } from '../request-state.ts';
import { sendJson } from '../send.ts';

const maxWritten = 1_000;
const maxName = 80;
const maxNote = 1_000;

const listAnswer = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    count: count.describe('Its records, as of its last write.'),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'MediaList' });

export const listsAnswer = z.strictObject({ lists: z.array(listAnswer).describe('By name.') }).meta({ id: 'Lists' });

export const deletedAnswer = z.strictObject({ deleted: z.literal(true) }).meta({ id: 'Deleted' });

const nameMessage = `The name must be 1 to ${maxName} characters long.`;

const listBody = z.strictObject(
  {
    name: textOf(maxName, nameMessage)
      .refine((name) => name !== '', nameMessage)
      .describe('What the list is called.'),
  },
  'The body must be a JSON object, such as {"name":"Spring launch"}.',
);

function textOf(most: number, message: string) {
  return z
    .string(message)
    .trim()
    .refine((text) => [...text].length <= most, message);
}

const idText = z.string('The id of a record must be a string.').trim().min(1, 'The id of a record must not be empty.');
const tooMany = `At most ${maxWritten} at once: send more in another request.`;

const entryBody = z.strictObject(
  {
    id: idText,
    note: textOf(maxNote, `A note must be a string of at most ${maxNote} characters.`)
      .transform((note) => (note === '' ? null : note))
      .nullish()
      .describe('Null or empty clears it; absent keeps what the list has.'),
    status: choice(listStatuses).optional().describe('Absent keeps what the list has, at first none.'),
  },
  'Each of add must be an object, such as {"id":"…","note":"…","status":"to_contact"}.',
);

const listRecordsBody = z
  .strictObject(
    {
      add: z
        .array(entryBody, 'add must be a list.')
        .max(maxWritten, tooMany)
        .nullish()
        .describe('Records to add, or to change if the list has them.'),
      remove: z.array(idText, 'remove must be a list of ids.').max(maxWritten, tooMany).nullish(),
    },
    'The body must be a JSON object, such as {"add":[{"id":"…","status":"to_contact"}],"remove":["…"]}.',
  )
  .refine(({ add, remove }) => add != null || remove != null, {
    path: ['add'],
    message: 'Nothing is to be done. Give add, remove or both.',
  });

const listPath = z.object({ id: z.string().describe('The id of the list.') });
const ifMatch = z.object({
  'If-Match': z.string().optional().describe('The ETag of an answer about the list: only that version is written.'),
});
const versioned = {
  ETag: header('ListVersion', 'The version of the list: send it as If-Match to write only to this version.'),
};

const aList = { tag: 'Lists', access: 'key' } as const;
const writing = { ...aList, path: listPath, headers: ifMatch } as const;
const written = { schema: listAnswer, headers: versioned };
const naming = { schema: listBody, example: { name: 'Spring launch' }, maxKilobytes: 16 };

export function getLists({ lists }: AppDeps): Endpoint {
  return {
    ...aList,
    operationId: 'findLists',
    summary: 'Get your lists',
    description:
      'Lists belong to the account behind a key: they survive its rotation and renewal. With an expired plan you can read and delete them.',
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
    summary: 'Create a list',
    description: `An account has at most ${maxLists} lists.`,
    body: naming,
    answer: written,
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
    summary: 'Rename a list',
    description: 'Send the ETag of an earlier answer as If-Match, and a list that was written since stays as it is.',
    body: naming,
    answer: written,
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
    summary: 'Add, change and remove the records of a list',
    description: `All or nothing. A list holds at most ${formatNumber(maxListed)} records. A merged record stands for its doubles; what was deleted or suppressed leaves every list.`,
    body: {
      schema: listRecordsBody,
      example: examples.listRecords,
      maxKilobytes: 8 * 1024,
    },
    answer: written,
    errors: ['plan_expired', 'search_unavailable', 'not_found', 'list_changed', 'list_full'],
    async handle(req, res) {
      const { add, remove } = readFields(req.body, listRecordsBody);
      const change = { ...(add && { add }), ...(remove && { remove }) };
      const done = await writeList(deps, { ...readTarget(req), change }, keyOf(res), deps.now());
      if ('list' in done) return sendList(res, headOf(done.list));
      throw toProblem(
        done.unknown.map((id) => ({
          in: 'body',
          name: `add.${add?.findIndex((entry) => entry.id === id)}.id`,
          code: 'unknown_value',
          message: `No record has the id ${quote(id)}. Leave it out: nothing was added.`,
        })),
      );
    },
  };
}

export function deleteList(deps: AppDeps): Endpoint {
  return {
    ...writing,
    operationId: 'deleteList',
    summary: 'Delete a list',
    description: 'Its records stay.',
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
  const given = req.get('If-Match')?.trim();
  if (given === undefined || given === '*') return { id, version: null };
  const version = /^(?:W\/)?"(\d{1,9})(?:\.[^"]*)?"$/.exec(given)?.[1];
  if (version !== undefined) return { id, version: Number(version) };
  throw new Problem('list_changed', 'If-Match names no version of this list. Send the ETag of an answer about it.');
}

export const listPageShape = {
  status: wordsParameter('status', listStatuses)
    .default([])
    .describe('Only entries of this status. For several, repeat the parameter or separate them with |.'),
  sort: sortParameter,
  fields: fieldsParameter,
  ...pageShape(),
};
const parameters = z.object(listPageShape);

export function getList(deps: AppDeps): Endpoint {
  return {
    ...aList,
    operationId: 'readList',
    summary: 'Get a list with its records',
    description:
      'Pages the records of a list as searches do, each with your note and status. The parameter `list` of searches, facets, exports and pushes takes all its records together with filters.',
    path: listPath,
    query: parameters,
    answer: { schema: listPageAnswer, headers: { ...paging, ...versioned } },
    errors: ['search_unavailable', 'not_found'],
    async handle(req, res) {
      const { id } = req.params;
      const { values, given } = readParameters(req.originalUrl, parameters);
      const { answer, version, page } = await answerList(deps, id, values, keyOf(res));
      res.set(pageLinks(`${deps.publicUrl}/api/v1/lists/${encodeURIComponent(id)}`, given, page));
      res.set('ETag', `"${version}.${hash('sha1', JSON.stringify(answer), 'base64url')}"`);
      await sendJson(res, answer);
    },
  };
}

/** The answer, for MCP too. */
export async function answerList(
  deps: Pick<AppDeps, 'lists' | 'mergedIds' | 'index' | 'now'>,
  id: string,
  { status: statuses, sort, fields, page: number, per_page: perPage }: z.output<typeof parameters>,
  key: StoredKey,
) {
  const list = await openList(deps, id, key);
  const asked = { list, statuses, sort, page: number, perPage };
  const { page, count, left } = await readList(deps, asked, { key }, deps.now());
  const answer = {
    ...presentList({ ...headOf(list), count }),
    left,
    results: page.records.map((record) => {
      const { note = null, status = 'none', addedAt = list.createdAt } = list.byRecord.get(record.id) ?? {};
      return { record: pickKeys(record, fields), note, status, added_at: addedAt };
    }),
    ...presentNumbers(page),
  };
  return { answer, version: list.version, page };
}

export const listPageAnswer = z
  .strictObject({
    ...listAnswer.shape,
    count: count.describe('Its records.'),
    left: count.describe('Records that were deleted or suppressed since the list was last written.'),
    results: z.array(
      z.strictObject({
        record: recordAnswer,
        note: z.string().nullable(),
        status: z.enum(listStatuses),
        added_at: moment,
      }),
    ),
    ...pageNumbers,
    total: count.describe('The records of the list, or those of the statuses asked for.'),
  })
  .meta({ id: 'ListPage' });
