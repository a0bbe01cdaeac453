import { type ListEntry, type ListSubject, subjectKey } from '#accounts/media-list.ts';
import { newContactId } from '#records/contacts/contact-id.ts';
import type { MediaRecord } from '#records/media-record.ts';

/** The entries of a list by the id of their record: of the medium itself, of contacts of it, or of both. */
export type EntriesByRecord = ReadonlyMap<string, readonly ListEntry[]>;

/** A subject as it is named today: the kept record instead of a merged one. */
export type Direct = <Subject extends ListSubject>(subject: Subject) => Subject;

/** The entries under today's subjects. What was noted of a kept record comes before what was noted of its double. */
export function directEntries(entries: readonly ListEntry[], direct: Direct): ListEntry[] {
  const bySubject = new Map<string, ListEntry>();
  for (const entry of entries) {
    const today = direct(entry);
    const key = subjectKey(today);
    if (today === entry || !bySubject.has(key)) bySubject.set(key, today);
  }
  return [...bySubject.values()];
}

const noIds: ReadonlySet<string> = new Set();

/**
 * The id that a contact has in the record that its own was merged into. Where both records had the person, the kept one's
 * contact stands for her: ids follow from records and names. Undefined if it is gone.
 */
export function keptContactId(
  kept: Pick<MediaRecord, 'contacts'>,
  mergedId: string,
  contactId: string,
): string | undefined {
  const isKept = kept.contacts.some(({ id }) => id === contactId);
  if (isKept) return contactId;
  return kept.contacts.find((contact) => newContactId(mergedId, contact, noIds) === contactId)?.id;
}

/** The contacts that a list names, by record. A record that is not here is named alone, with all its contacts. */
export function contactsListed(byRecord: EntriesByRecord): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, ReadonlySet<string>>();
  for (const [id, entries] of byRecord) {
    const contacts = entries.flatMap(({ contactId }) => contactId ?? []);
    if (contacts.length > 0) named.set(id, new Set(contacts));
  }
  return named;
}
