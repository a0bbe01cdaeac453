import { nameKey } from '#text/fold.ts';
import { isSameAddress } from './contacts/contact.ts';
import { isSameContact } from './contacts/same-contact.ts';
import type { FieldDefinition, FieldGroup } from './field-definition.ts';
import { fields, isKnown } from './fields.ts';
import type { MediaRecord, RecordKey } from './media-record.ts';

/**
 * What belongs to what. Merging over time, joining the rows of a file, merging duplicates, undo and import notes all ask here, so
 * that values of one thing are never shown beside those of another.
 */

type FieldValues = Partial<MediaRecord>;

const definitions: ReadonlyMap<RecordKey, FieldDefinition> = new Map(fields.map((field) => [field.key, field]));

/** The fields that decide whether a field is still right, its leaders. */
export const leadersOf: ReadonlyMap<RecordKey, readonly RecordKey[]> = new Map(
  [...definitions.values()].flatMap(({ key, leaders }) => (leaders === undefined ? [] : [[key, leaders]])),
);

/** The fields of a group, in the order of a record. */
export function keysOf(group: FieldGroup): readonly RecordKey[] {
  return fieldsByGroup.get(group) ?? [];
}

const fieldsByGroup = Map.groupBy(
  [...definitions.keys()].filter((key) => definitions.get(key)?.group !== undefined),
  (key) => definitions.get(key)?.group,
);

/** Whether a value of the field is about the contact. A company's LinkedIn page is the medium's own. */
export function isOfContact(key: RecordKey, value: unknown): boolean {
  const { group, isGrouped } = definitions.get(key) ?? {};
  return group === 'contact' && (isGrouped === undefined || (typeof value === 'string' && isGrouped(value)));
}

/** Whether the field says something about the address itself: its status, its source, when it was verified. */
export function isAboutAddress(key: RecordKey): boolean {
  return leadersOf.get(key)?.join() === 'email';
}

/** Whether a field that both know is about the same thing in both: the same contact, address, country … */
export function isAboutSame(key: RecordKey, one: FieldValues, other: FieldValues): boolean {
  if (isAboutAddress(key)) return isSameValueOf('email', one, other);
  if (isOfContact(key, one[key]) || isOfContact(key, other[key])) return isSameContact(one, other);
  return leadersOf.get(key)?.every((leader) => isSameValueOf(leader, one, other)) ?? true;
}

function isSameValueOf(key: RecordKey, one: FieldValues, other: FieldValues): boolean {
  return (one[key] ?? null) === (other[key] ?? null);
}

/**
 * The known fields of `stored` that are wrong beside the values of a patch, unless it has them itself. Another contact replaces
 * all that is known of the one before, another address what is known of that address. A title goes with the name.
 */
export function outdatedBy(patch: FieldValues, stored: FieldValues): RecordKey[] {
  const losesName = Boolean(stored.contact_name) && patch.contact_name === null;
  const email = patch.email === undefined ? stored.email : patch.email;
  const isAnother = !isSameContact(stored, patch) || (losesName && !email);
  const isSameEmail = patch.email === undefined ? !isAnother : isSameAddress(patch.email, stored.email ?? null);
  return keysOf('contact').filter((key) => {
    if (!isKnown(stored[key] ?? null) || !isOfContact(key, stored[key])) return false;
    return isAboutAddress(key) ? !isSameEmail : isAnother || (key === 'contact_title' && losesName);
  });
}

/** Whether two known values of the group contradict each other, so that the groups are about two things. */
export function areOfTwo(group: FieldGroup, one: FieldValues, other: FieldValues): boolean {
  if (group === 'contact') return !isSameContact(one, other);
  return keysOf(group).some((key) => !leadersOf.has(key) && contradict(one[key], other[key]));
}

function contradict(one: unknown, other: unknown): boolean {
  return isKnown(one ?? null) && isKnown(other ?? null) && nameKey(String(one)) !== nameKey(String(other));
}

/** The group of a field's value; null if it stands alone. */
export function groupOf(key: RecordKey, value: unknown): FieldGroup | null {
  const group = definitions.get(key)?.group ?? null;
  return group === 'contact' && !isOfContact(key, value) ? null : group;
}
