import type { Visibility } from '#records/masking.ts';
import type { Condition } from '#search/conditions/conditions.ts';
import type { Meaning } from '#search/meaning/embed.ts';
import { rowsToCompare } from '#search/plans/order-by-names.ts';
import { type PlannedQuery, wholeName } from '#search/plans/plan-query.ts';
import { type Filter, firstPage, maxRow, type Page } from '#search/search-query.ts';
import { buildCondition, type RenderedQuery, renderText } from './build-condition.ts';
import { buildCount } from './build-counts.ts';
import { buildContactOrder, buildOrder } from './build-order.ts';
import { indexedTerms } from './index-document.ts';
import { type Clause, renderCondition, renderTiers } from './render-text-query.ts';
import { engineTimeout, type SearchBody, withTotal } from './search-body.ts';

/** Up to this many results are ranked by this process instead of the engine. */
export const maxFew = 30;
/** Candidates of a search by meaning in a graph of neighbors. With fewer, more of the nearest records are missed. */
const minCandidates = 1_000;

/** Whether records are ranked by their tiers, best first, and the first of them by this process. */
export function isRanked(planned: PlannedQuery | null, { sort, after }: Page): planned is PlannedQuery {
  return planned !== null && sort.key === 'relevance' && !sort.reversed && after === undefined;
}

/**
 * The requests of a search; masked callers get no address. The first answer has the exact total, which is all of a page without rows. For a ranked page it also
 * has the first `maxFew` records, those with the typed name first; if there are more, the page needs buildPage. Otherwise
 * the last answer has the page.
 */
export function buildSearch(
  query: RenderedQuery | null,
  filters: readonly Filter[],
  page: Page,
  visibility: Visibility,
): [SearchBody, ...SearchBody[]] {
  const planned = query?.planned ?? null;
  if (page.limit === 0) return [buildCount(query, filters)];
  if (!isRanked(planned, page)) return [buildCount(query, filters), buildPage(query, filters, page, visibility)];
  const named = { constant_score: { filter: renderCondition(wholeName(planned)) } };
  const { bool } = buildCondition(query, filters);
  const few = { ...page, offset: 0, limit: maxFew };
  return [withTotal(pageBody({ bool: { ...bool, should: [named] } }, few, { visibility, isRanked: true }))];
}

/** The records of a page; with all to compare if names are compared on it (see comparedPage). */
export function buildPage(
  query: RenderedQuery | null,
  filters: readonly Filter[],
  page: Page,
  visibility: Visibility,
): SearchBody {
  const planned = page.sort.key === 'relevance' ? (query?.planned ?? null) : null;
  const condition = buildCondition(query, filters, planned && renderTiers(planned, query?.render));
  return pageBody(condition, comparedPage(planned, page), { visibility, isRanked: planned !== null });
}

function pageBody(
  query: Clause,
  page: Page,
  { visibility, isRanked }: { visibility: Visibility; isRanked: boolean },
): SearchBody {
  return {
    query,
    sort: buildOrder(page, isRanked),
    ...rowsOf(page),
    track_total_hits: false,
    _source: visibility === 'full' ? true : ['record'],
    timeout: engineTimeout,
  };
}

/** The contacts of a page, by the ids of their records and their own. They are in the index of contacts. */
export function buildContactPage(query: RenderedQuery | null, filters: readonly Filter[], page: Page): SearchBody {
  const planned = page.sort.key === 'relevance' ? (query?.planned ?? null) : null;
  return {
    query: buildCondition(query, filters, planned && renderTiers(planned, query?.render)),
    sort: buildContactOrder(page, planned !== null),
    ...rowsOf(page),
    track_total_hits: false,
    stored_fields: '_none_',
    docvalue_fields: ['order.id', 'order.contact'],
    timeout: engineTimeout,
  };
}

/**
 * The rows of a page; with `after` those behind it, and one more, which tells whether others follow. Elasticsearch refuses pages
 * behind the last row that paging reaches; what is paged without that bound, such as a list, has no more rows.
 */
function rowsOf({ offset, limit, after }: Pick<Page, 'offset' | 'limit' | 'after'>) {
  const from = Math.min(offset, maxRow);
  if (after === undefined) return { from, size: Math.min(limit, maxRow - from) };
  return { ...(after !== null && { search_after: [...after.values] }), size: limit + 1 };
}

/** The rows to read for a page. */
export function comparedPage(planned: PlannedQuery | null, page: Page): Page {
  const rows = planned === null ? null : rowsToCompare(planned, page);
  return rows === null ? page : { ...page, offset: 0, limit: rows };
}

/** The first record that a plan finds, and the exact number of them. */
export function buildFirst(plan: PlannedQuery, filters: readonly Filter[], visibility: Visibility): SearchBody {
  return withTotal(buildPage(renderText(plan, []), filters, firstPage(1), visibility));
}

/** The records with these ids, in no order. */
export function buildFind(ids: readonly string[], visibility: Visibility): SearchBody {
  return {
    query: { terms: { 'order.id': indexedTerms(ids) } },
    size: ids.length,
    track_total_hits: false,
    _source: visibility === 'full' ? true : ['record'],
    timeout: engineTimeout,
  };
}

/**
 * The records that pass the filters and are nearest in meaning, best first. Reads only their ids by default: reading a
 * thousand records takes three times as long as finding them.
 */
export function buildNearest(
  meaning: Meaning,
  filters: readonly Filter[],
  limit: number,
  { within, visibility }: { within?: Condition | undefined; visibility?: Visibility } = {},
): SearchBody {
  const filter = [
    // A filter that all records pass would be checked for each of them.
    ...(filters.length > 0 ? [buildCondition(null, filters)] : []),
    ...(within === undefined ? [] : [renderCondition(within)]),
  ];
  return {
    knn: {
      field: 'find.meaning',
      query_vector: [...meaning],
      k: limit,
      num_candidates: Math.max(limit, minCandidates),
      ...(filter.length > 0 && { filter }),
    },
    size: limit,
    track_total_hits: false,
    ...(visibility === undefined
      ? { stored_fields: '_none_', docvalue_fields: ['order.id'] }
      : { _source: visibility === 'full' ? true : ['record'] }),
    timeout: engineTimeout,
  };
}
