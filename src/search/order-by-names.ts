import type { MediaRecord } from '#records/media-record.ts';
import { countEdits } from '#text/edit-distance.ts';
import { nameKey } from '#text/fold.ts';
import type { PlannedQuery } from './plan-query.ts';
import type { Page } from './search-query.ts';

/** How many of the best records have their names compared with the typed one. */
const maxCompared = 30;

/**
 * How many rows to read from the first one on for a page on which names are compared: the same ones for each page, so that
 * pages fit together. Null for any other page.
 */
export function rowsToCompare({ tiers }: PlannedQuery, { sort, offset, limit }: Page): number | null {
  const isCompared = !sort.reversed && offset < maxCompared && tiers.some(({ comparesNames }) => comparesNames);
  return isCompared ? Math.max(offset + limit, maxCompared) : null;
}

/**
 * The first rows of a query in their final order: in a tier that compares names, those come first whose name, or an alias, is
 * nearest to the typed one, letter by letter. All that are far are alike.
 *
 * @param rows the first of the whole query, each with the place of its tier
 */
export function orderByNames<Row extends { tier: number }>(
  { tiers, nameKey: typed }: PlannedQuery,
  rows: readonly Row[],
  recordOf: (row: Row) => Pick<MediaRecord, 'name' | 'aliases'>,
): Row[] {
  const compared = rows.slice(0, maxCompared).map((row) => {
    return { row, edits: tiers[row.tier]?.comparesNames ? editsToName(typed, recordOf(row)) : 0 };
  });
  compared.sort((a, b) => a.row.tier - b.row.tier || a.edits - b.edits);
  return [...compared.map(({ row }) => row), ...rows.slice(maxCompared)];
}

function editsToName(typed: string, { name, aliases }: Pick<MediaRecord, 'name' | 'aliases'>): number {
  return Math.min(...[name, ...aliases].map((one) => countEdits(typed, nameKey(one), typed.length >> 1)));
}
