import type { RangeBound } from '#records/field-definition.ts';
import { hasManyForms } from '#records/field-values.ts';
import { type FacetField, type FilterField, facetFields, filterFields } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import { audienceSteps, withoutAudience } from '#search/audience-steps.ts';
import { isOpenFacet, openFacetValues } from '#search/facet-groups.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import type { Filter, IdentityFilter, Page, Sort } from '#search/search-query.ts';
import { filterToken, presenceToken } from './index-text.ts';
import { type RenderedTier, renderHosts } from './render-match.ts';
import { renderToken } from './vocabulary.ts';

/** SQL with the values of its `?` in order. */
export interface Statement {
  sql: string;
  values: ReadonlyArray<string | number>;
}

/** FTS5 expressions of what a text finds. */
interface Matching {
  /** What to find, minus exclusions; null if the query has only exclusions. */
  match: string | null;
  /** What to exclude, if there is no match to exclude it from. */
  exclusion: string | null;
}

/** The FTS5 query of a text, chosen over the whole database, regardless of filters. */
export interface ResolvedText extends Matching {
  /** Parts of `match`, best first; the last is all of it. */
  tiers: readonly RenderedTier[];
  /** The plan that this was made of; null if the text has only exclusions. */
  plan: PlannedQuery | null;
  /** What the strict query of the text finds, if this is another one. */
  asTyped: string | null;
}

/** The list fields, whose values are in their own table. */
export const listFields: readonly FilterField[] = filterFields
  .filter(({ type }) => type === 'list')
  .map(({ key }) => key);

/** The records of one page, in an order that their fields decide. */
export function buildPage(text: ResolvedText | null, filters: readonly Filter[], page: Page): Statement {
  const { from, sql, values } = selectMany(text, filters);
  return {
    sql: `SELECT d.record FROM ${from} WHERE ${sql} ORDER BY ${orderByField(page.sort)} LIMIT ? OFFSET ?`,
    values: [...values, page.limit, page.offset],
  };
}

/** The most prominent records of one tier of a text. */
export function buildTier(match: string, filters: readonly Filter[], sort: Sort, limit: number): Statement {
  return buildBest(selectFew({ match, exclusion: null }, filters), sort, limit);
}

/** The same of these records. */
export function buildTierOf(records: readonly number[], sort: Sort): Statement {
  const from = 'json_each(?) AS p CROSS JOIN documents AS d ON d.record = p.value';
  return buildBest({ from, sql: '1', values: [JSON.stringify(records)] }, sort, records.length);
}

function buildBest({ from, sql, values }: Selection, { reversed }: Sort, limit: number): Statement {
  return {
    sql: `SELECT d.record FROM ${from} WHERE ${sql} ORDER BY d.prominence ${directions(reversed).down}, d.id LIMIT ?`,
    values: [...values, limit],
  };
}

/** These records in this order, as `body` and, if the caller may see it, the address and its source. */
export function buildRows(records: readonly number[], visibility: Visibility): Statement {
  const columns = visibility === 'full' ? 'r.body, r.email, r.email_source' : 'r.body';
  return {
    sql: `SELECT ${columns} FROM json_each(?) AS p CROSS JOIN records AS r ON r.record = p.value ORDER BY p.key`,
    values: [JSON.stringify(records)],
  };
}

/** Every record of a query with its address, in the engine's order. */
export function buildScan(text: ResolvedText | null, filters: readonly Filter[]): Statement {
  const { from, sql, values } = selectMany(text, filters);
  return {
    sql: `
      SELECT r.body, r.email, r.email_source FROM ${from} CROSS JOIN records AS r ON r.record = d.record
      WHERE ${sql}`,
    values,
  };
}

/** All records that pass filters. */
export function buildRecords(filters: readonly Filter[]): Statement {
  const { from, sql, values } = selectFew(null, filters);
  return { sql: `SELECT d.record FROM ${from} WHERE ${sql}`, values };
}

/** Those of these records that can be found: their places in the list, and their ids. */
export function buildIdsOf(records: readonly number[]): Statement {
  return {
    sql: 'SELECT p.key AS place, d.id FROM json_each(?) AS p CROSS JOIN documents AS d ON d.record = p.value ORDER BY p.key',
    values: [JSON.stringify(records)],
  };
}

/** At most so many records that a text finds, in any order. */
export function buildList(text: ResolvedText, filters: readonly Filter[], limit: number): Statement {
  const { from, sql, values } = selectFew(text, filters);
  return { sql: `SELECT d.record FROM ${from} WHERE ${sql} LIMIT ?`, values: [...values, limit] };
}

