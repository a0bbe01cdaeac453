import {
  bestFirst,
  type ContactValues,
  emptyContact,
  type KeptContact,
  withValues,
} from '#records/contacts/contact.ts';
import { contactKindOf } from '#records/contacts/people.ts';
import type { MediaRecord } from '#records/media-record.ts';

/** A contact for a test, of the kind that its values make it at a medium of another name. */
export function madeContact(given: Partial<KeptContact> & { id: string }): KeptContact {
  const contact = { ...emptyContact(given.id), ...given };
  const medium = { name: '', aliases: [], url: null, feed_url: null, platform: null };
  return { ...contact, kind: given.kind ?? contactKindOf(contact, medium) };
}

/** The contacts of a record, of which the first has these values. */
export function withFirstContact({ contacts }: Pick<MediaRecord, 'contacts'>, values: ContactValues): KeptContact[] {
  const [first] = bestFirst(contacts);
  return contacts.map((contact) => (contact === first ? withValues(contact, values) : contact));
}
