import { holdsAddress } from '#records/addresses/scrub-addresses.ts';
import { beatLimit, type ContactPatch, type ContactValues, linkLimit } from '#records/contacts/contact.ts';
import type { MediaRecord, RecordKey, RecordPatch } from '#records/media-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import type { ImportNote } from '#records/normalize/import-note.ts';
import { contactKeyOf } from '#records/normalize/normalize-contact.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { UsageError } from '#src/command-line/command-line.ts';
import { findFieldNamed } from '../importing/columns/column-map.ts';

/** The keys of a contact, by the names under which `set` takes them. */
const contactKeys = { ...contactKeyOf, beats: 'beats', links: 'links' } as const;
type ContactField = keyof typeof contactKeys;

export const contactFields = Object.keys(contactKeys) as ContactField[];

/** What the user typed, by field. */
export interface Assignments {
  ofRecord: Partial<Record<RecordKey, string>>;
  ofContact: Partial<Record<ContactField, string>>;
  /** The id of the contact to put first, null for none; absent to leave that as it is. */
  preferred?: string | null;
}

/** @throws UsageError for a field that cannot be set, or is none of a contact if that is what is set */
export function readAssignments(assignments: readonly string[], isOfContact: boolean): Assignments {
  const assigned: Assignments = { ofRecord: {}, ofContact: {} };
  for (const assignment of assignments) {
    const [typed = '', ...rest] = assignment.split('=');
    const name = typed.trim();
    const value = rest.join('=');
    // An error must not show an address.
    const shownName = name.includes('@') || holdsAddress(name) ? 'an argument' : `"${name}"`;
    if (rest.length === 0) throw new UsageError(`${shownName} has no value. Write it as field=value.`);
    const field = isContactField(name) || name === 'preferred' ? name : findFieldNamed(name);
    if (typeof field !== 'string') throw new UsageError(`${shownName} is not a field to set. ${field.hint}`);
    if (field === 'id') throw new UsageError('the id of a record cannot be changed');
    if (field === 'contacts') throw new UsageError('contacts are set one by one: add --contact ID, or --contact new');
    if (isContactField(field)) assigned.ofContact[field] = value;
    else if (isOfContact)
      throw new UsageError(
        `${shownName} is not a field of a contact. With --contact, use ${contactFields.join(', ')}.`,
      );
    else if (field === 'preferred') assigned.preferred = value.trim() || null;
    else assigned.ofRecord[field] = value;
  }
  return assigned;
}

function isContactField(name: string): name is ContactField {
  return name in contactKeys;
}

/** What to set, and notes on values that were corrected. */
interface ReadValues {
  ofRecord: RecordPatch;
  /** Null if nothing of a contact is set. */
  ofContact: ContactValues | null;
  notes: readonly ImportNote[];
}

/** Reads values as an import reads cells. A value that an import would skip is a fault here. */
export function readValues(
  { id, kind }: MediaRecord,
  { ofRecord, ofContact }: Assignments,
): ReadValues | { faults: readonly string[] } {
  const record = normalizeRecord({ kind, ...ofRecord, id });
  if ('rejection' in record) return { faults: [record.rejection.message] };
  const contact = normalizeRecord({ kind, ...ofContact, id });
  if ('rejection' in contact) return { faults: [contact.rejection.message] };
  const [values = {}, ...more] = allPatches(contact.patch);
  const faults = [
    ...skippedIn(ofRecord, record.notes, (key) => record.patch[key as keyof RecordPatch]),
    ...skippedIn(ofContact, contact.notes, (key) => values[contactKeys[key]]),
    ...(more.length > 0 ? ['email has several addresses; each is a contact of its own'] : []),
    ...faultOfItems('beats', ofContact.beats, values.beats, `texts, at most ${beatLimit}`),
    ...faultOfItems('links', ofContact.links, values.links, `URLs of different pages, at most ${linkLimit}`),
  ];
  if (faults.length > 0) return { faults };
  const isOfContact = Object.keys(ofContact).length > 0;
  const { contacts: _, ...patch } = record.patch;
  return { ofRecord: patch, ofContact: isOfContact ? values : null, notes: [...record.notes, ...contact.notes] };
}

/** With those that say nothing of a contact, unlike an import: they clear what is stored. */
function allPatches({ contacts }: RecordPatch): readonly ContactPatch[] {
  return contacts !== undefined && 'patches' in contacts ? contacts.patches : [];
}

/** Why an import would skip some of these values. */
function skippedIn<Key extends keyof SourceRecord>(
  source: Partial<Record<Key, string>>,
  notes: readonly ImportNote[],
  valueAt: (key: Key) => unknown,
): string[] {
  return (Object.keys(source) as Key[]).flatMap((key) => {
    const note = notes.find(({ field }) => field === key);
    const value = valueAt(key);
    const isSkipped = value === undefined || (value === null && note !== undefined);
    if (!isSkipped || key === 'country_name') return [];
    return note?.message ?? `${key} cannot be set to that; the stored value is kept`;
  });
}

/** The items of a list that are read leave out what is none of it. */
function faultOfItems(key: string, typed = '', items: readonly string[] = [], right: string): string[] {
  const parts = new Set(typed.split('|').flatMap((part) => part.trim() || []));
  return parts.size > items.length ? [`${key} has items that cannot be read; use ${right}, with | between them`] : [];
}