/** The number of records that a query finds. */
export function buildCount(text: Matching | null, filters: readonly Filter[]): Statement {
  const { match, others } = narrow(text, filters);
  if (match !== null && others.length === 0) {
    // Each record has one row of full text, so `documents` is not needed.
    return { sql: 'SELECT count(*) AS count FROM search_text WHERE search_text MATCH ?', values: [match] };
  }
  const { from, sql, values } = selectMany(text, filters);
  return { sql: `SELECT count(*) AS count FROM ${from} WHERE ${sql}`, values };
}

/** The records of a query, as rows `d` with the columns of `documents`. */
export interface Selection extends Statement {
  from: string;
}

/** The records of a query that may find many: without a text, SQLite decides what to read first. */
export function selectMany(text: Matching | null, filters: readonly Filter[]): Selection {
  if (text?.match != null) return selectFew(text, filters);
  const filter = buildFilters(filters);
  if (text?.exclusion == null) return { ...filter, from: 'documents AS d' };
  return {
    from: 'documents AS d',
    sql: `${filter.sql} AND d.record NOT IN (SELECT rowid FROM search_text WHERE search_text MATCH ?)`,
    values: [...filter.values, text.exclusion],
  };
}

/**
 * The records of a query that finds few: full text first, because the planner cannot know how many it finds. Without a
 * text, only if full text can apply all filters: of others, such as ids, SQLite may have an index.
 */
export function selectFew(text: Matching | null, filters: readonly Filter[]): Selection {
  const { match, others } = narrow(text, filters);
  if (match === null || (text === null && others.length > 0)) return selectMany(text, filters);
  const filter = buildFilters(others);
  return {
    from: 'search_text AS t CROSS JOIN documents AS d ON d.record = t.rowid',
    sql: `search_text MATCH ? AND ${filter.sql}`,
    values: [match, ...filter.values],
  };
}

/** The records in the temporary table `matched`. */
export const selectMatched: Selection = { from: 'temp.matched AS d', sql: '1', values: [] };

const singleFacets = facetFields.map(({ key }) => key).filter((key) => !listFields.includes(key));

/** The table of a selection that is counted several times: its rows are narrow, and all in one place. */
export const createMatched = `CREATE TEMP TABLE matched (record INTEGER PRIMARY KEY, ${singleFacets.join(', ')})`;

/** Adds a selection to it. */
export function buildMatched({ from, sql, values }: Selection): Statement {
  const columns = ['record', ...singleFacets].map((column) => `d.${column}`).join(', ');
  return { sql: `INSERT INTO temp.matched SELECT ${columns} FROM ${from} WHERE ${sql}`, values };
}

/** The values of one facet with their counts, the largest first; of an open one those that are read, with the number of all. */
export function buildFacet(field: FacetField, { from, sql, values }: Selection): Statement {
  const isOpen = isOpenFacet(field);
  const [column, lists] = listFields.includes(field)
    ? ['l.value', `JOIN document_lists AS l ON l.record = d.record AND l.field = '${field}'`]
    : [`d.${field}`, ''];
  return {
    sql: `
      SELECT ${column} AS value, count(*) AS count${isOpen ? ', count(*) OVER () AS distinct_values' : ''} FROM ${from} ${lists}
      WHERE ${column} IS NOT NULL AND ${sql} GROUP BY ${column} ORDER BY 2 DESC, 1 ${isOpen ? 'LIMIT ?' : ''}`,
    values: isOpen ? [...values, openFacetValues] : values,
  };
}

/** The records in each step of the audience that has some, as `step` and `count`. */
export function buildAudiences(text: ResolvedText | null, filters: readonly Filter[]): Statement {
  const { from, sql, values } = selectMany(text, withoutAudience(filters));
  const ends = audienceSteps.slice(1).map((end, step) => `WHEN d.audience < ${end} THEN ${step}`);
  return {
    sql: `
      SELECT CASE ${ends.join(' ')} ELSE ${ends.length} END AS step, count(*) AS count FROM ${from}
      WHERE d.audience IS NOT NULL AND ${sql} GROUP BY step`,
    values,
  };
}

/** The match with all filters that full text can apply, which skips what does not pass, and the other filters. */
function narrow(text: Matching | null, filters: readonly Filter[]): { match: string | null; others: Filter[] } {
  // Full text can only take from what it finds.
  const isEverything = text !== null && text.match === null;
  const others: Filter[] = [];
  let match = text?.match ?? null;
  for (const filter of filters) {
    const tokens = isEverything ? null : tokensOfFilter(filter);
    if (tokens === null || (match === null && tokens.any.length === 0)) {
      others.push(filter);
      continue;
    }
    const any = renderTokens(tokens.any);
    if (any !== '') match = match === null ? any : `(${match}) AND (${any})`;
    if (tokens.none.length > 0) match = `(${match}) NOT (${renderTokens(tokens.none)})`;
  }
  return { match, others };
}

