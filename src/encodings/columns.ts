import { writeToString } from 'fast-csv';
import type { FileChoices } from '#outbound/export-records.ts';
import type { LeadColumn } from '#outbound/outbound-lead.ts';
import { toLead } from '#outbound/outbound-lead.ts';
import { recordKeys } from '#records/fields.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';
import { encodeSlices } from './encode-slices.ts';

/** How one format writes records, or other items: its heading, and the cells of an item in that order. */
export interface Columns<Item = MediaRecord> {
  headings: readonly string[];
  /** Null if the format has no row for the item. */
  toCells(item: Item): string[] | null;
}

/** These fields, by default every one of the registry in its order; lists with `|` between their values. */
export function recordColumns(keys: readonly RecordKey[] = recordKeys, list?: FileChoices['list']): Columns {
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

/** The columns of an outbound tool. Mail merges use the values unchanged, so they are not escaped. */
export function leadColumns(columns: readonly LeadColumn[]): Columns {
  return {
    headings: columns.map(([heading]) => heading),
    toCells: (record) => {
      const lead = toLead(record);
      return lead && columns.map(([, key]) => (key === null ? '' : toText(lead[key])));
    },
  };
}

export function toText(value: string | number | readonly string[] | null): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join('|') : String(value);
}

/**
 * What makes a spreadsheet run a cell (OWASP, CSV Injection), including full-width forms and after spaces; and the same
 * behind a `'`, so that an import takes away only the one that is added here.
 */
const formulaStart = /^'*\s*[=+\-@＝＋－＠]|^ *[\t\r\n]/u;
/** Only digits and separators: at worst a sum. */
const plainPhone = /^\+\d[\d ()./-]*$/;

/** A cell that would run as a formula gets a leading `'`, which marks text; +44 20 7946 0000 and the like stay. */
export function guardFormula(cell: string): string {
  return formulaStart.test(cell) && !plainPhone.test(cell) ? `'${cell}` : cell;
}

/** A guarded cell, after the apostrophe that guardFormula adds. */
const guarded = /^'\s*[=+\-@＝＋－＠]/u;

export function unguardFormula(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}

const byteOrderMark = '\ufeff';

/** Writes a file of RFC 4180: UTF-8, CRLF, always a heading line; with a byte order mark in front if asked. */
export async function* writeCsv<Item>(
  batches: AsyncIterable<readonly Item[]>,
  { headings, toCells }: Columns<Item>,
  hasMark = false,
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
