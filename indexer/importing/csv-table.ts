import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import { fields, recordKeys } from '#records/fields.ts';
import { findField } from '#records/normalize/source-words.ts';
import { nameKey } from '#text/fold.ts';
import { formatNumber } from '#text/printed.ts';
import type { ColumnMap } from './column-map.ts';
import { isBlank, readRow } from './csv-cells.ts';
import { filledValues, isWebAddress } from './guess-field.ts';
import { invalidMark, type Line, type Lines } from './open-input.ts';
import { placeOfHeadings } from './propose-columns.ts';
import { maxRowLength, quoteHeading, type RawList, type RawRow, RefusedFile, type RowFault, tooLong } from './row.ts';
import type { SheetRow } from './workbook.ts';

/** As many as a sheet of Excel can have. */
const maxColumns = 16_384;

/** Headings are looked for in this many rows. */
const maxRowsAbove = 10;

const delimiters = [',', ';', '\t', '|'];

/** The first line of files in which Excel declares the separator. */
const separatorLine = /^sep=(.)\s*$/i;

const faults = {
  not_utf8: { code: 'not_utf8', reason: 'the row has bytes that are not text in its encoding' },
  broken_quote: {
    code: 'broken_quote',
    reason: 'a cell on this line starts with a quote that is not closed before a separator or the end of a line',
  },
  cut_off: { code: 'cut_off', reason: 'the file ends within this row' },
} as const satisfies Record<string, RowFault>;

interface Header {
  delimiter: string;
  headings: readonly string[];
  /** The place of the first line after it. */
  end: number;
}

/** Opens a CSV file at its header. The delimiter is the one that gives the most known headings. Throws RefusedFile without a header. */
export async function openCsv(batches: AsyncGenerator<Lines>, columns: ColumnMap): Promise<RawList> {
  const { lines, isCut } = await readStart(batches);
  const header = findHeader(lines, columns);
  const reader = new CsvReader(header);
  const first = reader.read({ lines: lines.slice(header.end), isCut });
  requireFewColumns(header.headings);
  checkHeadings(header.headings, first[0], columns);
  async function* rows(): AsyncGenerator<RawRow[]> {
    yield first;
    for await (const batch of batches) yield reader.read(batch);
    yield reader.end();
  }
  return { format: 'csv', headings: header.headings, rows: rows() };
}

/** The first lines: a long header comes in several batches without one. */
async function readStart(batches: AsyncGenerator<Lines>): Promise<Lines> {
  for (;;) {
    const { value, done } = await batches.next();
    if (done) return { lines: [], isCut: false };
    if (value.lines.length > 0) return value;
  }
}

function requireFewColumns({ length }: readonly string[]): void {
  if (length <= maxColumns) return;
  throw new RefusedFile(
    'too_large',
    `is too large: it has ${formatNumber(length)} columns, and at most ${formatNumber(maxColumns)} can be read`,
  );
}

/** A sheet is read in batches of this many rows. */
const batchSize = 1_000;

/** Opens a sheet at its header, as openCsv does. */
export function openSheet(sheet: readonly SheetRow[], columns: ColumnMap): RawList {
  const { header: namedHeadings, headerRow } = columns;
  const start = sheet.findIndex(({ line }) => line >= (headerRow ?? 1));
  const first = headerRow === null ? sheet.slice(0, maxRowsAbove).map(({ cells }) => cells) : [];
  const place = placeOfHeadings(first, columns);
  const at = namedHeadings === null ? start + place : -1;
  const headings = namedHeadings ?? (sheet[at] && headingsBelow(sheet[at].cells, first[place - 1]));
  if (headings === undefined) throw new RefusedFile('empty', 'has no rows');
  // A cell of these may show `Website` and link to it.
  const isUrl = headings.map((heading) =>
    fields.some(({ key, type }) => type === 'url' && key === columns.fieldOf(heading)),
  );
  const readBatch = (start: number) =>
    sheet.slice(start, start + batchSize).flatMap(({ line, cells: texts, links }): RawRow[] => {
      const cells = texts.map((text, place) => (isUrl[place] && !text.includes('.') && links?.get(place)) || text);
      if (cells.every(isBlank)) return [];
      if (cells.join('').length > maxRowLength) return [{ line, cells: '', fault: tooLong }];
      const row = [...headings.map((_, place) => cells[place] ?? ''), ...cells.slice(headings.length)];
      return [{ line, cells: row, ...faultOf(row, headings.length) }];
    });
  checkHeadings(headings, readBatch(at + 1)[0], columns);
  async function* rows(): AsyncGenerator<RawRow[]> {
    for (let start = at + 1; start < sheet.length; start += batchSize) yield readBatch(start);
  }
  return { format: 'workbook', headings, rows: rows() };
}

function findHeader(lines: readonly Line[], columns: ColumnMap): Header {
  // Lines above `header_row`, such as the title of a sheet, are ignored.
  let at = (columns.headerRow ?? 1) - 1;
  let declared: string | undefined;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    declared ??= separatorLine.exec(line)?.[1];
    if (lines[at] === null || (line.trim() !== '' && !separatorLine.test(line))) break;
  }
  if (at >= lines.length) throw new RefusedFile('empty', 'contains only blank lines');
  if (lines[at] === null) throw new RefusedFile('too_large', 'is too large: it starts with a line longer than 1 MiB');
  const { header } = columns;
  const tried = declared === undefined ? delimiters : [declared];
  let above: readonly string[] | undefined;
  if (header === null && columns.headerRow === null) ({ at, above } = lineOfHeadings(lines, at, tried, columns));
  const readings = tried.map((delimiter) => ({ delimiter, row: readRow(lines, at, delimiter) }));
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
  if (
    best === undefined ||
    (best.knownCount === 0 && readings.some(({ row }) => 'fault' in row && row.fault === 'open'))
  )
    throw new RefusedFile('bad_header', 'has an unclosed quote in its header');
  return header === null ? best : { ...best, headings: header, end: at };
}

