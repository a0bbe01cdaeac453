import { emptyContact, type KeptContact } from './contacts/contact.ts';
import { idOfOnlyContact } from './contacts/contact-id.ts';
import { withKind } from './contacts/merge-contacts.ts';
import { type FlatContact, withContacts } from './contacts/with-contacts.ts';
import { emptyRecord, isKnown, isPersonsProfile, recordKeys, storedKeys } from './fields.ts';
import type { MediaRecord, StoredRecord } from './media-record.ts';

/** A record that any version stored. Those before 1.3 had the values of one contact beside the others. */
export type AnyStoredRecord = Pick<MediaRecord, Named> &
  Partial<Omit<MediaRecord, 'contacts'> & Pick<LeanRecord, 'contacts'>>;

/** What stores keep of a record: without what follows from its contacts. */
export function storedForm(record: MediaRecord): StoredRecord {
  const stored: Record<string, unknown> = {};
  for (const key of storedKeys) stored[key] = record[key];
  return stored as unknown as StoredRecord;
}

/** A record without what is unknown of it and its contacts, which completeRecord fills in: for stores that nothing else reads. */
export type LeanRecord = Pick<StoredRecord, Named> &
  Partial<Omit<StoredRecord, Named | 'contacts'>> & {
    contacts: readonly (Pick<KeptContact, 'id' | 'kind'> & Partial<KeptContact>)[];
  };

type Named = 'id' | 'kind' | 'name';

export function leanForm(record: MediaRecord): LeanRecord {
  const lean = knownOf(record, leanKeys);
  lean.contacts = record.contacts.map((contact) => knownOf(contact, Object.keys(contact) as (keyof KeptContact)[]));
  return lean as unknown as LeanRecord;
}

const leanKeys = storedKeys.filter((key) => key !== 'contacts');

function knownOf<Values extends object>(values: Values, keys: readonly (keyof Values & string)[]) {
  const knownValues: Record<string, unknown> = {};
  for (const key of keys) if (isKnown(values[key])) knownValues[key] = values[key];
  return knownValues;
}

/** A record that any version stored: what its version did not know yet is empty, and what follows from its contacts is there. */
export function completeRecord(stored: AnyStoredRecord): MediaRecord {
  if (recordKeys.every((key) => stored[key] !== undefined)) return stored as MediaRecord;
  const { contacts, ...values } = stored;
  const record: MediaRecord = { ...emptyRecord(stored.id, stored.kind, stored.name), ...values };
  return withContacts(
    record,
    contacts?.map((contact) => ({ ...emptyContact(contact.id), ...contact })) ?? liftContact(record),
  );
}

/**
 * The contact of a record that was stored when records had one: its values, which stood beside those of the record. The profile
 * of a person may have stood in `linkedin_url`.
 */
export function liftContact(record: Omit<MediaRecord, 'contacts' | 'contact_count'>): KeptContact[] {
  const values = valuesOfFlat(record);
  if (Object.values(values).every((value) => value === null)) return [];
  const contact = withKind({ ...emptyContact(idOfOnlyContact(record.id)), ...values }, record);
  const page = record.linkedin_url;
  const isProfile = contact.kind === 'person' && page !== null && isPersonsProfile(page);
  return [isProfile ? { ...contact, links: [page] } : contact];
}

/** The values of a contact that stood beside those of its record. */
export function valuesOfFlat({ contact_name: name, contact_title: title, ...flat }: FlatContact) {
  const { email, email_status, email_source, last_verified_at, phone } = flat;
  return { name, title, email, email_status, email_source, last_verified_at, phone };
}
