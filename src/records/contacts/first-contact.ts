import type { MediaRecord } from '../media-record.ts';
import { bestFirst, type Contact, emptyContact, isUsable } from './contact.ts';

/** Whom to write to at a medium. What is unknown is null. */
export type FirstContact = Omit<Contact, 'id' | 'kind'>;

/** The first contact of a record. All values are unknown if it has none. Code outside `records/` reads the first contact only here. */
export function firstContact({ contacts }: Pick<MediaRecord, 'contacts'>): FirstContact {
  return bestFirst(contacts)[0] ?? emptyContact('');
}

/** Whether the first contact has an address to write to: neither invalid nor disposable. */
export function isReachable(record: Pick<MediaRecord, 'contacts'>): boolean {
  return isUsable(firstContact(record));
}
