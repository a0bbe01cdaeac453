import type { SQLOutputValue } from 'node:sqlite';
import { isReachable } from '#records/contacts/first-contact.ts';
import { countedValues, rangeValue } from '#records/field-values.ts';
import { completeRecord, emptyRecord, type FacetField, facetFields, rangeFields } from '#records/fields.ts';
import { nameKeyOf } from '#records/identity.ts';
import { joinSecret, type RecordSecret, showMasked, splitSecret } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { rereadRecord } from '#records/normalize/reread-record.ts';
import { prominenceOf } from '#search/prominence.ts';
import { nameKey } from '#text/fold.ts';
import type { RecordState } from '../stores.ts';

/** The columns of `records` besides its key. The body is the masked record; `secret` is JSON, null if there is none. */
export function recordColumns(record: MediaRecord) {
  const { masked, secret } = splitSecret(record);
  return {
    id: record.id,
    body: JSON.stringify(masked),
    secret: secret === null ? null : JSON.stringify(secret),
    name_key: nameKeyOf(record.kind, record.name),
  };
}

/** The names of those columns, in order. */
export const columnsOfRecord = Object.keys(recordColumns(emptyRecord('', 'outlet', '')));

export type Cell = string | number | null;

export type RecordRow = Record<string, SQLOutputValue>;

/** The next rows of an iterator, at most `count`. Iterator.take would close it. */
export function nextRows(rows: Iterator<RecordRow>, count: number): RecordRow[] {
  const taken: RecordRow[] = [];
  while (taken.length < count) {
    const next = rows.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/** The record of a row; masked if the row was read without its secret. */
export function readRecord(row: RecordRow): MediaRecord {
  const record = completeRecord(JSON.parse(String(row.body)));
  if (row.secret === undefined) return showMasked(record);
  return joinSecret(record, row.secret === null ? null : (JSON.parse(String(row.secret)) as RecordSecret));
}

/** The record of a row, with texts as this version writes them. Something other than Masthead may have written the row. */
export function readState(row: RecordRow): RecordState {
  try {
    const record = readRecord(row);
    const isRecord = record.id === row.id && typeof record.name === 'string' && record.name !== '';
    if (!isRecord) return { unreadable: 'its body is not a record' };
    const reread = rereadRecord(record);
    return 'record' in reread ? reread : { unreadable: reread.fault };
  } catch {
    return { unreadable: 'its body is not JSON' };
  }
}

export const listFields: readonly FacetField[] = facetFields
  .filter(({ type }) => type === 'list')
  .map(({ key }) => key);

/** The columns of `documents`, used to sort, bound and count, with their types: lists are JSON. */
export const documentColumnTypes: Readonly<Record<string, string>> = {
  id: 'TEXT NOT NULL',
  name_key: 'TEXT NOT NULL',
  prominence: 'INTEGER',
  reachable: 'INTEGER',
  ...Object.fromEntries(rangeFields.map(({ key, type }) => [key, type === 'integer' ? 'INTEGER' : 'TEXT'])),
  ...Object.fromEntries(facetFields.map(({ key }) => [key, 'TEXT'])),
};

/** The values of those columns, in order. */
export function documentColumns(record: MediaRecord): Cell[] {
  return [
    record.id,
    nameKey(record.name),
    prominenceOf(record),
    isReachable(record) ? 1 : 0,
    ...rangeFields.map(({ key }) => rangeValue(record, key)),
    ...facetFields.map((field) => {
      const values = countedValues(record, field);
      if (values.length === 0) return null;
      return listFields.includes(field.key) ? JSON.stringify(values) : (values[0] ?? null);
    }),
  ];
}
