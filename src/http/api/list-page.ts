import { hash } from 'node:crypto';
import { z } from 'zod';
import { headOf, listStatuses } from '#accounts/media-list.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { shownContact } from '#records/contacts/with-contacts.ts';
import { pickKeys } from '#records/fields.ts';
import { fewContactsOf } from '#search/few-contacts.ts';
import { openList } from '#search/lists/lists.ts';
import { listSortKeys, readList } from '#search/lists/read-list.ts';
import { answerObject, count, moment } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { pageLinks, pageNumbers, paging, presentNumbers } from '../page-answer.ts';
import { wordsParameter } from '../parse/parameter-kinds.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { datesParameter, pageShape, sortParameterOf } from '../parse/result-parameters.ts';
import { contactOrNull, fieldsParameter, recordAnswer } from '../record-answer.ts';
import { keyOf } from '../request-state.ts';
import { sendJson } from '../send.ts';
import { aList, listAnswer, listPath, presentList, versioned } from './lists.ts';

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
