import { type KeptContact, preferredOf, withPreferred } from '../contacts/contact.ts';
import { withContacts } from '../contacts/with-contacts.ts';
import { isAboutSame, keysOf, leadersOf } from '../field-groups.ts';
import { isKnown, isServiceDate, timeless } from '../fields.ts';
import { dateOfChange, type MediaRecord, type RecordKey, redate } from '../media-record.ts';
import { derivedCitySize } from '../merge-record.ts';
import { isFlatKey } from '../normalize/normalize-contact.ts';
import { completeRecord } from '../stored-record.ts';
import { contactOfThen, isBeforeContacts, withContactOfThen, withFlatValues } from './earlier-change.ts';
import {
  digestContent,
  digestsOf,
  type FieldValues,
  type RecordChange,
  sameValue,
  valuesBefore,
  valuesOf,
} from './record-change.ts';

/**
 * `restored`: fields went back; `removed`: the created record went; `recreated`: the deleted one came back; `kept`:
 * something changed all of it later, so it stays; `unchanged`: there was nothing left to undo.
 */
export interface Reversal {
  outcome: 'restored' | 'removed' | 'recreated' | 'kept' | 'unchanged';
  /** The fields that stay because something changed them later; for a whole record, none are named. */
  kept: readonly RecordKey[];
  /** The record afterwards; null if there is none. */
  record: MediaRecord | null;
}

/**
 * A field goes back if it still has the value that the change gave it; one about something else (see field-groups.ts)
 * only with that. What goes back is a change of `now`: its date never does.
 */
export function revertChange(present: MediaRecord | null, change: RecordChange, now: Date): Reversal {
  switch (change.is) {
    case 'created':
      if (present === null) return { outcome: 'unchanged', kept: [], record: null };
      if (change.digest !== null && digestsOf(present).includes(change.digest))
        return { outcome: 'removed', kept: [], record: null };
      return { outcome: 'kept', kept: [], record: present };
    case 'deleted': {
      if (present === null) {
        return { outcome: 'recreated', kept: [], record: recreate(completeRecord(change.before), now) };
      }
      const isSame = digestContent(present) === digestContent(change.before);
      return { outcome: isSame ? 'unchanged' : 'kept', kept: [], record: present };
    }
    case 'changed':
      return present === null ? { outcome: 'unchanged', kept: [], record: null } : revertFields(present, change, now);
  }
}

/** A deleted record as of now. A history of before 1.3 does not say when it came in. */
function recreate(before: MediaRecord, now: Date): MediaRecord {
  return redate({ ...before, created_at: before.created_at === timeless ? before.updated_at : before.created_at }, now);
}

/** What decides about the size of a city. */
const place = leadersOf.get('city_size') ?? [];

function revertFields(present: MediaRecord, change: { before: FieldValues; after: FieldValues }, now: Date): Reversal {
  if (!isBeforeContacts(change)) return revertValues(present, change, now);
  // Without the contact of then, only the other values can go back.
  const isGone = contactOfThen(present) === undefined;
  const {
    record,
    kept: keptKeys,
    outcome,
  } = revertValues(withContactOfThen(present), isGone ? withoutFlat(change) : change, now);
  if (record === null) return { outcome, kept: keptKeys, record };
  const current = { ...record, contacts: present.contacts };
  const reverted = isGone ? withContacts(current, present.contacts) : withFlatValues(current, record);
  const allKeptKeys = isGone ? [...keptKeys, 'contacts' as const] : keptKeys;
  return {
    outcome: outcome === 'unchanged' && isGone ? 'kept' : outcome,
    kept: allKeptKeys,
    record: outcome === 'restored' ? reverted : present,
  };
}

function withoutFlat({ before, after }: { before: FieldValues; after: FieldValues }) {
  const ownValues = (values: FieldValues) =>
    valuesOf(
      values,
      (Object.keys(values) as RecordKey[]).filter((key) => !isFlatKey(key)),
    );
  return { before: ownValues(before), after: ownValues(after) };
}

