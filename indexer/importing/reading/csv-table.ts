import { fields } from '#records/fields.ts';
import type { ColumnMap } from '../columns/column-map.ts';
import { maxRowLength, type RawList, type RawRow, RefusedFile, type RowFault, tooLong } from '../row.ts';
import { isBlank, readRow } from './csv-cells.ts';
import { checkHeadings, findHeader, type Header, headingsBelow, maxRowsAbove, rowOfHeadings } from './find-headings.ts';
import { invalidMark, type Line, type Lines } from './open-input.ts';
import type { SheetRow } from './workbook.ts';

const faults = {
  not_utf8: { code: 'not_utf8', reason: 'the row has bytes that are not text in its encoding' },
  broken_quote: {
    code: 'broken_quote',
    reason: 'a cell on this line starts with a quote that is not closed before a separator or the end of a line',
  },
  cut_off: { code: 'cut_off', reason: 'the file ends within this row' },
} as const satisfies Record<string, RowFault>;

/** Opens a CSV file at its header. The delimiter is the one that gives the most known headings. Throws RefusedFile without a header. */
export async function openCsv(batches: AsyncGenerator<Lines>, columns: ColumnMap): Promise<RawList> {
  const { lines, isCut } = await readStart(batches);
  const header = findHeader(lines, columns);
  const reader = new CsvReader(header);
  const first = reader.read({ lines: lines.slice(header.end), isCut });
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

/** A sheet is read in batches of this many rows. */
const batchSize = 1_000;

/** Opens a sheet at its header, as openCsv does. */
export function openSheet(sheet: readonly SheetRow[], columns: ColumnMap): RawList {
  const { headings, end } = findSheetHeader(sheet, columns);
  const width = headings.length;
  // A cell of these may show `Website` and link to it.
  const isUrl = headings.map((heading) =>
    fields.some(({ key, type }) => type === 'url' && key === columns.fieldOf(heading)),
  );
  const readSheetRow = ({ line, cells: texts, links }: SheetRow): RawRow[] => {
    const cells = texts.map((text, column) => (isUrl[column] && !text.includes('.') && links?.get(column)) || text);
    if (cells.every(isBlank)) return [];
    if (cells.join('').length > maxRowLength) return [{ line, cells: '', fault: tooLong }];
    const row = [...headings.map((_, column) => cells[column] ?? ''), ...cells.slice(width)];
    return [{ line, cells: row, ...faultOf(row, width) }];
  };
  const readBatch = (start: number) => sheet.slice(start, start + batchSize).flatMap(readSheetRow);
  checkHeadings(headings, readBatch(end)[0], columns);
  async function* rows(): AsyncGenerator<RawRow[]> {
    for (let start = end; start < sheet.length; start += batchSize) yield readBatch(start);
  }
  return { format: 'workbook', headings, rows: rows() };
}

/** The headings of a sheet, and the index of the first row below them. */
function findSheetHeader(sheet: readonly SheetRow[], columns: ColumnMap): Omit<Header, 'delimiter'> {
  const { header, headerRow } = columns;
  if (header !== null) return { headings: header, end: 0 };
  const first = sheet.findIndex(({ line }) => line >= (headerRow ?? 1));
  const firstRows = headerRow === null ? sheet.slice(0, maxRowsAbove).map(({ cells }) => cells) : [];
  const below = rowOfHeadings(firstRows, columns);
  const at = first + below;
  if (sheet[at] === undefined) throw new RefusedFile('empty', 'has no rows');
  return { headings: headingsBelow(sheet[at].cells, firstRows[below - 1]), end: at + 1 };
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
    if (cells.every(isBlank)) return;
    let fault = faultOf(cells, this.#width).fault;
    if (!fault && this.#isDoubtful && cells.length < this.#width) {
      const reason = `${cells.length} cells, but the header has ${this.#width}; the row may belong to a broken quote before it`;
      fault = { code: 'too_few_cells', reason };
    }
    this.#isDoubtful &&= !(fault === undefined && this.#fits(cells));
    rows.push({ line: this.#line, cells, ...(fault && { fault }) });
  }
}

function faultOf(cells: readonly string[], width: number): { fault?: RowFault } {
  if (cells.some((cell) => cell.includes(invalidMark))) return { fault: faults.not_utf8 };
  if (cells.length <= width || cells.slice(width).every(isBlank)) return {};
  const reason = `${cells.length} cells, but the header has ${width}; the values may be in the wrong columns`;
  return { fault: { code: 'too_many_cells', reason } };
}
