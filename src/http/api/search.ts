import { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import { pickKeys } from '#records/fields.ts';
import type { RecordKey, SelectedRecord } from '#records/media-record.ts';
import { openQuery } from '#search/lists.ts';
import { maxRow, type Sort } from '#search/search-query.ts';
import { type SearchPage, type SearchRequest, searchRecords } from '#search/search-records.ts';
import { caching, howMatched, notModified, pageNumbers, paging } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
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
import { exampleRecord, fieldsParameter, recordAnswer, selectedRecordAnswer } from '../record-answer.ts';
import { callerOf } from '../request-state.ts';
import { sendRevalidatable } from '../send.ts';
import { suggestion, suggestSearches } from '../suggest-searches.ts';

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
    query: parameters,
    answer: { schema: pageAnswer, example: examplePage, headers: { ...paging, ...caching } },
    others: notModified,
    errors: ['search_unavailable', 'page_too_deep', 'meaning_unavailable', 'key_missing', 'not_found'],
    async handle(req, res) {
      const { values, given } = readParameters(req.originalUrl, parameters);
      const { page, suggestions } = await findPage(deps, toSearchRequest(values), given, callerOf(res));
      res.set(pageLinks(`${deps.publicUrl}/api/v1/search`, given, page));
      await sendRevalidatable(res, presentPage(page, values.fields, suggestions));
    },
  };
}

/** A page of records, and what to ask instead if there are none; for MCP too. `given`: the parameters of the request. */
export async function findPage(
  deps: Pick<AppDeps, 'index' | 'lists' | 'mergedIds' | 'now'>,
  request: SearchRequest,
  given: URLSearchParams,
  caller: Caller,
) {
  const { query } = await openQuery(deps, request.query, caller);
  const page = await searchRecords(deps.index, { ...request, query }, caller, deps.now());
  const suggestions = page.total === 0 ? await suggestSearches(deps, given, caller) : undefined;
  return { page, suggestions };
}

/** Maximum bytes of a Link header: proxies and clients accept answers with 8 or 16 kB of headers. */
const maxHeaderLength = 6_000;

/**
 * The Link header of a page (RFC 8288), with the request's own parameters; `last` is the last reachable page. Of a very
 * long query, only the links that fit are included, next and prev before first and last.
 */
export function pageLinks(
  url: string,
  given: URLSearchParams,
  { page, perPage, totalPages }: Pick<SearchPage, 'page' | 'perPage' | 'totalPages'>,
): { Link?: string } {
  const last = Math.max(Math.min(totalPages, Math.floor(maxRow / perPage)), 1);
  const linkTo = (rel: string, target: number) => {
    const parameters = new URLSearchParams(given);
    parameters.delete('page');
    parameters.append('page', String(target));
    return `<${url}?${parameters}>; rel="${rel}"`;
  };
  const near = [
    ...(page > 1 ? [linkTo('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [linkTo('next', page + 1)] : []),
  ];
  const fitting = [[linkTo('first', 1), ...near, linkTo('last', last)], near, near.slice(-1)]
    .map((links) => links.join(', '))
    .find((links) => links.length <= maxHeaderLength);
  return fitting ? { Link: fitting } : {};
}

export const searchAnswer = z
  .strictObject({
    results: z.array(recordAnswer),
    ...pageNumbers,
    ...howMatched,
    suggestions: suggestion
      .array()
      .max(3)
      .optional()
      .describe('Present if nothing was found: requests that find something, each with one part dropped or corrected.'),
  })
  .meta({ id: 'SearchPage' });

const selectedSearchAnswer = z.strictObject({ ...searchAnswer.shape, results: z.array(selectedRecordAnswer) }).meta({
  id: 'SelectedSearchPage',
  description: 'A page of records with the keys that the parameter `fields` names.',
});

export const pageAnswer = z.union([searchAnswer, selectedSearchAnswer]);

/** A page as answers contain it, with these keys of each record; null for all. */
export function presentPage(
  page: SearchPage,
  keys: readonly RecordKey[] | null,
  suggestions?: z.output<typeof searchAnswer>['suggestions'],
): Omit<z.output<typeof searchAnswer>, 'results'> & { results: SelectedRecord[] } {
  return {
    results: page.records.map((record) => pickKeys(record, keys)),
    ...presentNumbers(page),
    ...(page.isCorrected && { corrected: true }),
    ...(page.match && { match: page.match }),
    ...(suggestions && { suggestions }),
  };
}

export function presentNumbers({ total, page, perPage, totalPages, isMasked }: SearchPage) {
  return { total, page, per_page: perPage, total_pages: totalPages, masked: isMasked };
}

export const examplePage = { results: [exampleRecord], total: 1, page: 1, per_page: 20, total_pages: 1, masked: true };
