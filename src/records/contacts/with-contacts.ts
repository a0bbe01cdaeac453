import type { FlatContactKey, MediaRecord } from '../media-record.ts';
import { bestFirst, type Contact, emptyContact, type KeptContact } from './contact.ts';

/** The values of the first contact as a record shows them. */
export type FlatContact = Pick<MediaRecord, FlatContactKey>;

/**
 * A record with these contacts, and with what follows from them: their count, and the flat keys, which are those of the best
 * contact, whole (contract A18). Nothing else writes these keys.
 */
export function withContacts<Other extends object>(
  record: Other,
  contacts: readonly KeptContact[],
): Other & Pick<MediaRecord, FlatContactKey | 'contacts' | 'contact_count'> {
  const [first] = bestFirst(contacts);
  return { ...record, ...flatContactOf(first), contacts, contact_count: contacts.length };
}

function flatContactOf(contact: Contact | undefined): FlatContact {
  return {
    contact_name: contact?.name ?? null,
    contact_title: contact?.title ?? null,
    email: contact?.email ?? null,
    email_status: contact?.email_status ?? null,
    email_source: contact?.email_source ?? null,
    last_verified_at: contact?.last_verified_at ?? null,
    phone: contact?.phone ?? null,
  };
}

/** The contacts of a record as callers see them: best first. */
export function shownContacts(contacts: readonly KeptContact[]): Contact[] {
  return bestFirst(contacts).map(shownContact);
}

/** A contact as callers see it: without what only imports need, its keys in their order, whatever wrote them. */
export function shownContact({ sources, isPreferred, ...contact }: KeptContact): Contact {
  return { ...emptyContact(contact.id), ...contact };
}
