import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import {
  headOf,
  type ListHead,
  type ListSubject,
  listStatuses,
  maxListed,
  maxLists,
  type RemovedSubject,
} from '#accounts/media-list.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { shownContact } from '#records/contacts/with-contacts.ts';
import { pickKeys } from '#records/fields.ts';
import { fewContactsOf } from '#search/few-contacts.ts';
import { createList, openList, removeList, writeList } from '#search/lists.ts';
import { listSortKeys, readList } from '#search/read-list.ts';
import { type FieldError, Problem } from '#src/problem.ts';
import { formatNumber } from '#text/printed.ts';
import { answerObject, count, deletedAnswer, header, moment } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import examples from '../examples.json' with { type: 'json' };
import { pageLinks, pageNumbers, paging, presentNumbers } from '../page-answer.ts';
import { type FaultDetails, quote, toProblem } from '../parse/faults.ts';
import { readTime, wordsParameter } from '../parse/parameter-kinds.ts';
import { choice, nameOf, readFields, textOf } from '../parse/read-body.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { datesParameter, pageShape, sortParameterOf } from '../parse/result-parameters.ts';
import { contactOrNull, fieldsParameter, recordAnswer } from '../record-answer.ts';
import { keyOf } from '../request-state.ts';
import { sendJson } from '../send.ts';

const maxWritten = 1_000;
const maxNote = 1_000;

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

const idText = z.string('The id of a record must be a string.').trim().min(1, 'The id of a record must not be empty.');
const tooMany = `At most ${maxWritten} at once: send more in another request.`;

const contactText = z
  .string('The id of a contact must be a string.')
  .trim()
  .transform((text) => (text === '' ? null : text))
  .nullable();

const entryBody = z.strictObject(
  {
    id: idText,
    contact_id: contactText.optional().describe('A contact of the record. Absent or null: the medium itself.'),
    note: textOf(maxNote, `A note must be a string of at most ${maxNote} characters.`)
      .transform((note) => (note === '' ? null : note))
      .nullish()
      .describe('Null or empty clears it.'),
    status: choice(listStatuses).optional().describe('At first none.'),
    contacted_at: z
      .string('The date must be a string.')
      .trim()
      .transform((text, context) => (text === '' ? null : readTime(text, context)))
      .nullish()
      .describe('When somebody wrote to them; null or empty clears it. A status that becomes contacted sets it.'),
  },
  'Each of add must be an object, such as {"id":"…","note":"…","status":"to_contact"}.',
);

const removedEntry = z
  .strictObject(
    { id: idText, contact_id: contactText },
    'Each of remove must be the id of a record, or an object, such as {"id":"…","contact_id":"…"}.',
  )
  .transform(({ id, contact_id }): RemovedSubject => subjectOf({ id, contact_id }));

/** The document names only the type that all had before: generators of clients cannot read a choice of two. */
const removedBody = z
  .unknown()
  .transform((entry, context): RemovedSubject => {
    const wholeRecord = idText.transform((id): RemovedSubject => ({ id, isWhole: true }));
    const parsed = (typeof entry === 'string' ? wholeRecord : removedEntry).safeParse(entry);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const isUnknown = issue.code === 'unrecognized_keys';
      const message = isUnknown ? 'These have only the fields id and contact_id.' : issue.message;
      const params: FaultDetails = { code: isUnknown ? 'unknown_field' : 'invalid' };
      context.addIssue({ code: 'custom', path: issue.path, message, params });
    }
    return z.NEVER;
  })
  .meta({
    type: 'string',
    minLength: 1,
    description:
      'The id of a record, for all entries of it; or an object `{"id","contact_id"}` for one, where null is that of the medium itself.',
  });

function subjectOf({ id, contact_id }: { id: string; contact_id?: string | null | undefined }): ListSubject {
  return { id, ...(contact_id && { contactId: contact_id }) };
}

export const addedEntries = z
  .array(entryBody, 'add must be a list.')
  .max(maxWritten, tooMany)
  .describe('Media and contacts to add, or to change if the list has them. What is absent stays.');

