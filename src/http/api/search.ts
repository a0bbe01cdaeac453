import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { pickKeys } from '#records/fields.ts';
import type { RecordKey, SelectedRecord } from '#records/media-record.ts';
import { openQuery } from '#search/lists.ts';
import { maxRow } from '#search/search-query.ts';
import { type SearchPage, type SearchRequest, searchRecords } from '#search/search-records.ts';
import type { AppDeps } from '../app-deps.ts';
import { sendRevalidatable } from '../etags.ts';
import { type Api, corrected, count, jsonAnswer, keyOrNone, matchedBy, notModified, ofSearch } from '../openapi/api.ts';
import { caching, paging } from '../openapi/headers.ts';
import type { FaultDetails } from '../parse/faults.ts';
import { fieldsParameter, repeatableFields } from '../parse/fields-parameter.ts';
import {
  defaultPerPage,
  pageParameter,
  perPageParameter,
  queryParameters,
  querySchema,
  sortParameter,
  toSearchQuery,
} from '../parse/parameters.ts';
import { type ParameterSet, readParameters } from '../parse/read-parameters.ts';
import { exampleRecord, recordAnswer, selectedRecordAnswer } from '../present/present-record.ts';
import { callerOf } from '../request-state.ts';

const pageShape = {
  sort: sortParameter.optional(),
  fields: fieldsParameter.optional(),
  page: pageParameter.optional(),
  per_page: perPageParameter.optional(),
};

const searchSchema = querySchema(pageShape).refine(isReachable, {
  // Checked even if another parameter is invalid, so the caller learns of everything at once.
  when: ({ value }) => typeof value === 'object',
  path: ['page'],
  message: `page × per_page must not exceed ${maxRow}. Narrow the search, or get all results from GET /api/v1/export with the same filters.`,
  params: { code: 'page_too_deep' } satisfies FaultDetails,
});

/** The search, and the keys to show of each record; null for all. */
type AskedSearch = SearchRequest & { fields: readonly RecordKey[] | null };

export const searchParameters: ParameterSet<AskedSearch> = {
  schema: searchSchema.transform((parameters) => ({
    query: toSearchQuery(parameters),
    sort: parameters.sort ?? { key: 'relevance', reversed: false },
    page: parameters.page ?? 1,
    perPage: parameters.per_page ?? defaultPerPage,
    fields: parameters.fields ?? null,
  })),
  names: [...queryParameters.names, ...Object.keys(pageShape)],
  repeatable: queryParameters.repeatable.union(repeatableFields),
};

function isReachable({ page = 1, per_page = defaultPerPage }: Readonly<Record<string, unknown>>): boolean {
  return typeof page !== 'number' || typeof per_page !== 'number' || page * per_page <= maxRow;
}

/** GET /search: a page of the records that match (contract A3). */
export function handleSearch(deps: AppDeps): RequestHandler {
  const { index, now, publicUrl } = deps;
  const url = `${publicUrl}/api/v1/search`;
  return async (req, res) => {
    const { values: request, given } = readParameters(req.originalUrl, searchParameters);
    const { query } = await openQuery(deps, request.query, callerOf(res));
    const page = await searchRecords(index, { ...request, query }, callerOf(res), now());
    const links = pageLinks(url, given, page);
    if (links !== '') res.set('Link', links);
    await sendRevalidatable(res, presentPage(page, request.fields));
  };
}

/** Maximum bytes of a Link header: proxies and clients accept answers with 8 or 16 kB of headers. */
const maxHeaderLength = 6_000;

/**
 * The Link header of a page (RFC 8288): first, prev, next and last, where `last` is the last reachable page. Each has
 * the request's own parameters with another `page`. If a very long query would make the header too long for proxies,
 * only the links that fit are included, next and prev before first and last.
 */
export function pageLinks(url: string, given: URLSearchParams, { page, perPage, totalPages }: PageNumbers): string {
  const last = Math.max(Math.min(totalPages, Math.floor(maxRow / perPage)), 1);
  const pages = new Map([['first', 1]]);
  if (page > 1) pages.set('prev', Math.min(page - 1, last));
  if (page < last) pages.set('next', page + 1);
  pages.set('last', last);

  const links = [...pages].map(([rel, target]) => ({ rel, text: `<${pageUrl(url, given, target)}>; rel="${rel}"` }));
  const fitting = new Set<string>();
  let room = maxHeaderLength;
  for (const { rel, text } of links.toSorted((a, b) => urgency(b.rel) - urgency(a.rel))) {
    room -= text.length + 2;
    if (room >= 0) fitting.add(rel);
  }
  return links.flatMap(({ rel, text }) => (fitting.has(rel) ? text : [])).join(', ');
}

type PageNumbers = Pick<SearchPage, 'page' | 'perPage' | 'totalPages'>;

function urgency(rel: string): number {
  return rel === 'next' || rel === 'prev' ? 1 : 0;
}

function pageUrl(url: string, given: URLSearchParams, page: number): string {
  const parameters = new URLSearchParams(given);
  parameters.delete('page');
  parameters.append('page', String(page));
  return `${url}?${parameters}`;
}

export const searchAnswer = z
  .strictObject({
    results: z.array(recordAnswer),
    total: count.describe('The exact number of matching records.'),
    page: z.int().min(1),
    per_page: z.int().min(1).max(100),
    total_pages: count.describe('Includes pages too deep to reach.'),
    masked: z.boolean().describe('Whether addresses are masked, for lack of an active plan.'),
    corrected,
    match: matchedBy,
  })
  .meta({ id: 'SearchPage' });

/** The same for callers who ask for some keys of records. */
export const selectedSearchAnswer = z
  .strictObject({ ...searchAnswer.shape, results: z.array(selectedRecordAnswer) })
  .meta({
    id: 'SelectedSearchPage',
    description: 'A page of records with the keys that the parameter `fields` names.',
  });

export const pageAnswer = z.union([searchAnswer, selectedSearchAnswer]);

/** A page as answers contain it, with these keys of each record; null for all. */
export function presentPage(
  page: SearchPage,
  keys: readonly RecordKey[] | null,
): Omit<z.output<typeof searchAnswer>, 'results'> & { results: SelectedRecord[] } {
  return {
    results: page.records.map((record) => pickKeys(record, keys ?? undefined)),
    total: page.total,
    page: page.page,
    per_page: page.perPage,
    total_pages: page.totalPages,
    masked: page.isMasked,
    ...(page.isCorrected && { corrected: true }),
    ...(page.match && { match: page.match }),
  };
}

export const examplePage = { results: [exampleRecord], total: 1, page: 1, per_page: 20, total_pages: 1, masked: true };

export function describeSearch({ problems }: Api): ZodOpenApiOperationObject {
  return {
    operationId: 'search',
    tags: ['Media'],
    summary: 'Search media',
    description:
      "Returns one page of results. Without `q`, the largest audience comes first. A record must match every parameter, and any of a parameter's values. Emails are masked unless you send a key with an active plan.",
    security: keyOrNone,
    requestParams: { query: searchSchema },
    responses: {
      200: jsonAnswer('One page of matching records.', pageAnswer, examplePage, { ...paging, ...caching }),
      304: notModified,
      ...problems([...ofSearch, 'page_too_deep', 'meaning_unavailable']),
    },
  };
}
