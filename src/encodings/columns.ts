import { writeToString } from 'fast-csv';
import type { FileChoices } from '#outbound/export-records.ts';
import type { LeadColumn } from '#outbound/outbound-lead.ts';
import { toLead } from '#outbound/outbound-lead.ts';
import { columnKeys } from '#records/fields.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';
import { encodeSlices } from './encode-slices.ts';
import { guardFormula } from './formulas.ts';

/** How a file with columns shows records or other items: its headings, and the cells of an item in the same order. */
export interface Columns<Item = MediaRecord> {
  headings: readonly string[];
  /** Null if the format has no row for the item. */
  toCells(item: Item): string[] | null;
}

/** A column for each of these fields, by default for those of csv. Several values in a cell have `|` between them. */
export function recordColumns(keys: readonly RecordKey[] = columnKeys, list?: FileChoices['list']): Columns {
  return {
    headings: [...keys, ...(list ? listColumns : [])],
    toCells: (record) => [
      ...keys.map((key) => guardFormula(toText(record[key]))),
      ...(list ? listCells(record, list).map(guardFormula) : []),
    ],
  };
}

export const listColumns = ['list_status', 'list_note'] as const;

export function listCells({ id }: MediaRecord, list: NonNullable<FileChoices['list']>): [string, string] {
  const { status = 'none', note = null } = list.get(id) ?? {};
  return [status, note ?? ''];
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

export function toText(value: string | number | readonly (string | object)[] | null): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('|');
}

const byteOrderMark = '\ufeff';

/** Writes a CSV file (RFC 4180): UTF-8, CRLF, always with headings. `hasMark`: see FileChoices. */
export async function* writeCsv<Item>(
  batches: AsyncIterable<readonly Item[]>,
  { headings, toCells }: Columns<Item>,
  { hasMark = false }: Pick<FileChoices, 'hasMark'> = {},
): AsyncGenerator<Buffer> {
  const write = (rows: readonly string[][]) =>
    writeToString([...rows], { rowDelimiter: '\r\n', includeEndRowDelimiter: true });
  const encode = (items: readonly Item[]) => {
    const rows = items.map(toCells).filter((cells) => cells !== null);
    return rows.length === 0 ? '' : write(rows);
  };
  const start = (hasMark ? byteOrderMark : '') + (await write([[...headings]]));
  yield* encodeSlices(batches, encode, { start });
}
