import { fields } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import type { Kind } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';

/** Why a row cannot be read. The reason contains no part of the row. */
export interface RowFault {
  code: string;
  reason: string;
}

/** What stands in the source of a row: the cells under the headings, the values by key, or what could be read as neither. */
export type RowCells = readonly string[] | Readonly<Record<string, unknown>> | string;

/** A row as its format gives it, before anybody knows what its columns mean; `line` from 1, in a JSON array the object's number. */
export interface RawRow {
  line: number;
  cells: RowCells;
  fault?: RowFault;
}

export interface RawList {
  format: 'csv' | 'ndjson' | 'json' | 'workbook';
  /** The headings of a table; null where each row has keys of its own. */
  headings: readonly string[] | null;
  rows: AsyncGenerator<RawRow[]>;
}

/** A row of a list, its values by the fields that its columns fill. */
export type Row = { line: number; cells: RowCells } & (
  | { source: SourceRecord; isShort: boolean /** What the list implies of it. */; implied?: readonly RecordKey[] }
  | { fault: RowFault }
);

/** What is known about all rows of a list. */
export interface RowReader {
  format: RawList['format'];
  /** The kind that the heading implies for rows without one. */
  kind: Kind | null;
  /** The headings as they stand in the source; where each row has keys of its own, those seen so far. */
  readonly headings: readonly string[];
  /** Unknown headings and keys found so far. */
  ignored: ReadonlySet<string>;
}

/** The longest line, and row, in code units. A record of a medium has a few hundred. */
export const maxRowLength = 1024 * 1024;

export const tooLong: RowFault = { code: 'too_long', reason: 'the line or row is longer than 1 MiB' };

/** The fields that several columns may fill: their values add up. */
export const listFields: ReadonlySet<string> = new Set(
  fields.filter(({ type }) => type === 'list').map(({ key }) => key),
);

const partOfName = /\b(?:(first|given|fore|vor|pre)|last|family|sur|nach|apellidos?|cognome|sobrenome) ?(?:name|nom|$)/;

/** Whether a column has a part of people's names, and which: their parts make one contact_name. */
export function partOfNameIn(heading: string): 'first' | 'last' | null {
  const match = partOfName.exec(nameKey(heading));
  return match && (match[1] === undefined ? 'last' : 'first');
}

/** The columns in front of a rejects file, which imports ignore. */
export const rejectColumns: readonly string[] = ['reject_line', 'reject_reason'];

/** Characters of a heading to show. */
const maxShown = 60;

/** A heading for messages: on one line, short, without addresses (a file without a header starts with data). */
export function quoteHeading(heading: string): string {
  const text = cleanText(heading, maxShown);
  return text === '' ? '(no name)' : `"${text}"`;
}

/** A file that is not imported at all: why, and how to fix it. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A file that cannot be read completely. The rows before are imported. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}
