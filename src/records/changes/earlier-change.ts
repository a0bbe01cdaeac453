import { emptyContact, type KeptContact } from '../contacts/contact.ts';
import { idOfOnlyContact } from '../contacts/contact-id.ts';
import { withContacts } from '../contacts/with-contacts.ts';
import type { MediaRecord, RecordKey } from '../media-record.ts';
import { isFlatKey } from '../normalize/normalize-contact.ts';
import { liftContact, valuesOfFlat } from '../stored-record.ts';
import type { FieldValues } from './record-change.ts';

/** Whether a change was noted before 1.3, when the values of the only contact stood beside those of the record. */
export function isBeforeContacts({ after }: { after: FieldValues }): boolean {
  return after.contacts === undefined && Object.keys(after).some(isFlatKey);
}

/** The contacts of which values of a change say something, in whatever version it was noted. */
export function contactsNoted(recordId: string, values: FieldValues): readonly KeptContact[] {
  if (values.contacts !== undefined) return values.contacts;
  const flat = Object.entries(valuesOfFlat(values as MediaRecord)).filter(([, value]) => value != null);
  return flat.length === 0 ? [] : [{ ...emptyContact(idOfOnlyContact(recordId)), ...Object.fromEntries(flat) }];
}

/** The same values without these contacts. */
export function withoutNoted<Values extends FieldValues>(
  values: Values,
  goneContacts: ReadonlySet<KeptContact>,
): Values {
  const { contacts } = values;
  if (contacts !== undefined) return { ...values, contacts: contacts.filter((contact) => !goneContacts.has(contact)) };
  return Object.fromEntries(Object.entries(values).filter(([key]) => !isFlatKey(key))) as Values;
}

/** The contact that changes of before 1.3 are about: that of then, or the one that such a record had not. */
export function contactOfThen({ id, contacts }: MediaRecord): KeptContact | null | undefined {
  return contacts.length === 0 ? null : contacts.find((contact) => contact.id === idOfOnlyContact(id));
}

/** The record as versions before 1.3 kept it: with only that contact, so that its flat keys are those of it. */
export function withContactOfThen(record: MediaRecord): MediaRecord {
  const contact = contactOfThen(record);
  return withContacts(record, contact ? [contact] : []);
}

/** The record with these flat values in that contact, which goes if nothing is left of it. */
export function withFlatValues(record: MediaRecord, values: FieldValues): MediaRecord {
  const storedContact = contactOfThen(record) ?? null;
  const flat = Object.fromEntries(Object.entries(values).filter(([key]) => isFlatKey(key as RecordKey)));
  const [lifted] = liftContact({ ...withContactOfThen(record), ...flat, linkedin_url: null });
  const contact = lifted && {
    ...storedContact,
    ...lifted,
    beats: storedContact?.beats ?? [],
    links: storedContact?.links ?? lifted.links,
  };
  if (storedContact === null) return withContacts(record, contact ? [...record.contacts, contact] : record.contacts);
  return withContacts(
    record,
    record.contacts.flatMap((other) => (other.id === storedContact.id ? (contact ?? []) : other)),
  );
}
