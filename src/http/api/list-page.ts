import { hash } from 'node:crypto';
import { z } from 'zod';
import { headOf, listStatuses } from '#accounts/media-list.ts';
import type { Caller, StoredKey } from '#accounts/stored-key.ts';
import { pickKeys } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import { type ListPageRequest, openList, readList } from '#search/lists.ts';
import type { AppDeps } from '../app-deps.ts';
import { callerOf, count, type Endpoint, keyOf, moment, paging } from '../endpoint.ts';
import { listWords, quote, rejectValue, suggest } from '../parse/faults.ts';
import { fieldsParameter } from '../parse/fields-parameter.ts';
import { pageShape, sortParameter } from '../parse/parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { exampleRecord, recordAnswer, selectedRecordAnswer } from '../record-answer.ts';
import { sendJson } from '../send.ts';
import { exampleList, listAnswer, listPath, presentList, versioned } from './lists.ts';
import { pageLinks } from './search.ts';

const statusParameter = z
  .union([z.array(z.union([z.enum(listStatuses), z.string()])), z.string()])
  .transform((texts, context) =>
    [texts]
      .flat()
      .flatMap((text) => text.split('|'))
      .map((text) => text.trim().toLowerCase())
      .filter((text) => text !== '')
      .map((text) => {
        const status = listStatuses.find((known) => known === text);
        if (status !== undefined) return status;
        return rejectValue(context, `${quote(text)} is not a valid status.`, {
          code: 'unknown_value',
          right: `Use ${listWords(listStatuses)}.`,
          ...suggest(text, listStatuses),
        });
      }),
  )
  .default([])
  .describe('Only entries of this status. For several, repeat the parameter or separate them with |.');

/** The parameters of a page of a list, which has so many entries unless they say. */
export function listPageSchema(pages = pageShape()) {
  return z.object({ status: statusParameter, sort: sortParameter, fields: fieldsParameter, ...pages });
}

/** What the parameters ask for. */
export function toListPage({ status, sort, fields, page, per_page }: z.output<ReturnType<typeof listPageSchema>>) {
  return { statuses: status, sort, fields, page, perPage: per_page };
}

const parameters = listPageSchema();

/** GET /lists/{id}: a page of its records, as of a search, with what is noted of each (contract A16). */
export function listPage(deps: AppDeps): Endpoint {
  return {
    operationId: 'readList',
    tag: 'Lists',
    summary: 'Get a list with its records',
    description:
      'Pages the records of a list as searches do, each with your note and status. The parameter `list` of searches, facets, exports and pushes takes all its records together with filters.',
    access: 'key',
    path: listPath,
    query: parameters,
    answer: {
      description: 'A page of the list.',
      schema: listPageAnswer,
      example,
      headers: { ...paging, ...versioned },
    },
    errors: ['search_unavailable', 'not_found'],
    async handle(req, res) {
      const { id } = req.params;
      const { values, given } = readParameters(req.originalUrl, parameters);
      const { answer, version, page } = await answerList(deps, id, toListPage(values), keyOf(res), callerOf(res));
      const links = pageLinks(`${deps.publicUrl}/api/v1/lists/${encodeURIComponent(id)}`, given, page);
      if (links !== '') res.set('Link', links);
      res.set('ETag', `"${version}.${hash('sha1', JSON.stringify(answer), 'base64url')}"`);
      await sendJson(res, answer);
    },
  };
}

/** The answer, for MCP too. */
export async function answerList(
  deps: Pick<AppDeps, 'lists' | 'mergedIds' | 'index' | 'now'>,
  id: string,
  { fields, ...request }: ListPageRequest & { fields: readonly RecordKey[] | null },
  key: StoredKey,
  caller: Caller,
) {
  const list = await openList(deps, id, key);
  const { page, count, left } = await readList(deps, list, request, caller, deps.now());
  const answer = {
    ...presentList({ ...headOf(list), count }),
    left,
    results: page.records.map((record) => {
      const { note = null, status = 'none', addedAt = list.createdAt } = list.byRecord.get(record.id) ?? {};
      return { record: pickKeys(record, fields ?? undefined), note, status, added_at: addedAt };
    }),
    total: page.total,
    page: page.page,
    per_page: page.perPage,
    total_pages: page.totalPages,
    masked: page.isMasked,
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
        record: z.union([recordAnswer, selectedRecordAnswer]),
        note: z.string().nullable(),
        status: z.enum(listStatuses),
        added_at: moment,
      }),
    ),
    total: count.describe('The records of the list, or those of the statuses asked for.'),
    page: z.int().min(1),
    per_page: z.int().min(1).max(100),
    total_pages: count,
    masked: z.boolean().describe('Whether addresses are masked, for lack of an active plan.'),
  })
  .meta({ id: 'ListPage' });

const example = {
  ...exampleList,
  count: 1,
  left: 0,
  results: [{ record: exampleRecord, note: 'Met in May', status: 'contacted', added_at: exampleList.created_at }],
  total: 1,
  page: 1,
  per_page: 20,
  total_pages: 1,
  masked: true,
};
