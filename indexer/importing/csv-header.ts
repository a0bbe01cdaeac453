import { type CsvError, parse } from 'csv-parse/sync';
import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { findField, kindOfHeading } from '#records/normalize/find-field.ts';
import type { Kind } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';
import type { ColumnMap } from './column-map.ts';
import { listFields, quoteHeading, RefusedFile } from './row.ts';
import { nextLineStart } from './split-lines.ts';

export interface CsvHeader {
  delimiter: string;
  /** The field of each column; null for an unknown column. */
  columns: ReadonlyArray<keyof MediaRecord | null>;
  headings: readonly string[];
  kind: Kind | null;
  /** Where the rows start: byte and line. */
  end: number;
  line: number;
}

const delimiters = [',', ';', '\t', '|'] as const;

/** What Excel writes at the start of a file to declare its separator. */
const separatorLine = /^sep=(.)\s*$/i;

/**
 * Reads the header at the start of a CSV file. The delimiter is the one that gives the most known headings.
 *
 * @throws RefusedFile if there is no usable header.
 */
export function readCsvHeader(beginning: Buffer, map: ColumnMap): CsvHeader {
  let start = 0;
  let line = 1;
  // The lines above a header are of no use, such as the title of a sheet.
  for (; line < (map.headerRow ?? 1); line += 1) start = nextLineStart(beginning, start) ?? beginning.length;
  let declared: string | undefined;
  for (;;) {
    const next = nextLineStart(beginning, start);
    const text = beginning.toString('utf8', start, next ?? beginning.length);
    declared ??= separatorLine.exec(text)?.[1];
    if (text.trim() !== '' && !separatorLine.test(text)) break;
    if (next === null || next >= beginning.length) throw new RefusedFile('empty', 'contains only blank lines');
    start = next;
    line += 1;
  }
  const rest = beginning.subarray(start);
  const candidates = (declared === undefined ? delimiters : [declared]).map((delimiter) =>
    firstRecord(rest, delimiter, map),
  );
  const found = candidates.filter((candidate) => candidate !== null);
  const { header } = map;
  const misses = ({ cells }: Candidate) => (header === null ? 0 : Math.abs(cells.length - header.length));
  const [first] = found.toSorted(
    (a, b) => misses(a) - misses(b) || b.known - a.known || b.cells.length - a.cells.length,
  );
  if (!first) throw new RefusedFile('bad_header', 'has an unclosed quote in its header');
  const best = header === null ? first : { ...first, cells: [...header], end: 0 };
  const columns = checkColumns(best, map);
  const kind = best.cells.map(kindOfHeading).find((named) => named !== null) ?? null;
  const lines = header === null ? best.cells.join('').split(/\r\n|\n|\r/).length : 0;
  return {
    delimiter: best.delimiter,
    columns,
    headings: best.cells,
    kind,
    end: start + best.end,
    line: line + lines,
  };
}

const howToName = 'Say what its columns are with --columns auto or --columns FILE, which the command `columns` writes';

/** How csv-parse reads every file: any line end, space around quotes ignored, the number of cells checked by us. */
export function csvOptions(delimiter: string) {
  return {
    delimiter,
    ltrim: true,
    rtrim: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  };
}

interface Candidate {
  delimiter: string;
  cells: string[];
  /** How many of the cells are known headings. */
  known: number;
  /** Where the record ends. */
  end: number;
  /** The cells of the next record. */
  next: string[];
}

function firstRecord(bytes: Buffer, delimiter: string, map: ColumnMap): Candidate | null {
  const records: { cells: string[]; end: number }[] = [];
  try {
    parse(bytes, {
      ...csvOptions(delimiter),
      to: 2,
      on_record: (cells: unknown, info) => {
        records.push({ cells: (cells as string[]).map((cell) => cell.trim()), end: info.bytes });
        return null;
      },
    });
  } catch (error) {
    if ((error as CsvError).code === undefined) throw error;
  }
  const [first, second] = records;
  if (first === undefined) return null;
  const known = first.cells.filter((cell) => map.fieldOf(cell) !== null).length;
  return { delimiter, ...first, known, next: second?.cells ?? [] };
}

function checkColumns({ cells, next }: Candidate, map: ColumnMap): ReadonlyArray<keyof MediaRecord | null> {
  const columns = cells.map((cell) => map.fieldOf(cell));
  const shown = cells.slice(0, 8).map(quoteHeading).join(', ');
  if (map.header === null && looksLikeData(cells, next)) {
    const ways =
      'Add a line that names them, such as id,kind,name,url, or use a column file with `header:` or `header_row:`';
    throw new RefusedFile('no_header', `has data where the names of columns should be: ${shown}. ${ways}`);
  }
  map.requireHeadings(cells);
  if (map.unknown === 'look') return columns;
  if (columns.every((column) => column === null)) {
    throw new RefusedFile('no_known_column', `has no known column: ${shown}. ${howToName}`);
  }
  for (const [index, column] of columns.entries()) {
    const first = columns.indexOf(column);
    if (column === null || first === index || listFields.has(column)) continue;
    const [one, other] = [cells[first] ?? '', cells[index] ?? ''].map(quoteHeading);
    throw new RefusedFile(
      'duplicate_column',
      `has two columns for ${column}: ${one} (column ${first + 1}) and ${other} (column ${index + 1}). Rename one of them, or leave it out with --ignore`,
    );
  }
  if (!columns.some((column) => column === 'id' || column === 'name' || column === 'url')) {
    throw new RefusedFile(
      'nothing_identifies',
      `has none of the columns id, name and url, so its rows cannot be matched to records. ${howToName}`,
    );
  }
  return columns;
}

/**
 * Whether a first line is a row: it contains an address or a URL, or a word that the next row has in the same place.
 */
function looksLikeData(cells: readonly string[], next: readonly string[]): boolean {
  // As exports write it, even above a medium that is called "Name".
  if (cells.every((cell) => findField(cell) === cell)) return false;
  return cells.some((cell, index) => {
    if (cell.includes('://') || holdsAddress(cell.slice(0, 1_000))) return true;
    return findField(cell) !== null && nameKey(cell) === nameKey(next[index] ?? '');
  });
}
