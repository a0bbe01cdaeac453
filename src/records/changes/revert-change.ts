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
  staying: readonly RecordKey[];
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
      if (present === null) return { outcome: 'unchanged', staying: [], record: null };
      if (change.digest !== null && digestsOf(present).includes(change.digest))
        return { outcome: 'removed', staying: [], record: null };
      return { outcome: 'kept', staying: [], record: present };
    case 'deleted': {
      if (present === null) {
        return { outcome: 'recreated', staying: [], record: recreate(completeRecord(change.before), now) };
      }
      const isSame = digestContent(present) === digestContent(change.before);
      return { outcome: isSame ? 'unchanged' : 'kept', staying: [], record: present };
    }
    case 'changed':
      return present === null
        ? { outcome: 'unchanged', staying: [], record: null }
        : revertFields(present, change, now);
  }
}

/** A deleted record as of now. A history of before 1.3 does not say when it came in. */
function recreate(before: MediaRecord, now: Date): MediaRecord {
  return redate({ ...before, created_at: before.created_at === timeless ? before.updated_at : before.created_at }, now);
}

type ChangedValues = Pick<RecordChange & { is: 'changed' }, 'before' | 'after'>;
type RevertedValues = Reversal & { record: MediaRecord };

function revertFields(present: MediaRecord, change: ChangedValues, now: Date): RevertedValues {
  if (!isBeforeContacts(change)) return revertValues(present, change, now);
  return contactOfThen(present) === undefined
    ? revertWithoutContact(present, change, now)
    : revertWithContact(present, change, now);
}

/** Undoes a change of before 1.3, in the record and in the contact that it is about. */
function revertWithContact(present: MediaRecord, change: ChangedValues, now: Date): RevertedValues {
  const { outcome, staying, record } = revertValues(withContactOfThen(present), change, now);
  if (outcome !== 'restored') return { outcome, staying, record: present };
  return { outcome, staying, record: withFlatValues({ ...record, contacts: present.contacts }, record) };
}

/** The same where that contact is gone: only the other values can go back. */
function revertWithoutContact(present: MediaRecord, change: ChangedValues, now: Date): RevertedValues {
  const ofRecord = { before: withoutFlat(change.before), after: withoutFlat(change.after) };
  const { outcome, staying, record } = revertValues(withContactOfThen(present), ofRecord, now);
  const stayingKeys = [...staying, 'contacts' as const];
  if (outcome !== 'restored') return { outcome: 'kept', staying: stayingKeys, record: present };
  return { outcome, staying: stayingKeys, record: withContacts(record, present.contacts) };
}

function withoutFlat(values: FieldValues): FieldValues {
  const keys = Object.keys(values) as RecordKey[];
  return valuesOf(
    values,
    keys.filter((key) => !isFlatKey(key)),
  );
}

function revertValues(present: MediaRecord, change: ChangedValues, now: Date): RevertedValues {
  const { after } = change;
  const before = valuesBefore(change);
  const { restoredKeys, stayingKeys } = chooseFields(present, before, after);
  const valued: MediaRecord = { ...present, ...valuesOf(before, restoredKeys) };
  const contacts = { before: before.contacts ?? [], after: after.contacts ?? [] };
  const reverted = revertContacts(present.contacts, contacts);
  if (!sameValue(present.contacts, reverted.contacts)) restoredKeys.push('contacts');
  if (reverted.isLeft) stayingKeys.push('contacts');
  const record = before.contacts === undefined ? valued : withContacts(valued, reverted.contacts);
  if (isInNewPlace(record, before, restoredKeys)) record.city_size = derivedCitySize(record);
  // Changes of earlier versions name too little, and have a date.
  const isOfLater = isBeforeContacts(change) && present.updated_at !== after.updated_at;
  if (isOfLater) stayingKeys.push(...leftBesideOther(present, record, after));
  record.updated_at = dateOfChange(present, now);
  // A field that stayed with another one goes without saying.
  const named = stayingKeys.filter((key) => !leadersOf.get(key)?.some((leader) => stayingKeys.includes(leader)));
  if (restoredKeys.length > 0) return { outcome: 'restored', staying: named, record };
  return { outcome: named.length > 0 ? 'kept' : 'unchanged', staying: named, record: present };
}

/** The changed fields, without contacts: those that go back, and those that stay because something changed them later. */
function chooseFields(present: MediaRecord, before: FieldValues, after: FieldValues) {
  const restoredKeys: RecordKey[] = [];
  const stayingKeys: RecordKey[] = [];
  for (const key of Object.keys(before) as RecordKey[]) {
    if (isServiceDate(key) || key === 'contacts' || sameValue(present[key], before[key])) continue;
    const isOfOther = !isAboutSame(key, before, after);
    const isStillOpen = isOfOther || sameValue(present[key], after[key]);
    if (isAboutSame(key, present, after) && isStillOpen) restoredKeys.push(key);
    else if (isOfOther || !sameValue(before[key], after[key])) stayingKeys.push(key);
  }
  return { restoredKeys, stayingKeys };
}

/** Whether a part of the place went back, but not all of it: then the size of the city is neither that of now nor that of then. */
function isInNewPlace(record: MediaRecord, before: FieldValues, restoredKeys: readonly RecordKey[]): boolean {
  const placeKeys = leadersOf.get('city_size') ?? [];
  return placeKeys.some((key) => restoredKeys.includes(key)) && placeKeys.some((key) => record[key] !== before[key]);
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

/**
 * Undoes a change of contacts, one by one by their ids: a contact that is as the change left it becomes what it was before; one
 * that somebody changed later stays. Who is put first is a change of its own: it goes back only if this change made it.
 */
function revertContacts(present: Contacts, { before, after }: { before: Contacts; after: Contacts }) {
  const [now, earlier, later] = [present, before, after].map(byId) as [ById, ById, ById];
  const restored = new Map(now);
  const [preferred, preferredBefore, preferredAfter] = [present, before, after].map(preferredOf);
  const isPreferredSince = preferred !== preferredAfter;
  /** Whether somebody changed one of them later, so that it stays. */
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
  const ranks = new Map(before.map(({ id }, index) => [id, index]));
  const rankOf = ({ id }: KeptContact) => ranks.get(id) ?? before.length;
  return contacts.toSorted((a, b) => rankOf(a) - rankOf(b));
}