const listRecordsBody = z
  .strictObject(
    {
      add: addedEntries.nullish(),
      remove: z.array(removedBody, 'remove must be a list.').max(maxWritten, tooMany).nullish(),
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
  ETag: header('ListVersion'),
};

const aList = { access: 'key', scope: 'lists' } as const;
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

/** Adds and removes entries of a list, for MCP too. Throws Problem `invalid_request` for what it cannot take. */
export async function writeEntries(
  deps: Pick<AppDeps, 'lists' | 'mergedIds' | 'index' | 'now'>,
  target: { id: string; version: number | null },
  { add, remove }: Partial<z.output<typeof listRecordsBody>>,
  key: StoredKey,
): Promise<ListHead> {
  const entries = add?.map(({ note, status, contacted_at: contactedAt, ...named }) => ({
    ...subjectOf(named),
    ...{ note, status, contactedAt },
  }));
  const change = { ...(entries && { add: entries }), ...(remove && { remove }) };
  const done = await writeList(deps, { ...target, change }, key, deps.now());
  if ('list' in done) return headOf(done.list);
  throw toProblem(done.unknown.map(({ place, isContact }) => toUnknown(place, isContact, add?.[place])));
}

function toUnknown(place: number, isContact: boolean, entry: z.output<typeof entryBody> | undefined): FieldError {
  const { id = '', contact_id } = entry ?? {};
  const message = isContact
    ? `This record has no contact ${quote(contact_id ?? '')}. GET /api/v1/records/{id} shows those that it has.`
    : `No record has the id ${quote(id)}.`;
  const name = `add.${place}.${isContact ? 'contact_id' : 'id'}`;
  return { in: 'body', name, code: 'unknown_value', message: `${message} Leave it out: nothing was added.` };
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

export const listPageShape = {
  status: wordsParameter('status', listStatuses)
    .default([])
    .describe('Only entries of this status. For several, repeat the parameter or separate them with |.'),
  sort: sortParameterOf(
    listSortKeys,
    'As in search; or status (in the order of the work, none last), note (A to Z), added, contacted (newest first). In a list that names people, reachable is about each entry. Put - in front to reverse the order.',
  ),
  fields: fieldsParameter,
  dates: datesParameter.describe('1: with `contacted_at`, when somebody wrote to them.'),
  ...pageShape(),
};
const parameters = z.object(listPageShape);

export function getList(deps: AppDeps): Endpoint {
  return {
    ...aList,
    operationId: 'readList',
    path: listPath,
    query: parameters,
    answer: { schema: listPageAnswer, headers: { ...paging, ...versioned } },
    errors: ['search_unavailable', 'not_found'],
    async handle(req, res) {
      const { id } = req.params;
      const { values, givenParameters } = readParameters(req.originalUrl, parameters);
      const { answer, version, page } = await answerList(deps, id, values, keyOf(res));
      res.set(pageLinks(`${deps.publicUrl}/api/v1/lists/${encodeURIComponent(id)}`, givenParameters, page));
      res.set('ETag', `"${version}.${hash('sha1', JSON.stringify(answer), 'base64url')}"`);
      await sendJson(res, answer);
    },
  };
}

/** The answer, for MCP too. */
export async function answerList(
  deps: Pick<AppDeps, 'lists' | 'mergedIds' | 'index' | 'now'>,
  id: string,
  { status: statuses, sort, fields, dates: hasDates, page: number, per_page: perPage }: z.output<typeof parameters>,
  key: StoredKey,
) {
  const list = await openList(deps, id, key);
  const request = { list, statuses, sort, page: number, perPage };
  const { page, rows, count, left: leftCount } = await readList(deps, request, { key }, deps.now());
  const answer = {
    ...presentList({ ...headOf(list), count }),
    left: leftCount,
    results: rows.map(
      ({ record, contact, entry: { contactId = null, note, status, addedAt, contactedAt = null } }) => ({
        record: pickKeys(record, fields, () => fewContactsOf(record)),
        contact_id: contactId,
        contact: contact && shownContact(contact),
        note,
        status,
        added_at: addedAt,
        ...(hasDates && { contacted_at: contactedAt }),
      }),
    ),
    ...presentNumbers(page),
  };
  return { answer, version: list.version, page };
}

export const listPageAnswer = answerObject('ListPage', {
  ...listAnswer.shape,
  count: count.describe('Its entries.'),
  left: count.describe(
    'Entries whose records were deleted or suppressed since the list was last written, and entries whose contacts are gone.',
  ),
  results: z.array(
    z.strictObject({
      record: recordAnswer,
      contact_id: z.string().nullable().describe('The contact that the entry names; null for the medium itself.'),
      contact: contactOrNull,
      note: z.string().nullable(),
      status: z.enum(listStatuses),
      added_at: moment,
      contacted_at: moment.nullable().optional().describe('With `dates=1`.'),
    }),
  ),
  ...pageNumbers,
  total: count.describe('The entries of the list, or those of the statuses asked for.'),
});
