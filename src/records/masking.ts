import type { Contact, KeptContact } from './contacts/contact.ts';
import { withContacts } from './contacts/with-contacts.ts';
import type { MediaRecord } from './media-record.ts';

export type Visibility = 'full' | 'masked';

/** `jane@example.org` → `j***@example.org`; a one-character local part gives `***@…`: its first would be all of it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = '', second] = email.slice(0, at);
  return `${second === undefined ? '' : first}***${email.slice(at)}`;
}

/** What maskEmail returns: `j***@example.org`. */
const mask = /^.?\*{3}@[^@]+$/su;

/** A record that was stored with masks. A mask in an earlier version's form is left out, until the index is rebuilt. */
export function showMasked(record: MediaRecord): MediaRecord {
  const areMasked = record.contacts.every(({ email, email_source }) => isMask(email) && email_source === null);
  if (areMasked) return record;
  const showContact = (contact: KeptContact): KeptContact => {
    return { ...contact, email: isMask(contact.email) ? contact.email : null, email_source: null };
  };
  return withContacts(record, record.contacts.map(showContact));
}

function isMask(email: string | null): boolean {
  return email === null || mask.test(email);
}

/** The values of a contact that a caller without a plan must not see. */
type ContactSecret = Pick<Contact, 'email' | 'email_source'>;

/** What is known of the secrets of a record's contacts, by their ids; of those that have one. */
export type RecordSecret = Readonly<Record<string, Partial<ContactSecret>>>;

const noSecret: ContactSecret = { email: null, email_source: null };

/**
 * A record in two parts, which stores keep apart, so that a masked answer never reads the second: the record as a caller
 * without a plan may see it, and its secret, null if it has none. joinSecret puts them together again.
 */
export function splitSecret(record: MediaRecord): { masked: MediaRecord; secret: RecordSecret | null } {
  const secrets = record.contacts
    .filter(({ email, email_source }) => email !== null || email_source !== null)
    .map(({ id, email, email_source }) => [
      id,
      { ...(email !== null && { email }), ...(email_source !== null && { email_source }) },
    ]);
  if (secrets.length === 0) return { masked: record, secret: null };
  const masked = withContacts(record, record.contacts.map(maskContact));
  return { masked, secret: Object.fromEntries(secrets) };
}

function maskContact(contact: KeptContact): KeptContact {
  return { ...contact, email: contact.email === null ? null : maskEmail(contact.email), email_source: null };
}

/** The record of which splitSecret made these parts. */
export function joinSecret(masked: MediaRecord, secret: RecordSecret | null): MediaRecord {
  const join = (contact: KeptContact): KeptContact => ({ ...contact, ...noSecret, ...secret?.[contact.id] });
  return withContacts(masked, masked.contacts.map(join));
}
