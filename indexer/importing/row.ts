import { fields } from '#records/fields.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import type { Kind } from '#records/vocabularies.ts';

/** Why a row cannot be read. The reason contains no part of the row. */
export interface RowFault {
  code:
    | 'not_utf8'
    | 'too_long'
    | 'broken_quote'
    | 'cut_off'
    | 'too_many_cells'
    | 'too_few_cells'
    | 'not_json'
    | 'not_an_object'
    | 'duplicate_key';
  reason: string;
}

/** What stands in the source of a row: the cells under the headings, the values by key, or what could be read as neither. */
export type RowCells = readonly string[] | Readonly<Record<string, unknown>> | string;

/** A row of a file, with the line it starts on (from 1). */
export type Row = { line: number; cells: RowCells } & (
  | { source: SourceRecord; isShort: boolean }
  | { fault: RowFault }
);

/** The fields that several columns may fill: their values add up. */
export const listFields: ReadonlySet<string> = new Set(
  fields.filter(({ type }) => type === 'list').map(({ key }) => key),
);

/** Adds the cell of a further column to the list of another one. */
export function addToList(list: unknown, cell: unknown): unknown {
  if (typeof list === 'string' && typeof cell === 'string') return `${list}|${cell}`;
  return [list, cell].flatMap((value) => (typeof value === 'string' ? value.split('|') : (value ?? [])));
}

/** The columns in front of a rejects file, which imports ignore. */
export const rejectColumns = ['reject_line', 'reject_reason'] as const;

export type RowFormat = 'csv' | 'ndjson' | 'json' | 'xlsx';

/** What is known about all rows of a file. */
export interface RowReader {
  format: RowFormat;
  /** The kind that the heading implies for rows without one. */
  kind: Kind | null;
  /** The headings of the columns, as they stand in the source; where each row has keys of its own, those seen so far. */
  headings: readonly string[];
  /** Unknown headings and keys found so far. */
  ignored: ReadonlySet<string>;
}

/** A file's rows in the batches in which its lines are read. */
export interface LineReader extends RowReader {
  /** The rows of these complete lines; an unfinished row waits for more. */
  read(lines: Buffer): Row[];
  /** Handles a line that is too long to read. */
  skipLine(): Row[];
  /** The waiting rows, at the end of the file. */
  end(): Row[];
}

/** Maximum number of ignored headings to keep. */
const maxIgnored = 100;

/** Adds an unknown heading, unless there are very many, or it is of a rejects file. */
export function noteIgnored(ignored: Set<string>, heading: string): void {
  const isOurs = (rejectColumns as readonly string[]).includes(heading);
  if (ignored.size < maxIgnored && !isOurs) ignored.add(heading);
}

/** Characters of a heading to show. */
const maxShown = 60;

/** A heading for messages: on one line, short, without addresses (a file without a header starts with data). */
export function quoteHeading(heading: string): string {
  const text = cleanText(heading, maxShown);
  return text === '' ? '(no name)' : `"${text}"`;
}

type RefusalCode =
  | 'not_found'
  | 'cannot_read'
  | 'not_a_file'
  | 'empty'
  | 'not_utf8'
  | 'not_text'
  | 'bad_archive'
  | 'no_sheet'
  | 'json_over_lines'
  | 'bad_header'
  | 'no_known_column'
  | 'no_header'
  | 'nothing_identifies'
  | 'duplicate_column'
  | 'missing_column'
  | 'lost_addresses';

/** A file that is not imported at all: why, and how to fix it. */
export class RefusedFile extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RefusedFile';
    this.code = code;
  }
}

/** A file that cannot be read completely. The rows before are imported. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}
