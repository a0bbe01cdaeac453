import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { maxRow } from '#domain/search/search-query.ts';
import { type SearchPage, type SearchRequest, searchRecords } from '#usecases/search-records.ts';
import type { AppDeps } from '../app-deps.ts';
import { sendRevalidatable } from '../etags.ts';
import { type Api, count, jsonAnswer, keyOrNone, notModified, ofSearch } from '../openapi/api.ts';
import { caching, paging } from '../openapi/headers.ts';
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
import { pageLinks } from '../present/page-links.ts';
import { exampleRecord, presentRecord, recordAnswer } from '../present/present-record.ts';
import { callerOf } from '../request-state.ts';

const pageShape = {
  sort: sortParameter.optional(),
  page: pageParameter.optional(),
  per_page: perPageParameter.optional(),
};

const searchSchema = querySchema.extend(pageShape).refine(isReachable, {
  // Checked even if another parameter is invalid, so the caller learns of everything at once.
  when: ({ value }) => typeof value === 'object',
  path: ['page'],
  message: `page × per_page must not exceed ${maxRow}. Narrow the search, or get all results from GET /api/v1/export with the same filters.`,
  params: { code: 'page_too_deep' },
});

export const searchParameters: ParameterSet<SearchRequest> = {
  schema: searchSchema.transform((parameters) => ({
    query: toSearchQuery(parameters),
    sort: parameters.sort ?? { key: 'relevance', reversed: false },
    page: parameters.page ?? 1,
    perPage: parameters.per_page ?? defaultPerPage,
  })),
  names: [...queryParameters.names, ...Object.keys(pageShape)],
  repeatable: queryParameters.repeatable,
};

interface PageNumbers {
  page?: number | undefined;
  per_page?: number | undefined;
}

function isReachable({ page = 1, per_page = defaultPerPage }: z.output<typeof querySchema> & PageNumbers): boolean {
  return typeof page !== 'number' || typeof per_page !== 'number' || page * per_page <= maxRow;
}

/** GET /search: a page of the records that match (contract A3). */
export function handleSearch({ index, now, publicUrl }: AppDeps): RequestHandler {
  const url = `${publicUrl}/api/v1/search`;
  return async (req, res) => {
    const { values: request, given } = readParameters(req.originalUrl, searchParameters);
    const page = await searchRecords(index, request, callerOf(res), now());
    const links = pageLinks(url, given, page);
    if (links !== '') res.set('Link', links);
    sendRevalidatable(res, presentPage(page));
  };
}

export const searchAnswer = z
  .strictObject({
    results: z.array(recordAnswer),
    total: count.describe('The exact number of matching records.'),
    page: z.int().min(1),
    per_page: z.int().min(1).max(100),
    total_pages: count.describe('Includes pages too deep to reach.'),
    masked: z.boolean().describe('Whether addresses are masked, for lack of an active plan.'),
  })
  .meta({ id: 'SearchPage' });

function presentPage({
  records,
  total,
  page,
  perPage,
  totalPages,
  isMasked,
}: SearchPage): z.output<typeof searchAnswer> {
  return {
    results: records.map(presentRecord),
    total,
    page,
    per_page: perPage,
    total_pages: totalPages,
    masked: isMasked,
  };
}

const example = { results: [exampleRecord], total: 1, page: 1, per_page: 20, total_pages: 1, masked: true };

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
      200: jsonAnswer('One page of matching records.', searchAnswer, example, { ...paging, ...caching }),
      304: notModified,
      ...problems([...ofSearch, 'page_too_deep']),
    },
  };
}
