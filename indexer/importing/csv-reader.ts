import { type CsvError, parse } from 'csv-parse/sync';
import type { MediaRecord } from '#records/media-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import type { ColumnMap } from './column-map.ts';
import { type CsvHeader, csvOptions, readCsvHeader } from './csv-header.ts';
import { invalidMark, markInvalid } from './decode-text.ts';
import { addToList, type LineReader, noteIgnored, type Row, type RowFault } from './row.ts';
import { maxLineBytes, nextLineStart } from './split-lines.ts';

const faults = {
  not_utf8: { code: 'not_utf8', reason: 'the row is not valid UTF-8' },
  too_long: { code: 'too_long', reason: `the line or row is longer than ${maxLineBytes / 1024 / 1024} MiB` },
  broken_quote: {
    code: 'broken_quote',
    reason: 'a cell on this line starts with a quote that is not closed before a separator or the end of a line',
  },
  cut_off: { code: 'cut_off', reason: 'the file ends within this row' },
} as const satisfies Record<string, RowFault>;

/** Ends the parse of a batch at a row that spans several lines and has another number of cells than the header. */
const misfit = new Error('misfit');
/** Ends it where lines without a quote follow. */
const plainAhead = new Error('plain lines ahead');
/** Bytes without a quote for which it is worth it. */
const farAhead = 2_000;

const quote = '"'.charCodeAt(0);

/** A cell that a spreadsheet would run, after the apostrophe that exports add. */
const guardedFormula = /^'+\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/**
 * Reads CSV row by row. An unclosed quote costs only its own line: if a quoted row continues over lines and then does
 * not fit the header, or ends badly or not at all, its first line is reported and reading resumes at the next line.
 */
export class CsvReader implements LineReader {
  readonly format: 'csv' | 'xlsx';
  readonly kind: Kind | null;
  readonly ignored = new Set<string>();
  readonly #header: CsvHeader;
  /** The unread text, and its first line. */
  #rest: Buffer;
  #line: number;
  /** After a broken quote, until a row fits: a short row may be the end of a broken one. */
  #isDoubtful = false;
  /** Whether the last line that was read has no end. */
  #isUnended = false;

  /** @throws RefusedFile if the file has no usable header. */
  constructor(beginning: Buffer, columns: ColumnMap, format: 'csv' | 'xlsx') {
    this.format = format;
    this.#header = readCsvHeader(beginning, columns);
    this.kind = this.#header.kind;
    this.#line = this.#header.line;
    this.#rest = Buffer.alloc(0);
    for (const [index, column] of this.#header.columns.entries()) {
      const heading = this.#header.headings[index] ?? '';
      if (column === null && heading !== '') noteIgnored(this.ignored, heading);
    }
  }

  get headings(): readonly string[] {
    return this.#header.headings;
  }

  get headerEnd(): number {
    return this.#header.end;
  }

  read(lines: Buffer): Row[] {
    const bytes = markInvalid(lines);
    this.#isUnended = !(lines.at(-1) === 10 || lines.at(-1) === 13);
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    return this.#withoutCutRow(this.#readRest(false));
  }

