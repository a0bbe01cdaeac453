import type { SQLOutputValue } from 'node:sqlite';
import { countedValues } from '#records/field-values.ts';
import { emptyRecord, type FilterField, filterFields } from '#records/fields.ts';
import { nameKeyOf } from '#records/identity.ts';
import { maskRecord, showMasked } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { nameKey } from '#text/fold.ts';

/** The columns of `records` besides its key. The body holds the mask instead of the address. */
export function recordColumns(record: MediaRecord) {
  const { id, email, email_source } = record;
  const name_key = nameKeyOf(record.kind, record.name);
  return { id, body: JSON.stringify(maskRecord(record)), email, email_source, name_key };
}

/** The names of those columns, in order. */
export const columnsOfRecord = Object.keys(recordColumns(emptyRecord('', 'outlet', '')));

/** A row of `records` as SQLite returns it. */
export type RecordRow = Record<string, SQLOutputValue>;

/** The record of a row; masked if the row was read without its address. */
export function readRecord(row: RecordRow): MediaRecord {
  const stored = JSON.parse(String(row.body)) as MediaRecord;
  // Stored before there were tags.
  const record = stored.tags === undefined ? { ...stored, tags: [] } : stored;
  if (row.email === undefined) return showMasked(record);
  return { ...record, email: row.email as string | null, email_source: row.email_source as string | null };
}

type SingleValue = Exclude<FilterField, 'categories' | 'tags'>;

const singleFields = filterFields.filter(({ type }) => type !== 'list');
const listFields = filterFields.filter(({ type }) => type === 'list');

/** The columns of `documents`, used to filter, count and sort. */
export function documentColumns(record: MediaRecord) {
  const single: Partial<Record<FilterField, string | null>> = {};
  for (const field of singleFields) single[field.key] = countedValues(record, field)[0] ?? null;
  return {
    id: record.id,
    name_key: nameKey(record.name),
    audience: record.audience,
    updated_at: record.updated_at,
    last_verified_at: record.last_verified_at,
    has_contact_name: Number(record.contact_name !== null),
    has_email: Number(record.email !== null),
    ...(single as Record<SingleValue, string | null>),
  };
}

/** The rows of `document_lists`: a field's key with each of its values. */
export function documentLists(record: MediaRecord): [FilterField, string][] {
  return listFields.flatMap((field) =>
    countedValues(record, field).map((value): [FilterField, string] => [field.key, value]),
  );
}