/** Null if the full text cannot tell which records pass. */
function tokensOfFilter(filter: Filter): { any: string[]; none: string[] } | null {
  if ('present' in filter) return { any: [presenceToken(filter.present)], none: [] };
  if (!('field' in filter)) return null;
  return { any: tokensOf(filter.field, filter.any), none: tokensOf(filter.field, filter.none) };
}

function tokensOf(field: FilterField, values: readonly string[]): string[] {
  return values.map((value) => filterToken(field, value));
}

function renderTokens(tokens: readonly string[]): string {
  return tokens.map(renderToken).join(' OR ');
}

function buildFilters(filters: readonly Filter[]): Statement {
  const statements = filters.map(buildFilter);
  return {
    sql: ['1', ...statements.map(({ sql }) => sql)].join(' AND '),
    values: statements.flatMap(({ values }) => values),
  };
}

function buildFilter(filter: Filter): Statement {
  if ('present' in filter) return { sql: `d.has_${filter.present}`, values: [] };
  if ('range' in filter) return { sql: `d.${filter.range} ${comparisons[filter.bound]} ?`, values: [filter.value] };
  if ('identity' in filter) return filter.identity === 'id' ? buildIds(filter) : buildFound(filter, renderHosts);
  const { field, any, none } = filter;
  if (field === 'language') {
    const sql = anyAndNone(filter, isWithin, (values) => `(d.language IS NULL OR NOT ${isWithin(values)})`);
    return { sql, values: [...any, ...none] };
  }
  if (hasManyForms(field)) return buildFound(filter, (values) => renderTokens(tokensOf(field, values)));
  const isList = listFields.includes(field);
  const sql = anyAndNone(
    filter,
    (values) => (isList ? `d.record IN (${listed(field, values)})` : `d.${field} IN (${marks(values)})`),
    (values) =>
      isList
        ? `d.record NOT IN (${listed(field, values)})`
        : `(d.${field} IS NULL OR d.${field} NOT IN (${marks(values)}))`,
  );
  return { sql, values: [...any, ...none] };
}

/** Half of all records may have one language: full text would list them all before the first is shown. */
function isWithin(tags: readonly string[]): string {
  return `(${tags.map(() => "instr(d.language || '-', ? || '-') = 1").join(' OR ')})`;
}

const comparisons: Record<RangeBound, string> = { from: '>=', before: '<', to: '<=' };

function buildIds(filter: IdentityFilter): Statement {
  const sql = anyAndNone(
    filter,
    () => 'd.id IN (SELECT value FROM json_each(?))',
    () => 'd.id NOT IN (SELECT value FROM json_each(?))',
  );
  const lists = [filter.any, filter.none].filter((ids) => ids.length > 0);
  return { sql, values: lists.map((ids) => JSON.stringify(ids)) };
}

/** A filter that full text answers. */
function buildFound(
  filter: Pick<IdentityFilter, 'any' | 'none'>,
  render: (values: readonly string[]) => string,
): Statement {
  const found = 'SELECT rowid FROM search_text WHERE search_text MATCH ?';
  const sql = anyAndNone(
    filter,
    () => `d.record IN (${found})`,
    () => `d.record NOT IN (${found})`,
  );
  return { sql, values: [filter.any, filter.none].filter(({ length }) => length > 0).map(render) };
}

/** The conditions of a filter, each only where there are values for it. */
function anyAndNone(
  { any, none }: { any: readonly string[]; none: readonly string[] },
  include: (values: readonly string[]) => string,
  exclude: (values: readonly string[]) => string,
): string {
  const parts = [...(any.length > 0 ? [include(any)] : []), ...(none.length > 0 ? [exclude(none)] : [])];
  return parts.join(' AND ') || '1';
}

function listed(field: FilterField, values: readonly string[]): string {
  return `SELECT record FROM document_lists WHERE field = '${field}' AND value IN (${marks(values)})`;
}

function marks(values: readonly string[]): string {
  return values.map(() => '?').join(', ');
}

function orderByField({ key, reversed }: Sort): string {
  const { up, down } = directions(reversed);
  switch (key) {
    case 'name':
      return `d.name_key ${up}, d.id`;
    case 'audience':
      return `d.audience ${down} NULLS LAST, d.id`;
    case 'updated':
      return `d.updated_at ${down}, d.id`;
    case 'relevance':
      return `d.audience ${down} NULLS LAST, d.name_key ${up}, d.id`;
  }
}

function directions(reversed: boolean) {
  return reversed ? { up: 'DESC', down: 'ASC' } : { up: 'ASC', down: 'DESC' };
}
