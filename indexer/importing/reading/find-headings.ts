import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import { recordKeys } from '#records/fields.ts';
import { findField } from '#records/normalize/source-words.ts';
import { nameKey } from '#text/fold.ts';
import { formatNumber } from '#text/printed.ts';
import type { ColumnMap } from '../columns/column-map.ts';
import { fieldsInHeading, filledValues, isWebAddress } from '../columns/guess-field.ts';
import { quoteHeading, type RawRow, RefusedFile, tellApart } from '../row.ts';
import { readRow } from './csv-cells.ts';
import type { Line } from './open-input.ts';

/** As many as a sheet of Excel can have. */
const maxColumns = 16_384;

/** Headings are looked for in this many rows. */
export const maxRowsAbove = 10;

const usualDelimiters = [',', ';', '\t', '|'];

/** The first line of files in which Excel declares the separator. */
const separatorLine = /^sep=(.)\s*$/i;

export interface Header {
  delimiter: string;
  headings: readonly string[];
  /** The index of the first line after it. */
  end: number;
}

/**
 * The header of a CSV file, with the delimiter that gives the most known headings. Lines above `header_row`, such as the title of a
 * sheet, are ignored.
 *
 * @throws RefusedFile without a header
 */
export function findHeader(lines: readonly Line[], columns: ColumnMap): Header {
  const { header, headerRow } = columns;
  const { first, declared } = findFirstText(lines, (headerRow ?? 1) - 1);
  const delimiters = declared === undefined ? usualDelimiters : [declared];
  const isFree = header === null && headerRow === null;
  const { at, above } = isFree ? lineOfHeadings(lines, first, delimiters, columns) : { at: first };
  const readings = delimiters.map((delimiter) => ({ delimiter, row: readRow(lines, at, delimiter) }));
  const candidates = readings.flatMap(({ delimiter, row }) => {
    if ('fault' in row) return [];
    const headings = headingsBelow(row.cells, above);
    const knownCount = headings.filter((heading) => columns.fieldOf(heading) !== null).length;
    const misses = header === null ? 0 : Math.abs(headings.length - header.length);
    return { delimiter, headings, knownCount, misses, end: row.end };
  });
  const [best] = candidates.toSorted(
    (a, b) => a.misses - b.misses || b.knownCount - a.knownCount || b.headings.length - a.headings.length,
  );
  // With another delimiter, a header in quotes is broken. Only `open` says that a closing quote is missing.
  const isOpen = readings.some(({ row }) => 'fault' in row && row.fault === 'open');
  if (best === undefined || (best.knownCount === 0 && isOpen)) {
    throw new RefusedFile('bad_header', 'has an unclosed quote in its header');
  }
  return header === null ? best : { ...best, headings: header, end: at };
}

/** The index of the first line with text from a line on, and the separator that a line before it declares. */
function findFirstText(lines: readonly Line[], from: number): { first: number; declared: string | undefined } {
  let declared: string | undefined;
  for (let index = from; index < lines.length; index += 1) {
    const line = lines[index] ?? null;
    if (line === null) throw new RefusedFile('too_large', 'is too large: it starts with a line longer than 1 MiB');
    declared ??= separatorLine.exec(line)?.[1];
    if (line.trim() !== '' && !separatorLine.test(line)) return { first: index, declared };
  }
  throw new RefusedFile('empty', 'contains only blank lines');
}

/** The index of the line with the headings, which is the first line with text, or one below a title; and the cells above it. */
function lineOfHeadings(
  lines: readonly Line[],
  first: number,
  delimiters: readonly string[],
  columns: ColumnMap,
): { at: number; above?: readonly string[] } {
  for (const delimiter of delimiters) {
    const rows: { cells: string[]; end: number }[] = [];
    let row = readRow(lines, first, delimiter);
    while ('cells' in row && rows.length < maxRowsAbove) {
      rows.push(row);
      row = readRow(lines, row.end, delimiter);
    }
    const cells = rows.map((precedingRow) => precedingRow.cells);
    const above = rows[rowOfHeadings(cells, columns) - 1];
    if (above !== undefined) return { at: above.end, above: above.cells };
  }
  return { at: first };
}

/** The index of the headings among the first rows: above them may be titles, notes, and cells over several columns. */
export function rowOfHeadings(rows: readonly (readonly string[])[], map: ColumnMap): number {
  const isHeading = (text: string) => map.fieldOf(text) !== null || fieldsInHeading(text).length > 0;
  const counts = rows.map((cells) => [filledValues(cells).length, cells.filter(isHeading).length] as const);
  const widest = counts.reduce((best, [count, named], row) => {
    const isWider = count > (counts[0]?.[0] ?? 0) && named * 2 >= count;
    return isWider && named > Math.max(1, counts[best]?.[1] ?? 0) ? row : best;
  }, 0);
  // `Outlet;Contact;;Country` goes on as `;Name;Email;`.
  const [top = [], next = []] = rows.slice(widest);
  const parts = next.flatMap((cell, column) => (cell.trim() === '' ? [] : [{ cell, column }]));
  const isBlankAbove = (column: number) => (top[column] ?? '').trim() === '';
  const isSpread = (column: number) => isBlankAbove(column) || (top[column + 1] ?? 'x').trim() === '';
  const isMore = parts.some(({ column }) => isBlankAbove(column));
  return isMore && parts.every(({ cell, column }) => isHeading(cell) && isSpread(column)) ? widest + 1 : widest;
}

/**
 * The headings of a line below another with headings over several columns: those tell headings apart that come again (`Contact
 * Name`), and stand for blank ones. A single cell above is a title.
 */
export function headingsBelow(cells: readonly string[], above: readonly string[] = []): string[] {
  const headings = cells.map((cell) => cell.trim());
  const groups = filledValues(above).length > 1 ? above.map((cell) => cell.trim()) : [];
  return tellApart(
    headings.map((heading, column) => {
      if (heading === '') return groups[column] ?? '';
      const group = groups.slice(0, column + 1).findLast((cell) => cell !== '');
      return group === undefined || headings.indexOf(heading) === column ? heading : `${group} ${heading}`;
    }),
  );
}

/** @throws RefusedFile if headings are too many or data, or lack one that the column file names */
export function checkHeadings(headings: readonly string[], next: RawRow | undefined, columns: ColumnMap): void {
  const { length } = headings;
  if (length > maxColumns) {
    const limit = `it has ${formatNumber(length)} columns, and at most ${formatNumber(maxColumns)} can be read`;
    throw new RefusedFile('too_large', `is too large: ${limit}`);
  }
  const below = Array.isArray(next?.cells) ? (next.cells as readonly string[]) : [];
  if (columns.header === null && looksLikeData(headings, below)) {
    const firstHeadings = headings.slice(0, 8).map(quoteHeading).join(', ');
    const ways =
      'Add a line that names them, such as id,kind,name,url, or use a column file with `header:` or `header_row:`';
    throw new RefusedFile('no_header', `has data where the names of columns should be: ${firstHeadings}. ${ways}`);
  }
  columns.requireHeadings(headings);
}

/** Whether a first line is data: it has an address or a URL, or a heading that the next row repeats in the same place. */
function looksLikeData(cells: readonly string[], next: readonly string[]): boolean {
  // A header of our exports is one, even above a medium that is called "name".
  if (cells.every((cell) => recordKeys.some((key) => key === cell))) return false;
  return cells.some((cell, index) => {
    if (isWebAddress(cell) || cell.includes('://') || holdsAddress(cell.slice(0, 1_000))) return true;
    return findField(cell) !== null && nameKey(cell) === nameKey(next[index] ?? '');
  });
}
