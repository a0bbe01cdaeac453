import type { estypes } from '@elastic/elasticsearch';
import { audienceSteps } from '#domain/audience-steps.ts';
import type { FacetGroup } from '#domain/facet-groups.ts';
import type { RangeBound } from '#domain/fields.ts';
import type { Visibility } from '#domain/masking.ts';
import {
  minStrictMatches,
  type PlannedQuery,
  planExclusions,
  planHosts,
  planWholeName,
} from '#domain/search/plan-query.ts';
import {
  type Filter,
  type IdentityFilter,
  type Page,
  queryAtHost,
  type Sort,
  type TextQuery,
  type ValueFilter,
} from '#domain/search/search-query.ts';
import { rangeNumber } from './index-document.ts';
import { indexedTerms } from './indexed-terms.ts';
import { type Clause, renderCondition, renderMatch, renderRanked } from './render-text-query.ts';

/** The body of a search request. */
export type SearchBody = Omit<estypes.SearchRequest, 'index'>;

/** The query of a text. */
export interface RenderedQuery {
  /** What it finds; null if the text has only exclusions. */
  match: Clause | null;
  /** The same, scored. */
  ranked: Clause | null;
  exclusions: Clause[];
}

/** More values than any facet has. */
const maxFacetValues = 10_000;
/** How long Elasticsearch may work on a request; partial results are discarded. */
export const engineTimeout = '1500ms';

/** @param planned the strict or the fuzzy query of the text; null if it has only exclusions */
export function renderText(text: TextQuery, planned: PlannedQuery | null): RenderedQuery {
  return {
    match: planned && renderMatch(planned),
    ranked: planned && renderRanked(planned),
    exclusions: planExclusions(text).map(renderCondition),
  };
}

/**
 * The records of one page, best first; without the address for masked callers. A text tells its exact total. Without one
 * the page is read from the top of the sorted index, and needs a count beside it.
 */
export function buildSearch(
  query: RenderedQuery | null,
  filters: readonly Filter[],
  { sort, offset, limit }: Page,
  visibility: Visibility,
): SearchBody {
  const isRanked = sort.key === 'relevance' && query !== null && query.ranked !== null;
  return {
    query: buildCondition(query, filters, isRanked),
    sort: buildOrder(sort, isRanked),
    from: offset,
    size: limit,
    track_total_hits: query !== null,
    _source: visibility === 'full' ? true : ['record'],
    timeout: engineTimeout,
  };
}

/** The number of records. */
export function buildCount(query: RenderedQuery | null, filters: readonly Filter[]): SearchBody {
  return count(buildCondition(query, filters), true);
}

/** Whether the strict query finds enough in the whole database. */
export function buildStrictProbe(text: TextQuery, match: Clause): SearchBody {
  return count(match, minStrictMatches(text));
}

/** Whether a name equals the typed text. */
export function buildNameProbe(text: TextQuery): SearchBody {
  return count(renderCondition(planWholeName(text)), 1);
}

/** Counts a group of facets; and the records that it counts them in, if asked for. */
export function buildFacets(
  query: RenderedQuery | null,
  { fields, filters }: FacetGroup,
  isTotaled: boolean,
): SearchBody {
  const aggs = fields.map((field) => [field, { terms: { field: `by.${field}`, size: maxFacetValues } }]);
  return { ...count(buildCondition(query, filters), isTotaled), aggs: Object.fromEntries(aggs) };
}

/** The records in each step of the audience; and in all, which tells whether the query finds enough. */
export function buildAudiences(query: RenderedQuery | null, filters: readonly Filter[]): SearchBody {
  const ranges = audienceSteps.map((from, step) => ({
    from,
    ...(step + 1 in audienceSteps && { to: audienceSteps[step + 1] }),
  }));
  return {
    ...count(buildCondition(query, filters), true),
    aggs: { audiences: { range: { field: 'order.audience', ranges } } },
  };
}

/** The record with this id. */
export function buildFind(ids: readonly string[], visibility: Visibility): SearchBody {
  return {
    query: { terms: { 'order.id': indexedTerms(ids) } },
    size: ids.length,
    track_total_hits: false,
    _source: visibility === 'full' ? true : ['record'],
    timeout: engineTimeout,
  };
}

/** The first records at a host. */
export function buildAtHost(host: string, visibility: Visibility): SearchBody {
  const { filters, page } = queryAtHost(host);
  return buildSearch(null, filters, page, visibility);
}

/** Whether the index can answer searches. */
export function buildReadiness(): SearchBody {
  return { ...count({ match_all: {} }, false), terminate_after: 1 };
}

/** One batch of all records of a query, in the engine's order. */
export function buildScan(query: Clause, size: number): SearchBody {
  return { query, sort: ['_doc'], size, track_total_hits: false };
}

/** The conditions a record must meet. Records are scored only if they are `ranked`. */
export function buildCondition(query: RenderedQuery | null, filters: readonly Filter[], isRanked = false): Clause {
  const { match = null, ranked = null, exclusions: excluded = [] } = query ?? {};
  const filter = filters.flatMap(buildFilter);
  const exclusions = [...excluded, ...filters.flatMap(buildNegation)];
  if (match !== null && !isRanked) filter.unshift(match);
  const bool = {
    ...(ranked !== null && isRanked && { must: [ranked] }),
    ...(filter.length > 0 && { filter }),
    ...(exclusions.length > 0 && { must_not: exclusions }),
  };
  return Object.keys(bool).length === 0 ? { match_all: {} } : { bool };
}

function buildFilter(filter: Filter): Clause[] {
  if ('present' in filter) return [{ term: { 'by.known': filter.present } }];
  if ('range' in filter) {
    const { range, bound, value } = filter;
    return [{ range: { [`within.${range}`]: { [comparisons[bound]]: rangeNumber(value) } } }];
  }
  return filter.any.length === 0 ? [] : [buildAny(filter, filter.any)];
}

const comparisons: Record<RangeBound, string> = { from: 'gte', before: 'lt', to: 'lte' };

function buildNegation(filter: Filter): Clause[] {
  return 'none' in filter && filter.none.length > 0 ? [buildAny(filter, filter.none)] : [];
}

function buildAny(filter: ValueFilter | IdentityFilter, values: readonly string[]): Clause {
  if ('field' in filter) return { terms: { [`by.${filter.field}`]: indexedTerms(values) } };
  return filter.identity === 'id'
    ? { terms: { 'order.id': indexedTerms(values) } }
    : renderCondition(planHosts(values));
}

function count(query: Clause, trackTotal: boolean | number): SearchBody {
  return { query, size: 0, track_total_hits: trackTotal, timeout: engineTimeout };
}

/** Unknown values come last in both directions, and the id breaks ties. */
export function buildOrder({ key, reversed }: Sort, isRanked: boolean): estypes.SortCombinations[] {
  const [up, down] = reversed ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const);
  const byAudience = { 'order.audience': { order: down, missing: '_last' } };
  const byName = { 'order.name_key': up };
  const byId = { 'order.id': 'asc' } as const;
  switch (key) {
    case 'name':
      return [byName, byId];
    case 'audience':
      return [byAudience, byId];
    case 'updated':
      return [{ 'order.updated_at': down }, byId];
    case 'relevance':
      return isRanked ? [{ _score: { order: down } }, byAudience, byId] : [byAudience, byName, byId];
  }
}
