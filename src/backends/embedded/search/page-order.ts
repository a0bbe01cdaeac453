import type { RowKind } from '#search/contact-row.ts';
import type { OrderValue, Sort } from '#search/search-query.ts';
import { type IndexColumns, isShortened, type SortColumn } from '../index/index-columns.ts';

/** An order of records or contacts by their values. Unknown ones are last in both directions. */
export type PageOrder = readonly OrderedColumn[];

interface OrderedColumn {
  column: SortColumn;
  descends: boolean;
}

/** @param isRanked whether it orders the rows within a tier of a text */
export function orderOf(sort: Sort, isRanked: boolean, rows: RowKind): PageOrder {
  return rows === 'contacts' ? orderOfContacts(sort, isRanked) : orderOfRecords(sort, isRanked);
}

const byId = { column: 'id', descends: false } as const;
const byRank = { column: 'rank', descends: false } as const;

/** As records are ordered, then by their order in the record; within a tier, those with a usable address first. */
function orderOfContacts(sort: Sort, isRanked: boolean): PageOrder {
  if (sort.key === 'name') return [{ column: 'contact_name', descends: sort.reversed }, byId, byRank];
  const usableFirst = { column: 'usable', descends: !sort.reversed } as const;
  const isByUse = sort.key === 'relevance' && isRanked;
  return [...(isByUse ? [usableFirst] : []), ...orderOfRecords(sort, isRanked), byRank];
}

function orderOfRecords({ key, reversed }: Sort, isRanked: boolean): PageOrder {
  const by = (column: SortColumn, descends: boolean) => ({ column, descends: descends !== reversed });
  switch (key) {
    case 'name':
      return [by('name_key', false), byId];
    case 'audience':
      return [by('audience', true), byId];
    case 'updated':
      return [by('updated_at', true), byId];
    case 'created':
      return [by('created_at', true), byId];
    case 'reachable':
      return [by('reachable', true), by('audience', true), by('name_key', false), byId];
    case 'relevance':
      return isRanked ? [by('prominence', true), byId] : [by('audience', true), by('name_key', false), byId];
  }
}

const ofContacts: readonly SortColumn[] = ['usable', 'rank', 'contact_name'];

function sqlOf(column: SortColumn): string {
  return `${ofContacts.includes(column) ? 'c' : 'd'}.${column}`;
}

/** The exact order, for ORDER BY. */
export function orderBy(order: PageOrder): string {
  return order.map(({ column, descends }) => `${sqlOf(column)} ${descends ? 'DESC' : 'ASC'} NULLS LAST`).join(', ');
}

/** The values of the order, for SELECT: as JSON. */
export function valuesOf(order: PageOrder): string {
  return `json_array(${order.map(({ column }) => sqlOf(column)).join(', ')})`;
}

/** Whether a row is behind one with these values, for WHERE; its parameters are those of `after`. */
export function isBehind(order: PageOrder): string {
  const ways = order.map(({ column, descends }, place) => {
    const value = sqlOf(column);
    const valueBefore = `?${place + 2}`;
    const equal = order.slice(0, place).map(({ column: columnBefore }, at) => `${sqlOf(columnBefore)} IS ?${at + 2}`);
    const isNext = `(${valueBefore} IS NOT NULL AND (${value} IS NULL OR ${value} ${descends ? '<' : '>'} ${valueBefore}))`;
    return [...equal, isNext].join(' AND ');
  });
  return ways.map((way) => `(${way})`).join(' OR ');
}

/**
 * The columns to sort by in memory: those up to the first that IndexColumns shortens. Where all are equal, only SQLite can tell which
 * row comes first.
 */
function inMemory(order: PageOrder): PageOrder {
  return order.slice(0, order.findIndex(({ column }) => isShortened(column)) + 1);
}

/** The first `count` rows of an order, unsorted, with all rows that equal the last one in memory. */
export function firstRows(rows: Uint32Array, count: number, order: PageOrder, columns: IndexColumns): number[] {
  const sure: number[] = [];
  let missing = count;
  let open = rows;
  for (const { column, descends } of inMemory(order)) {
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

/** The rows that are surely behind one with these values, and those that equal it in memory. */
export function rowsBehind(
  rows: Uint32Array,
  values: readonly OrderValue[],
  order: PageOrder,
  columns: IndexColumns,
): { behind: Uint32Array; equal: Uint32Array } {
  const keys = inMemory(order).map(({ column, descends }, place) => {
    return { list: columns.sorted(column), descends, value: columns.encode(column, values[place] ?? null) };
  });
  const compare = (row: number) => {
    for (const { list, descends, value } of keys) {
      const way = compareValues(list[row] as number, value, descends);
      if (way !== 0) return way;
    }
    return 0;
  };
  const ways = Int8Array.from(rows, compare);
  return {
    behind: rows.filter((_, place) => (ways[place] as number) > 0),
    equal: rows.filter((_, place) => ways[place] === 0),
  };
}

/** Unknown values are NaN. */
function compareValues(left: number, right: number, descends: boolean): number {
  if (left > right || left < right) return left > right === descends ? -1 : 1;
  return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
}

/** A found record, and the place of its tier in the plan. */
export interface FoundRow {
  record: number;
  tier: number;
}

/** The rows sorted by tier, then by order; null if two rows are equal in memory, so that only SQLite can sort them. */
export function sortInMemory(
  rows: readonly FoundRow[],
  order: PageOrder,
  { reversed }: Sort,
  columns: IndexColumns,
): FoundRow[] | null {
  let isDecided = true;
  const lists = inMemory(order).map(({ column, descends }) => ({ list: columns.sorted(column), descends }));
  const sorted = rows.toSorted((a, b) => {
    if (a.tier !== b.tier) return reversed ? b.tier - a.tier : a.tier - b.tier;
    for (const { list, descends } of lists) {
      const way = compareValues(list[a.record] as number, list[b.record] as number, descends);
      if (way !== 0) return way;
    }
    isDecided = false;
    return 0;
  });
  return isDecided ? sorted : null;
}

/** The `count`th smallest value, by quickselect: reorders `values`. */
function smallest(values: Float64Array, count: number): number {
  let [start, end] = [0, values.length - 1];
  const target = count - 1;
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
    if (target <= right) end = right;
    else if (target >= left) start = left;
    else break;
  }
  return values[target] as number;
}
