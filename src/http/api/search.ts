import type { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import { openQuery } from '#search/lists.ts';
import type { Sort } from '#search/search-query.ts';
import { type SearchRequest, searchRecords } from '#search/search-records.ts';
import { caching, notModified } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { examplePage, pageLinks, paging, presentPage, searchAnswer } from '../page-answer.ts';
import {
  aboutFilters,
  defaultPerPage,
  pageShape,
  querySchema,
  reachable,
  sortParameter,
  toSearchQuery,
} from '../parse/parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { fieldsParameter } from '../record-answer.ts';
import { callerOf } from '../request-state.ts';
import { sendRevalidatable } from '../send.ts';
import { suggestSearches } from '../suggest-searches.ts';

export function searchSchema<Shape extends z.ZodRawShape>(others: Shape) {
  return querySchema({ sort: sortParameter, ...others }).refine(reachable.isReachable, reachable.orElse);
}

const parameters = searchSchema({ fields: fieldsParameter, ...pageShape() });

export function toSearchRequest(given: { sort: Sort; page: number; per_page?: number }): SearchRequest {
  const { sort, page, per_page: perPage = defaultPerPage, ...others } = given;
  return { query: toSearchQuery(others), sort, page, perPage };
}

export function search(deps: AppDeps): Endpoint {
  return {
    operationId: 'search',
    tag: 'Media',
    summary: 'Search media',
    description: `Returns one page of results. Without \`q\`, the largest audience comes first. ${aboutFilters} Emails are masked unless you send a key with an active plan.`,
    access: 'key or none',
    scope: 'search',
    query: parameters,
    answer: { schema: searchAnswer, example: examplePage, headers: { ...paging, ...caching } },
    others: notModified,
    errors: ['search_unavailable', 'page_too_deep', 'meaning_unavailable', 'key_missing', 'not_found'],
    async handle(req, res) {
      const { values, given } = readParameters(req.originalUrl, parameters);
      const { page, suggestions } = await findPage(deps, toSearchRequest(values), given, callerOf(res));
      res.set(pageLinks(`${deps.publicUrl}/api/v1/search`, given, page));
      await sendRevalidatable(res, presentPage(page, values.fields, { q: given.get('q'), suggestions }));
    },
  };
}

/** A page of records, and what to ask instead if there are none. `given`: the parameters of the request. */
export async function findPage(
  deps: Pick<AppDeps, 'index' | 'lists' | 'mergedIds' | 'now'>,
  request: SearchRequest,
  given: URLSearchParams,
  caller: Caller,
) {
  const { query } = await openQuery(deps, request.query, caller);
  const asked = request.page === 1 ? { ...query, also: true as const } : query;
  const page = await searchRecords(deps.index, { ...request, query: asked }, caller, deps.now());
  const suggestions = page.total === 0 ? await suggestSearches(deps, given, caller, query.rows) : undefined;
  return { page, suggestions };
}
