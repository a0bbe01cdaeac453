import type { estypes } from '@elastic/elasticsearch';
import { isContactField } from '#records/contacts/contact-fields.ts';
import type { RangeBound } from '#records/field-definition.ts';
import type { PresenceField } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { AskedPart } from '#search/asked-parts.ts';
import type { Count } from '#search/choose-plan.ts';
import { type Condition, hostCondition } from '#search/conditions.ts';
import { type ContactFilter, type RecordFilter, splitFilters, titleTokens } from '#search/contact-filters.ts';
import { audienceSteps, type FacetGroup, isOpenFacet, openFacetValues } from '#search/facet-groups.ts';
import type { Meaning } from '#search/meaning/embed.ts';
import { rowsToCompare } from '#search/order-by-names.ts';
import { type PlannedQuery, wholeName } from '#search/plan-query.ts';
import {
  type ContactIds,
  type Filter,
  firstPage,
  type IdentityFilter,
  type Page,
  type SearchQuery,
  type ValueFilter,
} from '#search/search-query.ts';
import { buildContactOrder, buildOrder } from './build-order.ts';
import { contactDocumentId, countedField, indexedTerms, rangeNumber } from './index-document.ts';
import type { IndexTerms } from './index-terms.ts';
import {
  type Clause,
  nothing,
  ofOneContact,
  type Render,
  renderCondition,
  rendererOf,
  renderTiers,
} from './render-text-query.ts';

export type SearchBody = Omit<estypes.SearchRequest, 'index'>;

type Aggregations = Record<string, estypes.AggregationsAggregationContainer>;

export interface RenderedQuery {
  /** Orders pages; null if the text has only exclusions. */
  planned: PlannedQuery | null;
  match: Clause | null;
  exclusions: Clause[];
  /** Renders other conditions with the terms that it was rendered with. */
  render: Render;
}

/** More values than any facet has. */
const maxFacetValues = 10_000;
/** Candidates of a search by meaning in a graph of neighbors. With fewer, more of the nearest records are missed. */
const minCandidates = 1_000;
/** Up to this many results are ranked by this process instead of the engine. */
export const maxFew = 30;
/** How long Elasticsearch may work on a request; partial results are discarded. */
const engineTimeout = '1500ms';

/**
 * @param planned the query of a text; null if it has only exclusions
 * @param terms those of the index, if they are known
 */
export function renderText(
  planned: PlannedQuery | null,
  exclusions: readonly Condition[],
  terms: IndexTerms | null = null,
): RenderedQuery {
  const render = terms === null ? renderCondition : rendererOf(terms);
  const excluded = exclusions.map(render).filter((clause) => clause !== nothing);
  return { planned, match: planned && render(planned.match), exclusions: excluded, render };
}

/** What refuses contacts of media of which lists name others alone, and those that a list which is left out names. */
export function renderUnlisted({ rows, listedContacts, unlistedContacts }: SearchQuery): Clause[] {
  if (rows !== 'contacts') return [];
  const clauses: Clause[] = unlistedContacts === undefined ? [] : [anyOfContacts(unlistedContacts)];
  if (listedContacts === undefined) return clauses;
  const ofTheirMedia = { terms: { 'order.id': indexedTerms([...listedContacts.keys()]) } };
  return [...clauses, { bool: { filter: [ofTheirMedia], must_not: [anyOfContacts(listedContacts)] } }];
}

function anyOfContacts(ids: ContactIds): Clause {
  const documents = Array.from(ids, ([record, contacts]) => [...contacts].map((id) => contactDocumentId(record, id)));
  return { ids: { values: documents.flat() } };
}

/** Whether records are ranked by their tiers, best first, and the first of them by this process. */
export function isRanked(planned: PlannedQuery | null, { sort, after }: Page): planned is PlannedQuery {
  return planned !== null && sort.key === 'relevance' && !sort.reversed && after === undefined;
}

/**
 * The requests of a search; masked callers get no address. The first answer has the exact total. For a ranked page it also
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

/** The rows of a page; with `after` those behind it, and one more, which tells whether others follow. */
function rowsOf({ offset, limit, after }: Pick<Page, 'offset' | 'limit' | 'after'>) {
  if (after === undefined) return { from: offset, size: limit };
  return { ...(after !== null && { search_after: [...after.values] }), size: limit + 1 };
}

/** The rows to read for a page. */
export function comparedPage(planned: PlannedQuery | null, page: Page): Page {
  const rows = planned === null ? null : rowsToCompare(planned, page);
  return rows === null ? page : { ...page, offset: 0, limit: rows };
}

export function buildCount(query: RenderedQuery | null, filters: readonly Filter[]): SearchBody {
  return withTotal(countBody(buildCondition(query, filters)));
}

