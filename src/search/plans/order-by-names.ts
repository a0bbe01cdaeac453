import type { MediaRecord } from '#records/media-record.ts';
import { countEdits } from '#text/edit-distance.ts';
import { nameKey } from '#text/fold.ts';
import type { Page } from '../search-query.ts';
import type { PlannedQuery } from './plan-query.ts';

/** Only the names of so many first records are compared with the typed one. */
const maxCompared = 30;

/**
 * How many rows to read, from the first one on, if names decide the order of this page; null if not. Each page compares the
 * same first rows, so that no record is on two pages.
 */
export function rowsToCompare({ tiers }: PlannedQuery, { sort, offset, limit, after }: Page): number | null {
  const isCompared =
    after === undefined && !sort.reversed && offset < maxCompared && tiers.some(({ comparesNames }) => comparesNames);
  return isCompared ? Math.max(offset + limit, maxCompared) : null;
}

/**
 * Orders the first rows of a query. In a tier that compares names, a record comes first if its name or an alias has the
 * fewest edits to the typed name: for `el pais`, "El País" before "El Paisa". All names with many edits are alike.
 *
 * @param rows the first rows of the query by tier and prominence, each with the index of its tier
 */
export function orderByNames<Row extends { tier: number }>(
  { tiers, nameKey: typed }: PlannedQuery,
  rows: readonly Row[],
  recordOf: (row: Row) => Pick<MediaRecord, 'name' | 'aliases'>,
): Row[] {
  const comparedRows = rows.slice(0, maxCompared).map((row) => {
    return { row, edits: tiers[row.tier]?.comparesNames ? editsToName(typed, recordOf(row)) : 0 };
  });
  comparedRows.sort((a, b) => a.row.tier - b.row.tier || a.edits - b.edits);
  return [...comparedRows.map(({ row }) => row), ...rows.slice(maxCompared)];
}

/** How many edits away the nearest name of a record is; all that are many are alike. */
export function editsToName(typed: string, record: Pick<MediaRecord, 'name' | 'aliases'>): number {
  return nearestName(typed, record).edits;
}

/** The name or alias with the fewest edits to the typed name, the first of several. */
export function nearestName(
  typed: string,
  { name, aliases }: Pick<MediaRecord, 'name' | 'aliases'>,
): { name: string; edits: number; areMany: boolean } {
  const limit = typed.length >> 1;
  const candidates = [name, ...aliases].map((recordName) => ({
    name: recordName,
    edits: countEdits(typed, nameKey(recordName), limit),
  }));
  const nearest = candidates.reduce((best, candidate) => (candidate.edits < best.edits ? candidate : best));
  return { ...nearest, areMany: nearest.edits > limit };
}
