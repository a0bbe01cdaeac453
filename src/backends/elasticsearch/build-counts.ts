import type { estypes } from '@elastic/elasticsearch';
import { isContactField } from '#records/contacts/contact-fields.ts';
import type { Condition } from '#search/conditions/conditions.ts';
import { splitFilters } from '#search/contact-filters.ts';
import { audienceSteps, type FacetGroup, isOpenFacet, openFacetValues } from '#search/facet-groups.ts';
import type { AskedPart } from '#search/plans/asked-parts.ts';
import type { Filter } from '#search/search-query.ts';
import { buildCondition, type RenderedQuery, testContact } from './build-condition.ts';
import { countedField } from './index-document.ts';
import { type Render, renderCondition } from './render-text-query.ts';
import { countBody, type SearchBody, withTotal } from './search-body.ts';

type Aggregations = Record<string, estypes.AggregationsAggregationContainer>;

/** More values than any facet has. */
const maxFacetValues = 10_000;

/** Counts the records of a query exactly. */
export function buildCount(query: RenderedQuery | null, filters: readonly Filter[]): SearchBody {
  return withTotal(countBody(buildCondition(query, filters)));
}

/** Counts the values of a group of facets. */
export function buildFacets(query: RenderedQuery | null, group: FacetGroup): SearchBody {
  return { ...countBody(buildCondition(query, group.filters)), aggs: countValues(group) };
}

/**
 * The same for all groups of a text, in one request: the engine takes longer to find what the text matches than to filter that.
 * The total is that of the text without filters. Read the answer with splitGroups.
 */
export function buildGroups(
  query: RenderedQuery,
  groups: readonly FacetGroup[],
  ofAudiences: readonly Filter[] | null,
): SearchBody {
  const among = (filters: readonly Filter[], aggs: Aggregations) => ({ filter: buildCondition(null, filters), aggs });
  const parts = groups.map((group) => among(group.filters, countValues(group)));
  if (ofAudiences !== null) parts.push(among(ofAudiences, countAudiences()));
  const aggs = Object.fromEntries(parts.map((part, place) => [groupName(place), part]));
  return withTotal({ ...countBody(buildCondition(query, [])), aggs });
}

/** The name of the answer to a group of buildGroups. */
export const groupName = (place: number) => `group_${place}`;

function countValues({ fields, filters }: FacetGroup): Aggregations {
  const aggs = fields.map((key) => {
    const terms = { field: countedField(key), size: isOpenFacet(key) ? openFacetValues : maxFacetValues };
    if (!isContactField(key)) return [key, { terms }];
    const byMedia = {
      terms: { ...terms, order: [{ media: 'desc' }, { _key: 'asc' }] },
      aggs: { media: { reverse_nested: {} } },
    };
    return [key, ofPassingContacts(filters, byMedia)];
  });
  return Object.fromEntries(aggs);
}

/**
 * Counts how many values facets have; of several thousand, a few per ten thousand too many or too few. It takes as long as
 * buildFacets, so ask only for facets with more values than are read.
 */
export function buildDistinct(query: RenderedQuery | null, { fields, filters }: FacetGroup): SearchBody {
  const aggs = fields.map((key) => {
    const distinct = { cardinality: { field: countedField(key), precision_threshold: 40_000 } };
    return [key, isContactField(key) ? ofPassingContacts(filters, distinct) : distinct];
  });
  return { ...countBody(buildCondition(query, filters)), aggs: Object.fromEntries(aggs) };
}

/** Counts `values` in the contacts that pass the filters of contacts. */
function ofPassingContacts(filters: readonly Filter[], values: object) {
  const passing = { bool: { filter: splitFilters(filters).ofContact.map(testContact) } };
  return { nested: { path: 'contacts' }, aggs: { passing: { filter: passing, aggs: { values } } } };
}

/** The records in each step of the audience. */
export function buildAudiences(query: RenderedQuery | null, filters: readonly Filter[]): SearchBody {
  return { ...countBody(buildCondition(query, filters)), aggs: countAudiences() };
}

function countAudiences(): Aggregations {
  const ranges = audienceSteps.map((from, step) => ({
    from,
    ...(step + 1 in audienceSteps && { to: audienceSteps[step + 1] }),
  }));
  return { audiences: { range: { field: 'order.audience', ranges } } };
}

/** How many of the records have each part of the text. */
export function buildAsked(
  query: RenderedQuery | null,
  filters: readonly Filter[],
  parts: readonly AskedPart[],
): SearchBody {
  return countingAsked(countBody(buildCondition(query, filters)), parts, query?.render);
}

/** The same request, whose answer also says how many of the found records meet each of these. Read it with readAsked. */
export function countingAsked(
  body: SearchBody,
  parts: readonly { condition: Condition }[],
  render: Render = renderCondition,
): SearchBody {
  if (parts.length === 0) return body;
  const filters = parts.map(({ condition }) => render(condition));
  return { ...body, aggs: { ...body.aggs, asked: { filters: { filters } } } };
}