/** How many records meet a condition, up to a limit. */
export function buildProbe(condition: Clause, { limit }: Count): SearchBody {
  return { ...countBody(condition), track_total_hits: limit };
}

/** The same request, whose answer also has the exact number of records. */
export function withTotal(body: SearchBody): SearchBody {
  return { ...body, track_total_hits: true };
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

/** Counts how many values facets have. It takes as long as buildFacets, so ask only for facets with more values than are read. */
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

/** How many of the records have each part of the text. */
export function buildAsked(
  query: RenderedQuery | null,
  filters: readonly Filter[],
  asked: readonly AskedPart[],
): SearchBody {
  return countingAsked(countBody(buildCondition(query, filters)), asked, query?.render);
}

/** The same request, whose answer also says how many of the found records have each part of the text. */
export function countingAsked(
  body: SearchBody,
  asked: readonly AskedPart[],
  render: Render = renderCondition,
): SearchBody {
  if (asked.length === 0) return body;
  const filters = asked.map(({ condition }) => render(condition));
  return { ...body, aggs: { asked: { filters: { filters } } } };
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

/** The first record that a plan finds, and the exact number of them. */
export function buildFirst(plan: PlannedQuery, filters: readonly Filter[], visibility: Visibility): SearchBody {
  return withTotal(buildPage(renderText(plan, []), filters, firstPage(1), visibility));
}

/** Whether the index can answer searches. */
export function buildReadiness(): SearchBody {
  return { ...countBody({ match_all: {} }), terminate_after: 1 };
}

/** One batch of all records of a query, in the engine's order. */
export function buildScan(query: Clause, size: number): SearchBody {
  return { query, sort: ['_doc'], size, track_total_hits: false };
}

/** The conditions that a record must meet. `scored` only scores those that do. */
export function buildCondition(
  query: RenderedQuery | null,
  filters: readonly Filter[],
  scored: Clause | null = null,
): Clause {
  const { ofRecord, ofContact, ofNoContact } = splitFilters(filters);
  const filter = ofRecord.flatMap(buildFilter);
  if (ofContact.length > 0) filter.push(buildContact(ofContact));
  const ofNone = ofNoContact.map((one) => buildContact([one]));
  const exclusions = [...(query?.exclusions ?? []), ...ofRecord.flatMap(buildNegation), ...ofNone];
  if (query?.match) filter.unshift(query.match);
  const bool = {
    ...(scored !== null && { must: [scored] }),
    ...(filter.length > 0 && { filter }),
    ...(exclusions.length > 0 && { must_not: exclusions }),
  };
  return Object.keys(bool).length === 0 ? { match_all: {} } : { bool };
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

function buildFilter(filter: RecordFilter): Clause[] {
  if ('range' in filter) {
    const { range, bound, value } = filter;
    return [{ range: { [`within.${range}`]: { [comparisons[bound]]: rangeNumber(value) } } }];
  }
  return filter.any.length === 0 ? [] : [buildAny(filter, filter.any)];
}

const comparisons: Record<RangeBound, string> = { from: 'gte', before: 'lt', to: 'lte' };

function buildNegation(filter: RecordFilter): Clause[] {
  return 'none' in filter && filter.none.length > 0 ? [buildAny(filter, filter.none)] : [];
}

function buildAny(filter: ValueFilter | IdentityFilter, values: readonly string[]): Clause {
  if ('field' in filter) return { terms: { [`by.${filter.field}`]: indexedTerms(values) } };
  return filter.identity === 'id'
    ? { terms: { 'order.id': indexedTerms(values) } }
    : renderCondition(hostCondition(values));
}

/** Records with one contact that meets all of these filters. */
function buildContact(filters: readonly ContactFilter[]): Clause {
  return ofOneContact(filters.map(testContact));
}

const presenceTerms: Record<PresenceField, Record<string, string | boolean>> = {
  contact_name: { 'contacts.kind': 'person' },
  email: { 'contacts.has_email': true },
};

function testContact(filter: ContactFilter): Clause {
  if ('present' in filter) return { term: presenceTerms[filter.present] };
  if ('range' in filter) {
    return { range: { 'contacts.verified_at': { [comparisons[filter.bound]]: rangeNumber(filter.value) } } };
  }
  const { field, any } = filter;
  if (field !== 'title') {
    const key = field === 'contact_kind' ? 'kind' : field;
    return { terms: { [`contacts.${key}`]: indexedTerms(any) } };
  }
  const hasAll = (title: string): Clause => {
    return { bool: { filter: titleTokens(title).map((token) => ({ term: { 'contacts.title': token } })) } };
  };
  return { bool: { should: any.map(hasAll), minimum_should_match: 1 } };
}

function countBody(query: Clause): SearchBody {
  return { query, size: 0, track_total_hits: false, timeout: engineTimeout };
}