  skipLine(): Row[] {
    const rows = this.#readRest(true);
    rows.push({ line: this.#line, cells: '', fault: faults.too_long });
    this.#line += 1;
    return rows;
  }

  end(): Row[] {
    return this.#withoutCutRow(this.#readRest(true));
  }

  /** A last line that has no end, and too few cells, was cut off: its last cell may be half a value. */
  #withoutCutRow(rows: Row[]): Row[] {
    const last = rows.at(-1);
    if (!this.#isUnended || last === undefined || 'fault' in last || !last.isShort) return rows;
    return [...rows.slice(0, -1), { line: last.line, cells: last.cells, fault: faults.cut_off }];
  }

  #readRest(isEnd: boolean): Row[] {
    const rows: Row[] = [];
    this.#readPlainLines(rows);
    while (this.#rest.length > 0) {
      const error = this.#parse(this.#rest, rows);
      if (error === null) break;
      if (error === 'plain') {
        this.#readPlainLines(rows);
        continue;
      }
      const waits = error === 'unclosed' && !isEnd && this.#rest.length <= maxLineBytes;
      if (waits) break;
      this.#readBrokenLine(error, rows);
    }
    return rows;
  }

  /**
   * Reads the rows before the first line with a quote. Each is a line, whose cells are what is between delimiters: what
   * csv-parse reads in them, in a fifth of the time.
   */
  #readPlainLines(rows: Row[]): void {
    const bytes = this.#rest;
    const quoteAt = bytes.indexOf(quote);
    let start = 0;
    while (start < bytes.length) {
      const next = nextLineStart(bytes, start) ?? bytes.length;
      if (quoteAt >= 0 && quoteAt < next) break;
      const cells = bytes.toString('utf8', start, next).split(this.#header.delimiter);
      this.#addRow(cells.map(trim), next - start, rows);
      this.#line += 1;
      start = next;
    }
    this.#rest = bytes.subarray(start);
  }

  /** Reads complete rows from the rest; returns what stopped it. */
  #parse(bytes: Buffer, rows: Row[]): Stop | null {
    const hasCarriageReturns = bytes.includes(13);
    let end = 0;
    try {
      parse(bytes, {
        ...csvOptions(this.#header.delimiter),
        on_record: (cells: unknown, info) => {
          const lines = countLines(bytes, end, info.bytes, hasCarriageReturns);
          if (lines > 1 && !this.#fits(cells as string[])) throw misfit;
          this.#addRow(cells as string[], info.bytes - end, rows);
          this.#line += lines;
          end = info.bytes;
          const nextQuote = bytes.indexOf(quote, end);
          if (nextQuote < 0 || nextQuote - end > farAhead) throw plainAhead;
          return null;
        },
      });
    } catch (error) {
      this.#rest = bytes.subarray(end);
      return stopOf(error);
    }
    this.#rest = Buffer.alloc(0);
    return null;
  }

  /** Reports the first line of the rest, or reads it if it only has a quote within a cell: `12" Records`. */
  #readBrokenLine(error: Exclude<Stop, 'plain'>, rows: Row[]): void {
    const next = nextLineStart(this.#rest, 0) ?? this.#rest.length;
    const cells = error === 'stray quote' ? this.#parseLoosely(this.#rest.subarray(0, next)) : null;
    if (cells !== null && this.#fits(cells)) {
      this.#addRow(cells, next, rows);
    } else {
      rows.push({ line: this.#line, cells: this.#rest.toString('utf8', 0, next), fault: faults.broken_quote });
      this.#isDoubtful = true;
    }
    this.#line += 1;
    this.#rest = this.#rest.subarray(next);
  }

  #parseLoosely(line: Buffer): string[] | null {
    try {
      const [cells] = parse(line, { ...csvOptions(this.#header.delimiter), relax_quotes: true });
      return cells ?? null;
    } catch (error) {
      if (stopOf(error) === null) throw error;
      return null;
    }
  }

  /** Whether there is a cell for each column and nothing in further ones. */
  #fits(cells: readonly string[]): boolean {
    const { length } = this.#header.columns;
    return cells.length === length || (cells.length > length && cells.slice(length).every(isBlank));
  }

  #addRow(cells: readonly string[], bytes: number, rows: Row[]): void {
    if (cells.every(isBlank)) return;
    const fault = this.#faultOf(cells, bytes);
    const line = this.#line;
    if (fault !== null) {
      rows.push({ line, cells, fault });
      return;
    }
    this.#isDoubtful &&= !this.#fits(cells);
    const source: { [Key in keyof MediaRecord]?: unknown } = {};
    for (const [index, column] of this.#header.columns.entries()) {
      const cell = cells[index];
      if (column === null || cell === undefined) continue;
      const value = guardedFormula.test(cell) ? cell.slice(1) : cell;
      source[column] = column in source ? addToList(source[column], value) : value;
    }
    rows.push({ line, cells, source, isShort: cells.length < this.#header.columns.length });
  }

  #faultOf(cells: readonly string[], bytes: number): RowFault | null {
    if (bytes > maxLineBytes) return faults.too_long;
    if (cells.some((cell) => cell.includes(invalidMark))) return faults.not_utf8;
    const { length } = this.#header.columns;
    if (cells.length > length && !this.#fits(cells)) {
      const reason = `${cells.length} cells, but the header has ${length}; the values may be in the wrong columns`;
      return { code: 'too_many_cells', reason };
    }
    if (cells.length < length && this.#isDoubtful) {
      const reason = `${cells.length} cells, but the header has ${length}; the row may belong to a broken quote before it`;
      return { code: 'too_few_cells', reason };
    }
    return null;
  }
}

/** Why csv-parse stopped before the end. */
type Stop = 'plain' | 'unclosed' | 'stray quote' | 'broken';

function stopOf(error: unknown): Stop {
  if (error === plainAhead) return 'plain';
  if (error === misfit) return 'broken';
  const { code } = error as CsvError;
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'unclosed';
  if (code === 'INVALID_OPENING_QUOTE') return 'stray quote';
  if (code === 'CSV_INVALID_CLOSING_QUOTE' || code === 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE') return 'broken';
  throw error;
}

function trim(cell: string): string {
  return cell.trim();
}

function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/** The line ends between two offsets, a CRLF as one; a last line without an end counts too. */
function countLines(bytes: Buffer, start: number, end: number, hasCarriageReturns: boolean): number {
  if (!hasCarriageReturns && bytes.indexOf(10, start) >= end - 1) return 1;
  let lines = 0;
  for (let at: number | null = start; at !== null && at < end; at = nextLineStart(bytes, at)) lines += 1;
  return lines;
}
