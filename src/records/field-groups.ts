import { nameKey } from '#text/fold.ts';
import { isSameContact } from './contacts/same-contact.ts';
import type { FieldDefinition, FieldGroup } from './field-definition.ts';
import { fields, isKnown } from './fields.ts';
import type { MediaRecord, RecordKey } from './media-record.ts';

/**
 * What belongs to what beside contacts. Joining the rows of a file, merging duplicates and undo all ask here, so that values of
 * one thing are never shown beside those of another.
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

/** Whether the field is about the contact: one of the flat keys, as histories of before 1.3 have them. */
export function isOfContact(key: RecordKey): boolean {
  return definitions.get(key)?.group === 'contact';
}

/** Whether the field says something about the address itself: its status, its source, when it was verified. */
function isAboutAddress(key: RecordKey): boolean {
  return leadersOf.get(key)?.join() === 'email';
}

/** Whether a field that both know is about the same thing in both: the same contact, address, country … */
export function isAboutSame(key: RecordKey, one: FieldValues, other: FieldValues): boolean {
  if (isAboutAddress(key)) return isSameValueOf('email', one, other);
  if (isOfContact(key)) return isSameContact(one, other);
  return leadersOf.get(key)?.every((leader) => isSameValueOf(leader, one, other)) ?? true;
}

function isSameValueOf(key: RecordKey, one: FieldValues, other: FieldValues): boolean {
  return (one[key] ?? null) === (other[key] ?? null);
}

/** Whether two known values of the group contradict each other, so that the groups are about two things. */
export function areOfTwo(group: FieldGroup, one: FieldValues, other: FieldValues): boolean {
  if (group === 'contact') return !isSameContact(one, other);
  return keysOf(group).some((key) => !leadersOf.has(key) && contradict(one[key], other[key]));
}

function contradict(one: unknown, other: unknown): boolean {
  return isKnown(one ?? null) && isKnown(other ?? null) && nameKey(String(one)) !== nameKey(String(other));
}

/** The group of a field; null if it stands alone. */
export function groupOf(key: RecordKey): FieldGroup | null {
  return definitions.get(key)?.group ?? null;
}
