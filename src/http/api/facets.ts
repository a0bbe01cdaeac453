import { z } from 'zod';
import { facetFields, type OpenFacetField } from '#records/fields.ts';
import { audienceSteps } from '#search/facet-groups.ts';
import { openQuery } from '#search/lists/lists.ts';
import type { FacetCounts } from '#search/search-index.ts';
import { ofRows, type SearchQuery } from '#search/search-query.ts';
import { answerObject, caching, count, howMatched, notModified, presentDropped } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { switchParameter } from '../parse/parameter-kinds.ts';
import { querySchema, toSearchQuery } from '../parse/query-parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { rowsParameter } from '../parse/result-parameters.ts';
import { callerOf } from '../request-state.ts';
import { sendRevalidatable } from '../send.ts';

const parameters = querySchema({
  rows: rowsParameter,
  audiences: switchParameter('audiences')
    .optional()
    .describe('1: the answer has `audiences`: how many records there are by the size of their audience.'),
});

export function facets(deps: AppDeps): Endpoint {
  return {
    operationId: 'countFacets',
    access: 'key or none',
    scope: 'search',
    query: parameters,
    answer: { schema: facetsAnswer, headers: caching },
    others: notModified,
    errors: ['search_unavailable', 'meaning_unavailable', 'key_missing', 'not_found'],
    async handle(req, res) {
      const { values, givenParameters } = readParameters(req.originalUrl, parameters);
      const { audiences = false, rows } = values;
      const { query: openedQuery } = await openQuery(deps, toSearchQuery(values), callerOf(res), rows);
      const query = ofRows(openedQuery, rows);
      await sendRevalidatable(
        res,
        presentFacets(await deps.index.countFacets(query, { audiences }), query, givenParameters.get('q')),
      );
    },
  };
}

const facetCount = answerObject('FacetCount', {
  value: z.string().describe('The value to filter by.'),
  label: z.string().describe('English text to display.'),
  count: z.int().min(1),
});

const audienceCount = answerObject('AudienceCount', {
  min: count.describe('For `min_audience`.'),
  max: count.nullable().describe('For `max_audience`; null in the last step.'),
  count,
});

const openFacets = facetFields.filter(({ facet }) => facet.isOpen) as ((typeof facetFields)[number] & {
  key: OpenFacetField;
})[];

export const facetsAnswer = z
  .strictObject({
    total: count.describe('The number of records, or of contacts with `rows=contacts`, that match all filters.'),
  })
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
    ...howMatched,
  })
  .meta({ id: 'Facets', description: 'Largest count first. Each list applies all filters except its own.' });

/** The total, then the lists of the registry in their order, and the counts of the steps of the audience. `q`: the text as typed. */
export function presentFacets(
  { total, counts, more, isCorrected, dropped, audiences }: FacetCounts,
  { match }: SearchQuery,
  q: string | null,
) {
  const lists = facetFields.map(({ key, facet }) => [
    facet.list,
    counts[key].map(({ value, count }) => ({ value, label: facet.label(value), count })),
  ]);
  return {
    total,
    ...(Object.fromEntries(lists) as Record<string, z.output<typeof facetCount>[]>),
    more: Object.fromEntries(openFacets.map(({ key, facet }) => [facet.list, more[key]])) as Record<string, number>,
    ...(audiences && { audiences: audiences.map(presentStep) }),
    ...(isCorrected && { corrected: true as const }),
    ...(match && { match }),
    ...presentDropped(dropped, q),
  };
}

function presentStep(count: number, step: number): z.output<typeof audienceCount> {
  const next = audienceSteps[step + 1];
  return { min: audienceSteps[step] ?? 0, max: next === undefined ? null : next - 1, count };
}
