import type { SQLOutputValue } from 'node:sqlite';
import { isReachable, isUsable, type KeptContact } from '#records/contacts/contact.ts';
import { withContacts } from '#records/contacts/with-contacts.ts';
import { countedValues } from '#records/field-values.ts';
import { emptyRecord, type FacetField, mediumFacetFields, mediumRangeFields } from '#records/fields.ts';
import { nameKeyOf } from '#records/identity.ts';
import { joinSecret, type RecordSecret, showMasked, splitSecret } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { rereadRecord } from '#records/normalize/reread-record.ts';
import { completeRecord, leanForm } from '#records/stored-record.ts';
import { type FilteredContact, filteredContact } from '#search/contact-filters.ts';
import { contactRow } from '#search/contact-row.ts';
import { prominenceOf } from '#search/indexed/prominence.ts';
import { nameKey } from '#text/fold.ts';
import type { RecordState } from '../stores.ts';

/** What the column `secret` holds, as JSON. */
interface RowSecret {
  /** What callers without a plan must not see of the contacts in the body. */
  contacts?: RecordSecret;
  /** The contacts that suppressions hide, with their places among all: no answer reads them. */
  hidden?: readonly { place: number; contact: KeptContact }[];
}

/**
 * The columns of `records` besides its key. Answers show the body: what suppressions leave of the record, masked. All that they
 * must not show is in `secret`, null if there is nothing.
 *
 * @param visible what suppressions leave of the record; all of it if they hide it whole, because then no answer reads it
 */
export function recordColumns(record: MediaRecord, visible: MediaRecord = record) {
  const { masked, secret } = splitSecret(visible);
  const hidden = hiddenContacts(record, visible);
  const rowSecret: RowSecret = { ...(secret && { contacts: secret }), ...(hidden.length > 0 && { hidden }) };
  return {
    id: record.id,
    body: JSON.stringify(leanForm(masked)),
    secret: Object.keys(rowSecret).length === 0 ? null : JSON.stringify(rowSecret),
    name_key: nameKeyOf(record.kind, record.name),
  };
}

function hiddenContacts(record: MediaRecord, visible: MediaRecord): NonNullable<RowSecret['hidden']> {
  if (record === visible) return [];
  const visibleIds = new Set(visible.contacts.map(({ id }) => id));
  return record.contacts.flatMap((contact, place) => (visibleIds.has(contact.id) ? [] : [{ place, contact }]));
}

/** The ids of the contacts of a record that are not in what suppressions leave of it. */
export function hiddenContactIds(record: MediaRecord, visible: MediaRecord): string[] {
  return hiddenContacts(record, visible).map(({ contact }) => contact.id);
}

/** The ids of the contacts that a row keeps back. */
export function hiddenIds(row: RecordRow): string[] {
  return (secretOf(row).hidden ?? []).map(({ contact }) => contact.id);
}

/** The names of those columns, in order. */
export const columnsOfRecord = Object.keys(recordColumns(emptyRecord('', 'outlet', '')));

export type Cell = string | number | null;

export type RecordRow = Record<string, SQLOutputValue>;

/** The next rows of an iterator, at most `count`. Iterator.take would close it. */
export function nextRows(rows: Iterator<RecordRow>, count: number): RecordRow[] {
  const batch: RecordRow[] = [];
  while (batch.length < count) {
    const next = rows.next();
    if (next.done) break;
    batch.push(next.value);
  }
  return batch;
}

/**
 * The record of a row as answers show it; masked if the row was read without its secret. A row that names a contact is the row of
 * that one (see contactRow).
 */
export function readAnswer(row: RecordRow): MediaRecord {
  const stored = completeRecord(JSON.parse(String(row.body)));
  const record = row.secret === undefined ? showMasked(stored) : joinSecret(stored, secretOf(row).contacts ?? null);
  if (row.contact_id === undefined) return record;
  const contact = record.contacts.find(({ id }) => id === row.contact_id);
  if (contact === undefined) throw new RangeError('the index has a contact that its record lacks');
  return contactRow(record, contact);
}

/** The record of a row as it is stored, with contacts that suppressions hide. */
export function readRecord(row: RecordRow): MediaRecord {
  const { contacts: secret = null, hidden = [] } = secretOf(row);
  const record = joinSecret(completeRecord(JSON.parse(String(row.body))), secret);
  if (hidden.length === 0) return record;
  const contacts = [...record.contacts];
  for (const { place, contact } of hidden) contacts.splice(place, 0, contact);
  return withContacts(record, contacts);
}

function secretOf({ secret }: RecordRow): RowSecret {
  return secret == null ? {} : (JSON.parse(String(secret)) as RowSecret);
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

export const listFields: readonly FacetField[] = [
  ...mediumFacetFields.filter(({ type }) => type === 'list').map(({ key }) => key),
  'beats',
];

/** The columns of `documents`, used to sort, bound and count, with their types: lists are JSON. */
export const documentColumnTypes: Readonly<Record<string, string>> = {
  id: 'TEXT NOT NULL',
  name_key: 'TEXT NOT NULL',
  prominence: 'INTEGER',
  reachable: 'INTEGER',
  ...Object.fromEntries(mediumRangeFields.map(({ key, type }) => [key, type === 'integer' ? 'INTEGER' : 'TEXT'])),
  ...Object.fromEntries(mediumFacetFields.map(({ key }) => [key, 'TEXT'])),
};

/** The values of those columns, in order. */
export function documentColumns(record: MediaRecord): Cell[] {
  return [
    record.id,
    nameKey(record.name),
    prominenceOf(record),
    isReachable(record) ? 1 : 0,
    ...mediumRangeFields.map(({ key }) => record[key]),
    ...mediumFacetFields.map((field) => {
      const values = countedValues(record, field);
      if (values.length === 0) return null;
      return listFields.includes(field.key) ? JSON.stringify(values) : (values[0] ?? null);
    }),
  ];
}

/** The columns of what filters compare of a contact as one value. Lists and words are in the full text. */
const filteredColumns = {
  contact_kind: 'TEXT NOT NULL',
  has_email: 'INTEGER NOT NULL',
  email_status: 'TEXT NOT NULL',
  verified_at: 'TEXT',
} as const satisfies Record<Exclude<keyof FilteredContact, 'beats' | 'title'>, string>;
const filteredKeys = Object.keys(filteredColumns) as (keyof typeof filteredColumns)[];

/** The columns of `contacts` besides its keys, used to filter, sort and count, with their types: `beats` as JSON. */
export const contactColumnTypes: Readonly<Record<string, string>> = {
  contact_id: 'TEXT NOT NULL',
  ...filteredColumns,
  beats: 'TEXT',
  usable: 'INTEGER NOT NULL',
  rank: 'INTEGER NOT NULL',
  contact_name: 'TEXT',
};

/** The values of those columns, in order. `rank`: the place of the contact among those of its record, best first. */
export function contactColumns(contact: KeptContact, rank: number): Cell[] {
  const values = filteredContact(contact);
  const filtered = filteredKeys.map((key) => (typeof values[key] === 'boolean' ? Number(values[key]) : values[key]));
  const beats = contact.beats.length === 0 ? null : JSON.stringify(contact.beats);
  const name = nameKey(contact.name ?? '') || null;
  return [contact.id, ...filtered, beats, isUsable(contact) ? 1 : 0, rank, name];
}
