import {
  type ContactValues,
  contactLimit,
  emptyContact,
  type KeptContact,
  saysAContact,
  withPreferred,
  withValues,
} from '#records/contacts/contact.ts';
import { newContactId } from '#records/contacts/contact-id.ts';
import { matchContacts } from '#records/contacts/match-contacts.ts';
import { contactKindOf } from '#records/contacts/people.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { hiddenContacts } from '#records/suppression.ts';
import { listContactIds, unknownContact } from './choose-people.ts';

/** The word for a contact that `set` adds. */
const newContact = 'new';

/** What to change in the contacts of a record. */
interface ContactChange {
  /** The id of the contact to change, or `newContact`; null for the only one. */
  contact: string | null;
  /** What to set in it; null for nothing. */
  values: ContactValues | null;
  /** The id of the contact to put first, null for none; absent to leave that as it is. */
  preferred?: string | null;
}

type ChangedContacts = { contacts: readonly KeptContact[] } | { fault: string };

/**
 * The contacts of a record after a change, or why it cannot be made. Hidden contacts count as if they were not there: none is
 * changed or put first, and a change makes none.
 *
 * @param suppressed the keys of all suppressions
 */
export function changeContacts(
  record: MediaRecord,
  change: ContactChange,
  suppressed: ReadonlySet<string>,
): ChangedContacts {
  const hiddenIn = (contacts: readonly KeptContact[]) => hiddenContacts(record.id, contacts, suppressed);
  const hidden = hiddenIn(record.contacts);
  const visible = record.contacts.filter((contact) => !hidden.has(contact));
  const set = change.values === null ? record : setValues(record, visible, change, change.values);
  if ('fault' in set) return set;
  if (!hiddenIn(set.contacts).isSubsetOf(hidden))
    return { fault: 'these values are of somebody who is suppressed, so the contact would be hidden' };
  const { preferred } = change;
  if (preferred === undefined) return set;
  const chosen = preferred === null ? null : chooseContact(record, visible, preferred);
  return chosen !== null && 'fault' in chosen ? chosen : { contacts: withPreferred(set.contacts, preferred) };
}

function setValues(
  record: MediaRecord,
  visible: readonly KeptContact[],
  { contact }: ContactChange,
  values: ContactValues,
): ChangedContacts {
  if (contact === newContact) return addContact(record, visible, values);
  const chosen = contact === null ? onlyContact(visible) : chooseContact(record, visible, contact);
  if ('fault' in chosen) return chosen;
  const changed = withValues(chosen, values);
  const replacement = saysAContact(changed) ? [changed] : [];
  return { contacts: record.contacts.flatMap((other) => (other === chosen ? replacement : other)) };
}

function onlyContact(visible: readonly KeptContact[]): KeptContact | { fault: string } {
  const [first, ...otherContacts] = visible;
  if (first === undefined) return { fault: 'the record has no contact to set that of. To add one: --contact new' };
  if (otherContacts.length === 0) return first;
  return { fault: `the record has several contacts. Say which with --contact: ${listContactIds(visible)}` };
}

function chooseContact(
  record: MediaRecord,
  visible: readonly KeptContact[],
  id: string,
): KeptContact | { fault: string } {
  const chosen = visible.find((contact) => contact.id === id);
  if (chosen !== undefined) return chosen;
  if (!record.contacts.some((contact) => contact.id === id)) return { fault: unknownContact(record, id) };
  return { fault: `contact ${id} is suppressed. To show it again: unsuppress ${record.id} --contact ${id}` };
}

/** A new contact, unless it is there: one with that name or, for a desk, title, and with that address or none. */
function addContact(record: MediaRecord, visible: readonly KeptContact[], values: ContactValues): ChangedContacts {
  if (!saysAContact(values)) return { fault: 'a new contact needs a name, title, address or phone' };
  if (record.contacts.length >= contactLimit)
    return { fault: `the record has ${contactLimit} contacts, the most it can` };
  const [place = null] = matchContacts(visible, [values], {
    isPerson: (patch) => contactKindOf(patch, record) === 'person',
    mayReplace: false,
  });
  if (place !== null) return { fault: `that is contact ${visible[place]?.id}, which the record has` };
  const id = newContactId(record.id, values, new Set(record.contacts.map((contact) => contact.id)));
  return { contacts: [...record.contacts, { ...emptyContact(id), ...values }] };
}
