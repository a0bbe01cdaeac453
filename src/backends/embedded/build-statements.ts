import { type FacetField, type FilterField, facetFields, type RangeBound } from '#domain/fields.ts';
import type { Visibility } from '#domain/masking.ts';
import type { Filter, IdentityFilter, Page, Sort } from '#domain/search/search-query.ts';
import { columnWeights, renderHosts } from './render-match.ts';

/** SQL with the values of its `?` in order. */
export interface Statement {
  sql: string;
  values: ReadonlyArray<string | number>;
}

/** The FTS5 query of a text, chosen over the whole database, regardless of filters. */
export interface ResolvedText {
  nameKey: string;
  /** What to find, minus exclusions; null if the query has only exclusions. */
  match: string | null;
  /** What to exclude, if there is no match to exclude it from. */
  exclusion: string | null;
  /** The ranks of the matches, best first, after the record whose name is `nameKey`. */
  ranks: readonly string[];
  /** The strict query of the text, if this is the fuzzy one. */
  asTyped?: ResolvedText;
}

/** The list fields, whose values are in their own table. */
export const listFields: readonly FilterField[] = ['categories'];

/** The records of one page, best first, as `body` and, if the caller may see it, the address and its source. */
export function buildSearch(
  text: ResolvedText | null,
  filters: readonly Filter[],
  page: Page,
  visibility: Visibility,
): Statement {
  const order = buildOrder(text, page.sort);
  const condition = buildCondition(text, filters);
  const columns = visibility === 'full' ? 'r.body, r.email, r.email_source' : 'r.body';
  return {
    sql: `
      WITH page AS MATERIALIZED (
        SELECT d.record, row_number() OVER () AS place FROM (
          SELECT d.record FROM ${condition.from} WHERE ${condition.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?
        ) AS d
      )
      SELECT ${columns} FROM page JOIN records AS r USING (record) ORDER BY page.place`,
    values: [...condition.values, ...order.values, page.limit, page.offset],
  };
}

/** Every record of a query with its address, in the engine's order. */
export function buildScan(text: ResolvedText | null, filters: readonly Filter[]): Statement {
  const condition = buildCondition(text, filters);
  return {
    sql: `
      SELECT r.body, r.email, r.email_source FROM ${condition.from} CROSS JOIN records AS r ON r.record = d.record
      WHERE ${condition.sql}`,
    values: condition.values,
  };
}

/** The number of records that a query finds. */
export function buildCount(text: ResolvedText | null, filters: readonly Filter[]): Statement {
  if (filters.length === 0 && text?.match != null) {
    // Each record has one row of full text, so `documents` is not needed.
    return { sql: 'SELECT count(*) AS count FROM search_text WHERE search_text MATCH ?', values: [text.match] };
  }
  const condition = buildCondition(text, filters);
  return { sql: `SELECT count(*) AS count FROM ${condition.from} WHERE ${condition.sql}`, values: condition.values };
}

/**
 * The values of one facet with their counts, under all filters except its own. `isNarrowed` means that the temporary
 * table `matched` holds the records that the text finds.
 */
export function buildFacet(field: FacetField, filters: readonly Filter[], isNarrowed: boolean): Statement {
  const others = filters.filter((filter) => !('field' in filter && filter.field === field));
  const condition = buildFilters(others);
  // CROSS JOIN keeps SQLite from scanning all documents for a few matches.
  const documents = isNarrowed
    ? 'temp.matched AS m CROSS JOIN documents AS d ON d.record = m.record'
    : 'documents AS d';
  const [column, lists] = listFields.includes(field)
    ? ['l.value', `JOIN document_lists AS l ON l.record = d.record AND l.field = '${field}'`]
    : [`d.${field}`, ''];
  return {
    sql: `
      SELECT ${column} AS value, count(*) AS count FROM ${documents} ${lists}
      WHERE ${column} IS NOT NULL AND ${condition.sql} GROUP BY ${column} ORDER BY count(*) DESC, ${column}`,
    values: condition.values,
  };
}

/** The records that a text finds, for `temp.matched`. */
export function buildMatched(text: ResolvedText): Statement {
  const condition = buildCondition(text, []);
  return { sql: `SELECT d.record FROM ${condition.from} WHERE ${condition.sql}`, values: condition.values };
}