function revertValues(present: MediaRecord, change: { before: FieldValues; after: FieldValues }, now: Date): Reversal {
  const { after } = change;
  const before = valuesBefore(change);
  const changed = (key: RecordKey) => !sameValue(before[key], after[key]);
  const isOpen = (key: RecordKey) => sameValue(present[key], after[key]);
  const restoredKeys: RecordKey[] = [];
  const keptKeys: RecordKey[] = [];
  for (const key of Object.keys(before) as RecordKey[]) {
    if (isServiceDate(key) || key === 'contacts' || sameValue(present[key], before[key])) continue;
    const isOfOther = !isAboutSame(key, before, after);
    const isStillOpen = isOfOther || isOpen(key);
    if (isAboutSame(key, present, after) && isStillOpen) restoredKeys.push(key);
    else if (isOfOther || changed(key)) keptKeys.push(key);
  }
  const valued: MediaRecord = { ...present, ...valuesOf(before, restoredKeys) };
  const contacts = { before: before.contacts ?? [], after: after.contacts ?? [] };
  const reverted = revertContacts(present.contacts, contacts);
  if (!sameValue(present.contacts, reverted.contacts)) restoredKeys.push('contacts');
  if (reverted.isLeft) keptKeys.push('contacts');
  const record = before.contacts === undefined ? valued : withContacts(valued, reverted.contacts);
  const isNewPlace =
    place.some((key) => restoredKeys.includes(key)) && place.some((key) => record[key] !== before[key]);
  if (isNewPlace) record.city_size = derivedCitySize(record);
  // Changes of earlier versions name too little, and have a date.
  const isOfLater = isBeforeContacts(change) && present.updated_at !== after.updated_at;
  if (isOfLater) keptKeys.push(...leftBesideOther(present, record, after));
  record.updated_at = dateOfChange(present, now);
  // A field that stayed with another one goes without saying.
  const named = keptKeys.filter((key) => !leadersOf.get(key)?.some((leader) => keptKeys.includes(leader)));
  if (restoredKeys.length > 0) return { outcome: 'restored', kept: named, record };
  return { outcome: named.length > 0 ? 'kept' : 'unchanged', kept: named, record: present };
}

/**
 * Fields of the contact before an undo that stay beside the one after it, because the change says nothing of them: those of earlier
 * versions named only what they changed.
 */
function leftBesideOther(present: MediaRecord, record: MediaRecord, noted: FieldValues): RecordKey[] {
  return keysOf('contact').filter(
    (key) => !(key in noted) && isKnown(record[key]) && !isAboutSame(key, present, record),
  );
}

type Contacts = readonly KeptContact[];

/** What an undo makes of contacts, and whether somebody changed one of them later, so that it stays. */
interface RevertedContacts {
  contacts: Contacts;
  isLeft: boolean;
}

/**
 * Undoes a change of contacts, one by one by their ids: a contact that is as the change left it becomes what it was before; one
 * that somebody changed later stays. Who is put first is a change of its own: it goes back only if this change made it.
 */
export function revertContacts(
  present: Contacts,
  { before, after }: { before: Contacts; after: Contacts },
): RevertedContacts {
  const [now, earlier, later] = [present, before, after].map(byId) as [ById, ById, ById];
  const restored = new Map(now);
  const [preferred, preferredBefore, preferredAfter] = [present, before, after].map(preferredOf);
  const isPreferredSince = preferred !== preferredAfter;
  let isLeft = preferredBefore !== preferredAfter && isPreferredSince && preferred !== preferredBefore;
  for (const id of new Set([...earlier.keys(), ...later.keys()])) {
    const [valueBefore, valueAfter, valueNow] = [earlier.get(id), later.get(id), now.get(id)];
    if (isSame(valueBefore, valueAfter) || isSame(valueNow, valueBefore)) continue;
    const wouldLose = valueBefore === undefined && isPreferredSince && preferred === id;
    if (!isSame(valueNow, valueAfter) || wouldLose) isLeft = true;
    else if (valueBefore === undefined) restored.delete(id);
    else restored.set(id, valueBefore);
  }
  const first = preferredBefore !== preferredAfter && !isPreferredSince ? preferredBefore : preferred;
  return { contacts: withPreferred(inOrderOf(before, [...restored.values()]), first ?? null), isLeft };
}

type ById = ReadonlyMap<string, KeptContact>;

function byId(contacts: Contacts): ById {
  return new Map(contacts.map((contact) => [contact.id, contact]));
}

/** Whether both say the same, whoever is put first. */
function isSame(one: KeptContact | undefined, other: KeptContact | undefined): boolean {
  const [text, otherText] = [one, other].map((contact) => JSON.stringify({ ...contact, isPreferred: undefined }));
  return text === otherText;
}

/** Contacts that were there before in the order of then; those that came later stay behind them. */
function inOrderOf(before: Contacts, contacts: Contacts): Contacts {
  const places = new Map(before.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: KeptContact) => places.get(id) ?? before.length;
  return contacts.toSorted((a, b) => placeOf(a) - placeOf(b));
}
