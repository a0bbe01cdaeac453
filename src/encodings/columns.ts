import { writeToString } from 'fast-csv';
import type { ListEntry } from '#accounts/media-list.ts';
import type { FileChoices } from '#outbound/export-records.ts';
import { entryOfRow } from '#outbound/export-rows.ts';
import { type LeadColumn, toLead } from '#outbound/outbound-lead.ts';
import { columnKeys } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { contactOfRow } from '#search/contact-row.ts';
import { encodeSlices } from './encode-slices.ts';
import { guardFormula } from './formulas.ts';

/** What a cell shows. */
export type CellValue = string | number | readonly string[] | null;

/** How a file with columns shows records or other items: its headings, and the cells of an item in the same order. */
export interface Columns<Item = MediaRecord, Cell = string> {
  headings: readonly string[];
  /** Null if the format has no row for the item. */
  toCells(item: Item): Cell[] | null;
}

/** A column of records: its heading, and what a record shows in it. */
type RecordColumn = readonly [heading: string, toValue: (row: MediaRecord) => CellValue];

/**
 * The columns of csv and xlsx: those of the fields, by default of all that both have. If contacts are the rows, their id stands
 * behind that of the record, and what the record has no field for comes at the end; with `fields`, only the id.
 */
export function valueColumns({
  fields,
  list,
  hasDates = false,
  rows = 'records',
}: FileChoices = {}): Columns<MediaRecord, CellValue> {
  const [id, ...otherColumns] = (fields ?? columnKeys).map(
    (key): RecordColumn => [key, (row) => row[key] as CellValue],
  );
  const areContacts = rows === 'contacts';
  const columns = [
    ...(id === undefined ? [] : [id]),
    ...(areContacts ? [contactIdColumn] : []),
    ...otherColumns,
    ...(areContacts && fields === undefined ? contactColumns : []),
    ...(list === undefined ? [] : listColumns((row) => entryOfRow(row, list, rows), hasDates)),
  ];
  return {
    headings: columns.map(([heading]) => heading),
    toCells: (row) => columns.map(([, toValue]) => toValue(row)),
  };
}

const contactIdColumn: RecordColumn = ['contact_id', (row) => contactOfRow(row)?.id ?? null];

const contactColumns: readonly RecordColumn[] = [
  ['beats', (row) => contactOfRow(row)?.beats ?? null],
  ['links', (row) => contactOfRow(row)?.links ?? null],
];

function listColumns(entryOf: (row: MediaRecord) => ListEntry | undefined, hasDates: boolean): readonly RecordColumn[] {
  const contacted: RecordColumn = ['list_contacted_at', (row) => entryOf(row)?.contactedAt ?? null];
  return [
    ...(hasDates ? [contacted] : []),
    ['list_status', (row) => entryOf(row)?.status ?? 'none'],
    ['list_note', (row) => entryOf(row)?.note ?? null],
  ];
}

/** The columns of csv. Several values in a cell have `|` between them. */
export function recordColumns(choices?: FileChoices): Columns {
  const { headings, toCells } = valueColumns(choices);
  return { headings, toCells: (row) => toCells(row)?.map((value) => guardFormula(toText(value))) ?? null };
}

/** The columns of an outbound tool. Mail merges use the values as they are, so formulas are not guarded. */
export function leadColumns(columns: readonly LeadColumn[]): Columns {
  return {
    headings: columns.map(([heading]) => heading),
    toCells: (record) => {
      const lead = toLead(record);
      return lead && columns.map(([, key]) => (key === null ? '' : toText(lead[key])));
    },
  };
}

export function toText(value: CellValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join('|') : String(value);
}

/** Rows of CSV (RFC 4180), each with CRLF behind it. */
export async function formatCsv(rows: readonly (readonly string[])[]): Promise<string> {
  const asLists = rows.map((cells) => [...cells]);
  return writeToString(asLists, { rowDelimiter: '\r\n', includeEndRowDelimiter: true });
}

const byteOrderMark = '\ufeff';

/** Writes a CSV file (RFC 4180): UTF-8, CRLF, always with headings. `hasMark`: see FileChoices. */
export async function* writeCsv<Item>(
  batches: AsyncIterable<readonly Item[]>,
  { headings, toCells }: Columns<Item>,
  { hasMark = false }: Pick<FileChoices, 'hasMark'> = {},
): AsyncGenerator<Buffer> {
  const encode = (items: readonly Item[]) => {
    const rows = items.map(toCells).filter((cells) => cells !== null);
    return rows.length === 0 ? '' : formatCsv(rows);
  };
  const start = (hasMark ? byteOrderMark : '') + (await formatCsv([headings]));
  yield* encodeSlices(batches, encode, { start });
}
