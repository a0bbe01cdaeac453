import { type ListEntry, type ListSubject, maxNote, subjectKey } from '#accounts/media-list.ts';
import { newContactId } from '#records/contacts/contact-id.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { ContactIds } from '../search-query.ts';

/** The entries of a list by the id of their record: of the medium itself, of contacts of it, or of both. */
export type EntriesByRecord = ReadonlyMap<string, readonly ListEntry[]>;

/** A subject as it is named today: the kept record instead of a merged one. */
export type Direct = <Subject extends ListSubject>(subject: Subject) => Subject;

/** The entries under today's subjects: those of a kept record and of its doubles are one. */
export function directEntries(entries: readonly ListEntry[], direct: Direct): ListEntry[] {
  const bySubject = new Map<string, ListEntry>();
  for (const entry of entries) {
    const today = direct(entry);
    const key = subjectKey(today);
    const earlier = bySubject.get(key);
    const isOfKept = today === entry;
    bySubject.set(key, earlier === undefined ? today : isOfKept ? joined(today, earlier) : joined(earlier, today));
  }
  return [...bySubject.values()];
}

/** One entry of two. What was noted of the kept record comes first, and who declined at one of both has declined. */
function joined(kept: ListEntry, double: ListEntry): ListEntry {
  const notes = [kept.note, double.note].filter((note) => note !== null);
  const note = [...new Set(notes)].join('\n');
  return {
    ...kept,
    note: note.length > maxNote ? (notes[0] ?? null) : note || null,
    status: double.status === 'declined' || kept.status === 'none' ? double.status : kept.status,
    contactedAt: kept.contactedAt ?? double.contactedAt ?? null,
  };
}

const noIds: ReadonlySet<string> = new Set();

/**
 * The id that a contact has in the record that its own was merged into. Where both records had the person, the kept one's
 * contact stands for her: ids follow from records and names. Undefined if it is gone.
 */
export function keptContactId(
  survivor: Pick<MediaRecord, 'contacts'>,
  mergedId: string,
  contactId: string,
): string | undefined {
  const isOfSurvivor = survivor.contacts.some(({ id }) => id === contactId);
  if (isOfSurvivor) return contactId;
  return survivor.contacts.find((contact) => newContactId(mergedId, contact, noIds) === contactId)?.id;
}

/** What lists name together: media with all their contacts, and of others some contacts alone. */
export interface NamedByLists {
  whole: ReadonlySet<string>;
  contacts: ContactIds;
}

/** A list that names contacts of a medium means these alone. */
export function namedBy(lists: readonly EntriesByRecord[]): NamedByLists {
  const wholeIds = new Set<string>();
  const contacts = new Map<string, ReadonlySet<string>>();
  for (const [id, entries] of lists.flatMap((byRecord) => [...byRecord])) {
    const named = entries.flatMap(({ contactId }) => contactId ?? []);
    if (named.length === 0) wholeIds.add(id);
    else contacts.set(id, new Set([...(contacts.get(id) ?? []), ...named]));
  }
  for (const id of wholeIds) contacts.delete(id);
  return { whole: wholeIds, contacts };
}
