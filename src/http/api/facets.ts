import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { facetFields, type OpenFacetField } from '#records/fields.ts';
import { audienceSteps } from '#search/audience-steps.ts';
import { openQuery } from '#search/lists.ts';
import type { FacetCounts, SearchIndex } from '#search/search-index.ts';
import type { SearchQuery } from '#search/search-query.ts';
import type { AppDeps } from '../app-deps.ts';
import { sendRevalidatable } from '../etags.ts';
import { type Api, corrected, count, jsonAnswer, keyOrNone, matchedBy, notModified, ofSearch } from '../openapi/api.ts';
import { caching } from '../openapi/headers.ts';
import { queryParameters, querySchema, switchParameter, switchValues, toSearchQuery } from '../parse/parameters.ts';
import { closedParameter } from '../parse/patterns.ts';
import { type ParameterSet, readParameters } from '../parse/read-parameters.ts';
import { callerOf } from '../request-state.ts';

/** GET /facets: how many records there are of each kind, country and so on, under the filters of /search (contract A4). */
export function handleFacets(deps: AppDeps): RequestHandler {
  return async (req, res) => {
    const { values } = readParameters(req.originalUrl, facetParameters);
    const { query } = await openQuery(deps, values.query, callerOf(res));
    await sendRevalidatable(res, await countFacets(deps.index, query, values.audiences));
  };
}

/** The answer for a query, with a histogram of the audience if it is asked for. */
export async function countFacets(index: SearchIndex, query: SearchQuery, withAudiences: boolean) {
  const [facets, audiences] = await Promise.all([
    index.countFacets(query),
    withAudiences ? index.countAudiences(query) : null,
  ]);
  return { ...presentFacets(facets, audiences), ...(query.match && { match: query.match }) };
}

const audiencesParameter = switchParameter('audiences').meta({
  description: '1: the answer has `audiences`: how many records there are by the size of their audience.',
  override: closedParameter(switchValues),
});

const facetShape = { audiences: audiencesParameter.optional() };

export const facetParameters: ParameterSet<{ query: SearchQuery; audiences: boolean }> = {
  schema: querySchema(facetShape).transform((parameters) => ({
    query: toSearchQuery(parameters),
    audiences: parameters.audiences ?? false,
  })),
  names: [...queryParameters.names, ...Object.keys(facetShape)],
  repeatable: queryParameters.repeatable,
};

const facetCount = z
  .strictObject({
    value: z.string().describe('The value to filter by.'),
    label: z.string().describe('English text to display.'),
    count: z.int().min(1),
  })
  .meta({ id: 'FacetCount' });

const audienceCount = z
  .strictObject({
    min: count.describe('For `min_audience`.'),
    max: count.nullable().describe('For `max_audience`; null in the last step.'),
    count,
  })
  .meta({ id: 'AudienceCount' });

const openFacets = facetFields.filter(({ facet }) => facet.isOpen) as ((typeof facetFields)[number] & {
  key: OpenFacetField;
})[];

export const facetsAnswer = z
  .strictObject({ total: count.describe('The number of records that match all filters.') })
  .extend(Object.fromEntries(facetFields.map(({ facet }) => [facet.list, z.array(facetCount)])))
  .extend({
    more: z
      .strictObject(Object.fromEntries(openFacets.map(({ facet }) => [facet.list, count])))
      .describe('How many values the lists have besides the 100 largest, where sources write whatever they like.'),
    audiences: z
      .array(audienceCount)
      .optional()
      .describe(
        'Present with `audiences=1`: all steps, ascending, under all filters but `min_audience` and `max_audience`.',
      ),
    corrected,
    match: matchedBy,
  })
  .meta({ id: 'Facets', description: 'Largest count first. Each list applies all filters except its own.' });

/** The total, then the lists of the registry in their order, and the counts of the steps of the audience. */
function presentFacets({ total, counts, more, isCorrected }: FacetCounts, audiences: readonly number[] | null) {
  return {
    total,
    ...presentLists(counts),
    more: presentMore(more),
    ...(audiences && { audiences: audiences.map(presentStep) }),
    ...(isCorrected && { corrected: true as const }),
  };
}

function presentStep(count: number, step: number): z.output<typeof audienceCount> {
  const next = audienceSteps[step + 1];
  return { min: audienceSteps[step] ?? 0, max: next === undefined ? null : next - 1, count };
}

/** The lists of the registry by their names, in their order. */
export function presentLists(counts: FacetCounts['counts']): Record<string, z.output<typeof facetCount>[]> {
  const lists = facetFields.map(({ key, facet }) => [
    facet.list,
    counts[key].map(({ value, count }) => ({ value, label: facet.label(value), count })),
  ]);
  return Object.fromEntries(lists);
}

/** How many values the open lists have besides, by their names. */
export function presentMore(more: FacetCounts['more']): Record<string, number> {
  return Object.fromEntries(openFacets.map(({ key, facet }) => [facet.list, more[key]]));
}

const example = {
  total: 12,
  countries: [
    { value: 'US', label: 'United States', count: 9 },
    { value: 'GB', label: 'United Kingdom', count: 3 },
  ],
  kinds: [{ value: 'outlet', label: 'Outlet', count: 12 }],
  types: [{ value: 'newspaper', label: 'Newspaper', count: 12 }],
  categories: [{ value: 'politics', label: 'Politics', count: 4 }],
  continents: [
    { value: 'north_america', label: 'North America', count: 9 },
    { value: 'europe', label: 'Europe', count: 3 },
  ],
  coverages: [{ value: 'regional', label: 'Regional', count: 12 }],
  city_sizes: [{ value: 'large', label: 'Large', count: 2 }],
  languages: [{ value: 'en', label: 'English', count: 12 }],
  tags: [{ value: 'Harbour Media Group', label: 'Harbour Media Group', count: 2 }],
  more: { tags: 0 },
};

export function describeFacets({ problems }: Api): ZodOpenApiOperationObject {
  return {
    operationId: 'countFacets',
    tags: ['Media'],
    summary: 'Count media by kind, country and more',
    description:
      'Without parameters, counts the whole database. Each list applies all filters except its own, so you can show the alternatives.',
    security: keyOrNone,
    requestParams: { query: querySchema(facetShape) },
    responses: {
      200: jsonAnswer('Every value with at least one record.', facetsAnswer, example, caching),
      304: notModified,
      ...problems(ofSearch),
    },
  };
}
