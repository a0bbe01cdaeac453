import type { MediaRecord } from '../media-record.ts';

/** The keys of a record that describe its first contact. */
type FlatKey = 'contact_name' | 'contact_title' | ContactKey;

/** The keys that a contact and a record share. */
type ContactKey = 'email' | 'email_status' | 'email_source' | 'last_verified_at' | 'phone';

/** Whom to write to at a medium. What is unknown is null. */
export type FirstContact = Pick<MediaRecord, ContactKey> & {
  name: MediaRecord['contact_name'];
  title: MediaRecord['contact_title'];
};

/** The first contact of a record. All values are null if it has none. Code outside `records/` reads contacts only here. */
export function firstContact(record: Pick<MediaRecord, FlatKey>): FirstContact {
  return {
    name: record.contact_name,
    title: record.contact_title,
    email: record.email,
    email_status: record.email_status,
    email_source: record.email_source,
    last_verified_at: record.last_verified_at,
    phone: record.phone,
  };
}

/** Whether the first contact has an address to write to: neither invalid nor disposable. */
export function isReachable(record: Pick<MediaRecord, FlatKey>): boolean {
  const { email, email_status: status } = firstContact(record);
  return email !== null && status !== 'invalid' && status !== 'disposable';
}