export const facetKeys: readonly FacetField[] = facetFields.map(({ key }) => key);

function buildCondition(text: ResolvedText | null, filters: readonly Filter[]): Statement & { from: string } {
  const filter = buildFilters(filters);
  const parts = [filter.sql];
  const values = [...filter.values];
  let from = 'documents AS d';
  if (text?.match != null) {
    from =
      filters.length === 0
        ? 'search_text AS t JOIN documents AS d ON d.record = t.rowid'
        : 'search_text AS t CROSS JOIN documents AS d ON d.record = t.rowid';
    parts.unshift('search_text MATCH ?');
    values.unshift(text.match);
  }
  if (text?.exclusion != null) {
    parts.push('d.record NOT IN (SELECT rowid FROM search_text WHERE search_text MATCH ?)');
    values.push(text.exclusion);
  }
  return { from, sql: parts.join(' AND '), values };
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
  if ('identity' in filter) return filter.identity === 'id' ? buildIds(filter) : buildHosts(filter);
  const { field, any, none } = filter;
  const parts: string[] = [];
  if (listFields.includes(field)) {
    if (any.length > 0) parts.push(`d.record IN (${listed(field, any)})`);
    if (none.length > 0) parts.push(`d.record NOT IN (${listed(field, none)})`);
  } else {
    if (any.length > 0) parts.push(`d.${field} IN (${marks(any)})`);
    if (none.length > 0) parts.push(`(d.${field} IS NULL OR d.${field} NOT IN (${marks(none)}))`);
  }
  return { sql: parts.join(' AND ') || '1', values: [...any, ...none] };
}

const comparisons: Record<RangeBound, string> = { from: '>=', before: '<', to: '<=' };

function buildIds({ any, none }: IdentityFilter): Statement {
  const parts: string[] = [];
  if (any.length > 0) parts.push(`d.id IN (${marks(any)})`);
  if (none.length > 0) parts.push(`d.id NOT IN (${marks(none)})`);
  return { sql: parts.join(' AND ') || '1', values: [...any, ...none] };
}

function buildHosts({ any, none }: IdentityFilter): Statement {
  const found = 'SELECT rowid FROM search_text WHERE search_text MATCH ?';
  const parts: string[] = [];
  if (any.length > 0) parts.push(`d.record IN (${found})`);
  if (none.length > 0) parts.push(`d.record NOT IN (${found})`);
  return { sql: parts.join(' AND ') || '1', values: [any, none].filter(({ length }) => length > 0).map(renderHosts) };
}

function listed(field: FilterField, values: readonly string[]): string {
  return `SELECT record FROM document_lists WHERE field = '${field}' AND value IN (${marks(values)})`;
}

function marks(values: readonly string[]): string {
  return values.map(() => '?').join(', ');
}

function buildOrder(text: ResolvedText | null, sort: Sort): Statement {
  const ways = sort.reversed ? { up: 'DESC', down: 'ASC' } : { up: 'ASC', down: 'DESC' };
  switch (sort.key) {
    case 'name':
      return { sql: `d.name_key ${ways.up}, d.id`, values: [] };
    case 'audience':
      return { sql: `d.audience ${ways.down} NULLS LAST, d.id`, values: [] };
    case 'updated':
      return { sql: `d.updated_at ${ways.down}, d.id`, values: [] };
    case 'relevance':
      return text?.match == null ? byAudience(ways) : byRelevance(text, ways);
  }
}

function byAudience({ up, down }: { up: string; down: string }): Statement {
  return { sql: `d.audience ${down} NULLS LAST, d.name_key ${up}, d.id`, values: [] };
}

function byRelevance(text: ResolvedText, { up, down }: { up: string; down: string }): Statement {
  const ranks = text.ranks.map(
    (_, index) => `WHEN d.record IN (SELECT rowid FROM search_text WHERE search_text MATCH ?) THEN ${index + 1}`,
  );
  const rank = `CASE WHEN d.name_key = ? THEN 0 ${ranks.join(' ')} ELSE ${ranks.length + 1} END`;
  return {
    sql: `${rank} ${up}, bm25(search_text, ${columnWeights}) ${up}, d.audience ${down} NULLS LAST, d.id`,
    values: [text.nameKey, ...text.ranks],
  };
}
