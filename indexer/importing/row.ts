import { wordsOfUse } from '#languages/words.ts';
import { type ColumnKey, placeOfColumn, repeatableColumns } from '#records/contacts/contact-columns.ts';
import { fields } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import type { Kind } from '#records/vocabularies.ts';
import { nameKey } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';

/** Why a row cannot be read. The reason contains no part of the row. */
export interface RowFault {
  code: string;
  reason: string;
}

/** A row as it is in the source: cells under the headings, values by key, or text that could not be read. */
export type RowCells = readonly string[] | Readonly<Record<string, unknown>> | string;

/** A row before its columns have a meaning. `line` counts from 1; in a JSON array it counts objects. */
export interface RawRow {
  line: number;
  cells: RowCells;
  fault?: RowFault;
  /** The cells of the row above, where a cell of this row says that it repeats the one there. */
  above?: readonly string[];
}

export interface RawList {
  format: 'csv' | 'ndjson' | 'json' | 'opml' | 'workbook';
  /** The headings of a table; null where each row has keys of its own. */
  headings: readonly string[] | null;
  rows: AsyncGenerator<RawRow[]>;
}

/** A row with its values by field. `implied`: fields whose value is only a guess about the list. */
export type Row = { line: number; cells: RowCells } & (
  | { source: SourceRecord; isShort: boolean; implied?: readonly RecordKey[] }
  | { fault: RowFault }
);

/** The values of some rows by heading, in the order of the headings; empty where a row has none. */
export type Sample = ReadonlyMap<string, readonly string[]>;

/** What is known about all rows of a list. */
export interface RowReader {
  format: RawList['format'];
  /** The kind of rows that have none, if a heading tells it: `Podcast name`. */
  kind: Kind | null;
  /** The headings as they are in the source; of JSON, the keys found so far. */
  readonly headings: readonly string[];
  /** The unknown headings and keys found so far. */
  ignored: ReadonlySet<string>;
}

/** Maximum length of a line and of a row, in UTF-16 code units. Usual rows have a few hundred. */
export const maxRowLength = 1024 * 1024;

export const tooLong: RowFault = { code: 'too_long', reason: 'the line or row is longer than 1 MiB' };

/** What several columns may fill. Their values are joined. */
export const listFields: ReadonlySet<string> = new Set([
  ...fields.filter(({ type }) => type === 'list').map(({ key }) => key),
  ...repeatableColumns,
]);

/** Whether several columns may fill this one, of whatever person. */
export function isList(column: ColumnKey): boolean {
  return listFields.has(placeOfColumn(column).field);
}

const partOfName = /\b(?:(first|given|fore|vor|pre)|last|family|sur|nach) ?(?:name|nom|$)/;
const [firstNames, lastNames] = ['first', 'last'].map((part) => wordsOfUse(`heading.part.${part}`).map(nameKey));

/** Which part of people's names a column has, if any: `Vorname` has the first. Both parts make one contact_name. */
export const partOfNameIn = memoize((heading: string): 'first' | 'last' | null => {
  const key = nameKey(heading);
  const hasWord = (words: readonly string[] = []) => words.some((word) => ` ${key} `.includes(` ${word} `));
  const match = partOfName.exec(key);
  if (match?.[1] !== undefined || hasWord(firstNames)) return 'first';
  return match !== null || hasWord(lastNames) ? 'last' : null;
});

/** The headings, each told apart from those before it that are the same: `Email`, `Email (column 4)`. */
export function tellApart(headings: readonly string[]): string[] {
  return headings.map((heading, place) =>
    heading !== '' && headings.indexOf(heading) < place ? `${heading} (column ${place + 1})` : heading,
  );
}

/** A heading without what tells it apart from others. */
export function firstOfRepeated(heading: string): string {
  return heading.replace(/ \(column \d+\)$/, '');
}

/** The first columns of a rejects file. Imports ignore them. */
export const rejectColumns: readonly string[] = ['reject_line', 'reject_reason'];

/** Maximum length of a heading in messages. */
const maxShown = 60;

/** A heading for messages: on one line, short, and without addresses, because a file without a header starts with data. */
export function quoteHeading(heading: string): string {
  const text = cleanText(heading, maxShown);
  return text === '' ? '(no name)' : `"${text}"`;
}

/** A file that is not imported at all. The message says why, and how to fix it. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A file that cannot be read to its end. The rows before the fault are imported. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}
