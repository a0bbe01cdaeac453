import { type CsvError, parse } from 'csv-parse/sync';
import { findField, kindOfHeading } from '#domain/find-field.ts';
import type { MediaRecord } from '#domain/media-record.ts';
import type { Kind } from '#domain/vocabularies.ts';
import { RefusedFile } from './refused-file.ts';
import { showHeading } from './show-heading.ts';
import { nextLineStart } from './split-lines.ts';

export interface CsvHeader {
  delimiter: string;
  /** The field of each column; null for a column that means none. */
  columns: ReadonlyArray<keyof MediaRecord | null>;
  headings: readonly string[];
  kind: Kind | null;
  /** Where the rows begin: byte and line. */
  end: number;
  line: number;
}

const delimiters = [',', ';', '\t', '|'] as const;

/** What Excel writes in front of a file to say how its cells are separated. */
const separatorLine = /^sep=(.)\s*$/i;

/**
 * Reads the header at the beginning of a CSV file. The delimiter is the one by which most of its headings are known.
 *
 * @throws RefusedFile where there is no usable header.
 */
export function readCsvHeader(beginning: Buffer): CsvHeader {
  let start = 0;
  let line = 1;
  let declared: string | undefined;
  for (;;) {
    const next = nextLineStart(beginning, start);
    const text = beginning.toString('utf8', start, next ?? beginning.length);
    declared ??= separatorLine.exec(text)?.[1];
    if (text.trim() !== '' && !separatorLine.test(text)) break;
    if (next === null || next >= beginning.length) throw new RefusedFile('empty', 'holds blank lines only');
    start = next;
    line += 1;
  }
  const rest = beginning.subarray(start);
  const candidates = (declared === undefined ? delimiters : [declared]).map((delimiter) =>
    firstRecord(rest, delimiter),
  );
  const found = candidates.filter((candidate) => candidate !== null);
  const [best] = found.toSorted((a, b) => b.known - a.known || b.cells.length - a.cells.length);
  if (!best) throw new RefusedFile('bad_header', 'has a header with a quote that is not closed');
  const columns = checkColumns(best.cells);
  const kind = best.cells.map(kindOfHeading).find((named) => named !== null) ?? null;
  const lines = best.cells.join('').split(/\r\n|\n|\r/).length;
  return {
    delimiter: best.delimiter,
    columns,
    headings: best.cells,
    kind,
    end: start + best.end,
    line: line + lines,
  };
}

function firstRecord(bytes: Buffer, delimiter: string) {
  let record: { delimiter: string; cells: string[]; known: number; end: number } | null = null;
  try {
    parse(bytes, {
      delimiter,
      to: 1,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record: (row: unknown, info) => {
        const cells = (row as string[]).map((cell) => cell.trim());
        record = { delimiter, cells, known: cells.filter((cell) => findField(cell) !== null).length, end: info.bytes };
        return null;
      },
    });
  } catch (error) {
    if ((error as CsvError).code === undefined) throw error;
  }
  return record as { delimiter: string; cells: string[]; known: number; end: number } | null;
}

function checkColumns(headings: readonly string[]): ReadonlyArray<keyof MediaRecord | null> {
  const columns = headings.map(findField);
  if (columns.every((column) => column === null)) {
    const shown = headings.slice(0, 8).map(showHeading).join(', ');
    throw new RefusedFile(
      'no_known_column',
      `has no column that is known, in its first line: ${shown}. The first line names the columns, such as id, kind, name, url`,
    );
  }
  for (const [index, column] of columns.entries()) {
    const first = columns.indexOf(column);
    if (column === null || first === index) continue;
    const [one, other] = [headings[first] ?? '', headings[index] ?? ''].map(showHeading);
    throw new RefusedFile(
      'duplicate_column',
      `has two columns for ${column}: ${one} (column ${first + 1}) and ${other} (column ${index + 1}). Rename or remove one`,
    );
  }
  if (!columns.some((column) => column === 'id' || column === 'name' || column === 'url')) {
    throw new RefusedFile(
      'nothing_identifies',
      'has none of the columns id, name and url, so its rows belong to no record',
    );
  }
  return columns;
}
