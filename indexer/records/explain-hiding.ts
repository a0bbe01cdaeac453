import { contactsNoted, withoutNoted } from '#records/changes/earlier-change.ts';
import type { FieldValues } from '#records/changes/record-change.ts';
import { withContacts } from '#records/contacts/with-contacts.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { hiddenContacts, keysOfContact, keysOfRecord, type Suppression, showKey } from '#records/suppression.ts';

/** An entry of the suppression list that hides something; of an address or a name the start of its hash. */
export interface HidingEntry {
  kind: string;
  value: string;
  reason: string | null;
}

export type ExplainedHiding = ReturnType<typeof explainHiding>;

/** What hides a record, and which of its contacts; these only by their ids. */
export function explainHiding(record: MediaRecord, list: readonly Suppression[]) {
  const entriesOf = (keys: readonly string[]): HidingEntry[] =>
    list.filter(({ key }) => keys.includes(key)).map(({ key, reason }) => ({ ...showKey(key), reason }));
  const hidden = hiddenContacts(record.id, record.contacts, new Set(list.map(({ key }) => key)));
  const visibleContacts = record.contacts.filter((contact) => !hidden.has(contact));
  return {
    /** The record without its hidden contacts, also where it is hidden itself. */
    visible: hidden.size === 0 ? record : withContacts(record, visibleContacts),
    suppressed_by: entriesOf(keysOfRecord(record)),
    hidden_contacts: record.contacts
      .filter((contact) => hidden.has(contact))
      .map((contact) => ({ id: contact.id, suppressed_by: entriesOf(keysOfContact(record.id, contact)) })),
  };
}

/** Values of a record's history without those of hidden contacts. */
export function withoutHiddenContacts(id: string, values: FieldValues, keys: ReadonlySet<string>): FieldValues {
  const hidden = hiddenContacts(id, contactsNoted(id, values), keys);
  return hidden.size === 0 ? values : withoutNoted(values, hidden);
}
