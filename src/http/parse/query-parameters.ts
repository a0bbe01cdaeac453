import { z } from 'zod';
import { filterFields, presenceFields } from '#domain/fields.ts';
import type { Filter, SearchQuery } from '#domain/search/search-query.ts';
import { filterParameter, presenceParameter, textParameter } from './parameters.ts';
import type { ParameterSet } from './read-parameters.ts';

/** One schema per filter of the registry: a new filterable field needs no line here. */
const filterShape: Record<string, z.ZodType<Filter | null | undefined>> = Object.fromEntries([
  ...filterFields.map((field) => [field.filter.parameter, filterParameter(field).optional()]),
  ...presenceFields.map((field) => [field.presence.parameter, presenceParameter(field).optional()]),
]);

/** The parameters that select records in /search, /facets, /export and pushes. */
export const querySchema = z.object({ ...filterShape, q: textParameter.optional() });

/** Without parameters, the whole database. */
export const queryParameters: ParameterSet<SearchQuery> = {
  schema: querySchema.transform(toSearchQuery),
  names: ['q', ...Object.keys(filterShape)],
  repeatable: new Set(filterFields.map((field) => field.filter.parameter)),
};

/** For paths without parameters. */
export const noParameters: ParameterSet<object> = { schema: z.object({}), names: [], repeatable: new Set() };

export function toSearchQuery({ q = null, ...others }: z.output<typeof querySchema>): SearchQuery {
  const read = Object.entries<Filter | null | undefined>(others).filter(([name]) => Object.hasOwn(filterShape, name));
  return { text: q, filters: read.flatMap(([, filter]) => filter ?? []) };
}
