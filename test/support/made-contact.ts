import { emptyContact, type KeptContact } from '#records/contacts/contact.ts';
import { contactKindOf } from '#records/contacts/contact-kind.ts';

/** A contact for a test, of the kind that its values make it at a medium of another name. */
export function madeContact(given: Partial<KeptContact> & { id: string }): KeptContact {
  const contact = { ...emptyContact(given.id), ...given };
  const medium = { name: '', aliases: [], url: null, feed_url: null, platform: null };
  return { ...contact, kind: given.kind ?? contactKindOf(contact, medium) };
}
