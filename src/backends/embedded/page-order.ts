import type { RowKind } from '#search/contact-row.ts';
import type { Sort } from '#search/search-query.ts';
import type { IndexColumns, SortColumn } from './index-columns.ts';

/** An order of records or contacts by their values. */
export interface PageOrder {
  /** The columns to sort by in memory. IndexColumns shortens their values, so different ones may look equal. */
  keys: readonly { column: SortColumn; descends: boolean }[];
  /** The exact order, for ORDER BY. Unknown values are last in both. */
  sql: string;
}

/** @param isRanked whether it orders the rows within a tier of a text */
export function orderOf(sort: Sort, isRanked: boolean, rows: RowKind): PageOrder {
  return rows === 'contacts' ? orderOfContacts(sort, isRanked) : orderOfRecords(sort, isRanked);
}

/** As records are ordered, then by their order in the record; within a tier, those with a usable address first. */
function orderOfContacts(sort: Sort, isRanked: boolean): PageOrder {
  const [up, down] = sort.reversed ? ['DESC', 'ASC'] : ['ASC', 'DESC'];
  if (sort.key === 'name')
    return {
      keys: [{ column: 'contact_name', descends: sort.reversed }],
      sql: `c.contact_name ${up} NULLS LAST, d.id, c.rank`,
    };
  const { keys, sql } = orderOfRecords(sort, isRanked);
  if (sort.key !== 'relevance' || !isRanked) return { keys, sql: `${sql}, c.rank` };
  return {
    // Ids are shortened in memory: where they look equal, only SQLite can tell which comes first.
    keys: [{ column: 'usable', descends: !sort.reversed }, ...keys],
    sql: `c.usable ${down}, ${sql}, c.rank`,
  };
}

function orderOfRecords({ key, reversed }: Sort, isRanked: boolean): PageOrder {
  const [up, down] = reversed ? ['DESC', 'ASC'] : ['ASC', 'DESC'];
  const by = (column: SortColumn, descends: boolean) => ({ column, descends: descends !== reversed });
  const byId = { column: 'id', descends: false } as const;
  switch (key) {
    case 'name':
      return { keys: [by('name_key', false)], sql: `d.name_key ${up}, d.id` };
    case 'audience':
      return { keys: [by('audience', true), byId], sql: `d.audience ${down} NULLS LAST, d.id` };
    case 'updated':
      return { keys: [by('updated_at', true), byId], sql: `d.updated_at ${down}, d.id` };
    case 'created':
      return { keys: [by('created_at', true), byId], sql: `d.created_at ${down}, d.id` };
    case 'reachable':
      return {
        keys: [by('reachable', true), by('audience', true), by('name_key', false)],
        sql: `d.reachable ${down}, d.audience ${down} NULLS LAST, d.name_key ${up}, d.id`,
      };
    case 'relevance':
      return isRanked
        ? { keys: [by('prominence', true), byId], sql: `d.prominence ${down} NULLS LAST, d.id` }
        : {
            keys: [by('audience', true), by('name_key', false)],
            sql: `d.audience ${down} NULLS LAST, d.name_key ${up}, d.id`,
          };
  }
}

/** The first `count` rows of an order, unsorted, with all rows whose keys equal those of the last one. */
export function firstRows(rows: Uint32Array, count: number, { keys }: PageOrder, columns: IndexColumns): number[] {
  const sure: number[] = [];
  let missing = count;
  let open = rows;
  for (const { column, descends } of keys) {
    if (open.length <= missing) break;
    const list = columns.sorted(column);
    const values = new Float64Array(open.length);
    for (let place = 0; place < open.length; place += 1) {
      const value = list[open[place] as number] as number;
      values[place] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : descends ? -value : value;
    }
    const last = smallest(values.slice(), missing);
    sure.push(...open.filter((_, place) => (values[place] as number) < last));
    missing = count - sure.length;
    open = open.filter((_, place) => values[place] === last);
  }
  return [...sure, ...open];
}

/** A found record, and the place of its tier in the plan. */
export interface FoundRow {
  record: number;
  tier: number;
}

/** The rows sorted by tier, then by order; null if two rows have equal keys, so that only SQLite can sort them. */
export function sortByKeys(
  rows: readonly FoundRow[],
  { keys }: PageOrder,
  { reversed }: Sort,
  columns: IndexColumns,
): FoundRow[] | null {
  let isDecided = true;
  const lists = keys.map(({ column, descends }) => ({ list: columns.sorted(column), descends }));
  const sorted = rows.toSorted((a, b) => {
    if (a.tier !== b.tier) return reversed ? b.tier - a.tier : a.tier - b.tier;
    for (const { list, descends } of lists) {
      const [left, right] = [list[a.record] as number, list[b.record] as number];
      if (left > right || left < right) return left > right === descends ? -1 : 1;
      // Unknown values are NaN, which equals nothing.
      if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? 1 : -1;
    }
    isDecided = false;
    return 0;
  });
  return isDecided ? sorted : null;
}

/** The `count`th smallest value, by quickselect: reorders `values`. */
function smallest(values: Float64Array, count: number): number {
  let [start, end] = [0, values.length - 1];
  const wanted = count - 1;
  while (start < end) {
    const middle = values[(start + end) >> 1] as number;
    let [left, right] = [start, end];
    while (left <= right) {
      while ((values[left] as number) < middle) left += 1;
      while ((values[right] as number) > middle) right -= 1;
      if (left > right) break;
      const value = values[left] as number;
      values[left] = values[right] as number;
      values[right] = value;
      left += 1;
      right -= 1;
    }
    if (wanted <= right) end = right;
    else if (wanted >= left) start = left;
    else break;
  }
  return values[wanted] as number;
}
