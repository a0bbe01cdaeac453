import { z } from 'zod';
import { filterFields, presenceFields } from '#domain/fields.ts';
import { type Filter, maxRow, type SearchQuery } from '#domain/search/search-query.ts';
import type { SearchRequest } from '#usecases/search-records.ts';
import {
  filterParameter,
  pageParameter,
  perPageParameter,
  presenceParameter,
  sortParameter,
  textParameter,
  usualPerPage,
} from './parameters.ts';
import type { ParameterSet } from './read-parameters.ts';

/** One schema a filter of the registry: a new filterable field needs no line here. */
const filterShape: Record<string, z.ZodType<Filter | null | undefined>> = Object.fromEntries([
  ...filterFields.map((field) => [field.filter.parameter, filterParameter(field).optional()]),
  ...presenceFields.map((field) => [field.presence.parameter, presenceParameter(field).optional()]),
]);
const repeatable = new Set(filterFields.map((field) => field.filter.parameter));

const queryShape = { q: textParameter.optional() };
const pageShape = {
  sort: sortParameter.optional(),
  page: pageParameter.optional(),
  per_page: perPageParameter.optional(),
};

/** The parameters by which a set of records is chosen: those of /facets. */
export const querySchema = z.object({ ...filterShape, ...queryShape });

/** The parameters of /search. */
export const searchSchema = z.object({ ...filterShape, ...queryShape, ...pageShape }).refine(isReachable, {
  // Asked even where another parameter is wrong, so that the caller learns of everything at once.
  when: ({ value }) => typeof value === 'object',
  path: ['page'],
  message: `page × per_page must not exceed ${maxRow}. Narrow the search, or get all results from GET /api/v1/export with the same filters.`,
  params: { code: 'page_too_deep' },
});

/** Without parameters, the whole database. */
export const queryParameters: ParameterSet<SearchQuery> = {
  schema: querySchema.transform(toSearchQuery),
  names: ['q', ...Object.keys(filterShape)],
  repeatable,
};

export const searchParameters: ParameterSet<SearchRequest> = {
  schema: searchSchema.transform((parameters) => ({
    query: toSearchQuery(parameters),
    sort: parameters.sort ?? { key: 'relevance', reversed: false },
    page: parameters.page ?? 1,
    perPage: parameters.per_page ?? usualPerPage,
  })),
  names: [...queryParameters.names, ...Object.keys(pageShape)],
  repeatable,
};

/** For paths that take no parameter. */
export const noParameters: ParameterSet<object> = { schema: z.object({}), names: [], repeatable: new Set() };

export function toSearchQuery({ q = null, ...others }: z.output<typeof querySchema>): SearchQuery {
  const read = Object.entries<Filter | null | undefined>(others).filter(([name]) => Object.hasOwn(filterShape, name));
  return { text: q, filters: read.flatMap(([, filter]) => filter ?? []) };
}

function isReachable({ page = 1, per_page = usualPerPage }: z.output<typeof querySchema> & PageNumbers): boolean {
  return typeof page !== 'number' || typeof per_page !== 'number' || page * per_page <= maxRow;
}

interface PageNumbers {
  page?: number | undefined;
  per_page?: number | undefined;
}