/** The place of the line with the headings, which is the first line with text, or one below a title; and the cells above it. */
function lineOfHeadings(lines: readonly Line[], start: number, tried: readonly string[], columns: ColumnMap) {
  for (const delimiter of tried) {
    const rows: { cells: string[]; end: number }[] = [];
    let row = readRow(lines, start, delimiter);
    while ('cells' in row && rows.length < maxRowsAbove) {
      rows.push(row);
      row = readRow(lines, row.end, delimiter);
    }
    const cells = rows.map((precedingRow) => precedingRow.cells);
    const above = rows[placeOfHeadings(cells, columns) - 1];
    if (above !== undefined) return { at: above.end, above: above.cells };
  }
  return { at: start };
}

/**
 * The headings of a line below another with headings over several columns: those tell headings apart that come again (`Contact
 * Name`), and stand for blank ones. A single cell above is a title.
 */
function headingsBelow(cells: readonly string[], above: readonly string[] = []): string[] {
  const headings = cells.map((cell) => cell.trim());
  const groups = filledValues(above).length > 1 ? above.map((cell) => cell.trim()) : [];
  return headings.map((heading, place) => {
    if (heading === '') return groups[place] ?? '';
    const group = groups.slice(0, place + 1).findLast((cell) => cell !== '');
    return group === undefined || headings.indexOf(heading) === place ? heading : `${group} ${heading}`;
  });
}

/** @throws RefusedFile if the headings are data, or lack one that the column file names */
function checkHeadings(headings: readonly string[], next: RawRow | undefined, columns: ColumnMap): void {
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

/**
 * Reads rows of CSV. An unclosed quote costs only its own line: if a row spans lines and does not fit the header, is broken
 * or never ends, its first line is rejected and reading goes on at the next one.
 */
class CsvReader {
  readonly #delimiter: string;
  readonly #width: number;
  /** The lines of a row that may go on, and the number of the first line. */
  #waiting: Line[] = [];
  #line: number;
  /** True after a broken quote, until a row fits: a short row may be the end of the broken one. */
  #isDoubtful = false;

  constructor({ delimiter, headings, end }: Header) {
    this.#delimiter = delimiter;
    this.#width = headings.length;
    this.#line = end + 1;
  }

  read({ lines, isCut }: Lines): RawRow[] {
    const rows = this.#take(this.#waiting.length === 0 ? lines : [...this.#waiting, ...lines], { isEnd: false });
    const last = rows.at(-1);
    // The last cell of a row that was cut off may be half a value.
    if (isCut && last !== undefined && !last.fault && (last.cells as readonly string[]).length < this.#width)
      last.fault = faults.cut_off;
    return rows;
  }

  end(): RawRow[] {
    return this.#take(this.#waiting, { isEnd: true });
  }

  #take(lines: Line[], { isEnd }: { isEnd: boolean }): RawRow[] {
    const rows: RawRow[] = [];
    const start = this.#line;
    let at = 0;
    while (at < lines.length) {
      const row = readRow(lines, at, this.#delimiter);
      if ('fault' in row && row.fault === 'open' && !isEnd) break;
      this.#line = start + at;
      if ('cells' in row && this.#isOne(row, at)) {
        this.#add(row.cells, rows);
        at = row.end;
      } else {
        const line = lines[at] ?? null;
        rows.push({ line: this.#line, cells: line ?? '', fault: line === null ? tooLong : faults.broken_quote });
        this.#isDoubtful = true;
        at += 1;
      }
    }
    this.#line = start + at;
    this.#waiting = lines.slice(at);
    return rows;
  }

  /** Whether these cells are a row: what spans lines, or has quotes that only a backslash explains, must fit the header. */
  #isOne({ cells, end, isEscaped }: { cells: string[]; end: number; isEscaped: boolean }, at: number): boolean {
    if (isEscaped) return cells.length === this.#width;
    return end === at + 1 || this.#fits(cells);
  }

  /** Whether there is a cell for each column and nothing in further ones. */
  #fits(cells: readonly string[]): boolean {
    return cells.length >= this.#width && cells.slice(this.#width).every(isBlank);
  }

  #add(cells: readonly string[], rows: RawRow[]): void {
    if (cells.every(isBlankOrRule)) return;
    let fault = faultOf(cells, this.#width).fault;
    if (!fault && this.#isDoubtful && cells.length < this.#width) {
      const reason = `${cells.length} cells, but the header has ${this.#width}; the row may belong to a broken quote before it`;
      fault = { code: 'too_few_cells', reason };
    }
    this.#isDoubtful &&= !(fault === undefined && this.#fits(cells));
    rows.push({ line: this.#line, cells, ...(fault && { fault }) });
  }
}

/** The line below the headings of a table in Markdown has only such cells: `| --- | :-: |`. */
function isBlankOrRule(cell: string): boolean {
  return isBlank(cell) || /^\s*(?::-+:?|-{2,}:?|-:)\s*$/.test(cell);
}

function faultOf(cells: readonly string[], width: number): { fault?: RowFault } {
  if (cells.some((cell) => cell.includes(invalidMark))) return { fault: faults.not_utf8 };
  if (cells.length <= width || cells.slice(width).every(isBlank)) return {};
  const reason = `${cells.length} cells, but the header has ${width}; the values may be in the wrong columns`;
  return { fault: { code: 'too_many_cells', reason } };
}
