import type { KeptContact } from '#records/contacts/contact.ts';
import { withContacts } from '#records/contacts/with-contacts.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';

export const rowKinds = ['records', 'contacts'] as const;
/** What has a row in a search, an export and a push: each record, or each contact. */
export type RowKind = (typeof rowKinds)[number];

/** What a search of contacts tells of their media; scans tell all. */
export const contactRecordKeys = [
  'id',
  'kind',
  'name',
  'url',
  'language',
  'country',
  'country_name',
  'region',
  'city',
  'type',
  'categories',
  'coverage',
  'audience',
] as const satisfies readonly RecordKey[];

/** The row of one contact: its record with no other contact, so that the flat keys are those of this one. */
export function contactRow(record: MediaRecord, contact: KeptContact): MediaRecord {
  return { ...withContacts(record, [contact]), contact_count: record.contact_count };
}

/** The contact of a row that contactRow made; undefined once it was suppressed. */
export function contactOfRow(row: MediaRecord): KeptContact | undefined {
  return row.contacts[0];
}
