import { hash } from 'node:crypto';
import { leadersOf } from '../field-groups.ts';
import { contentKeys, isKnown, sourceKeys } from '../fields.ts';
import type { MediaRecord, RecordKey } from '../media-record.ts';
import { completeRecord, liftContact, storedForm } from '../stored-record.ts';

export type FieldValues = Partial<MediaRecord>;

/**
 * What a change set did to one record, with all that an undo needs. A creation has only a digest, so that an import does not
 * store its records twice; null if the record replaced something unreadable. `kept`: what it was merged into, or taken out of.
 */
export type RecordChange = { id: string } & (
  | { is: 'created'; digest: string | null; kept?: string }
  /** `before` has the fields that changed, `after` also those that the undo compares: see describeChange. */
  | { is: 'changed'; before: FieldValues; after: FieldValues }
  | { is: 'deleted'; before: MediaRecord; kept?: string }
);

export type LoggedChange = RecordChange & {
  changeSet: string;
  /** ISO 8601, UTC. */
  at: string;
};

/** A change as a store kept it, of whatever version: what it holds whole is completed. */
export function readStoredChange(stored: RecordChange): RecordChange {
  return stored.is === 'deleted' ? { ...stored, before: completeRecord(stored.before) } : stored;
}

/** One record before and after a step of a change set; null if there is none. */
export interface Transition {
  id: string;
  before: MediaRecord | null;
  after: MediaRecord | null;
  /** Whether something that was not a readable record stood there before. */
  replacesUnreadable?: boolean;
  /** digestContent of what is there after, if it is known. */
  digest?: string | undefined;
  /** The record that this one is merged into, or taken out of. */
  keptId?: string | undefined;
}

/**
 * The change that a transition makes; null if it makes none, or only of dates that the service sets. Besides the fields that
 * changed, `after` notes the leaders of those fields, and the fields that they lead.
 */
export function describeChange(transition: Transition): RecordChange | null {
  const { id, before, after, keptId } = transition;
  const link = keptId === undefined ? {} : { kept: keptId };
  if (before === null) {
    if (after === null) return null;
    const digest = transition.replacesUnreadable ? null : (transition.digest ?? digestContent(after));
    return { id, is: 'created', digest, ...link };
  }
  if (after === null) return { id, is: 'deleted', before: storedForm(before) as MediaRecord, ...link };
  const changedKeys = new Set<RecordKey>(contentKeys.filter((key) => !sameValue(before[key], after[key])));
  if (changedKeys.size === 0) return null;
  const noted = new Set<RecordKey>(changedKeys);
  for (const [key, leaders] of leadersOf) {
    const isLed = leaders.some((leader) => changedKeys.has(leader));
    if (isLed || changedKeys.has(key)) for (const notedKey of [key, ...leaders]) noted.add(notedKey);
  }
  const notedKeys = contentKeys.filter((key) => noted.has(key));
  return { id, is: 'changed', before: valuesOf(before, changedKeys), after: valuesOf(after, notedKeys) };
}

/** The values before a change of every field that it notes. */
export function valuesBefore({ before, after }: { before: FieldValues; after: FieldValues }): FieldValues {
  return { ...after, ...before };
}

/** Joins an earlier change of a change set and a further transition of the same record into one change. */
export function extendChange(earlier: RecordChange, { id, before, after, keptId }: Transition): RecordChange | null {
  switch (earlier.is) {
    case 'created': {
      const replacesUnreadable = earlier.digest === null;
      return describeChange({ id, before: null, after, keptId: keptId ?? earlier.kept, replacesUnreadable });
    }
    case 'changed':
      return describeChange({ id, before: before && { ...before, ...valuesBefore(earlier) }, after, keptId });
    case 'deleted':
      return describeChange({ id, before: earlier.before, after, keptId: keptId ?? earlier.kept });
  }
}

type LogUpdate = ReturnType<typeof planLog>;

/**
 * What to write to the change log when records change. A change set has one change for each record.
 *
 * @param earlier the changes that the change set already has of these records, by their ids
 */
export function planLog(transitions: readonly Transition[], earlier: ReadonlyMap<string, RecordChange>) {
  const update = {
    saved: [] as RecordChange[],
    /** The ids of records that are as they were before the change set. */
    dropped: [] as string[],
    /** By how much the change set grows. */
    added: { changes: 0, bytes: 0 },
  };
  const count = (change: RecordChange, sign: 1 | -1) => {
    update.added.changes += sign;
    update.added.bytes += sign * sizeOfChange(change);
  };
  for (const transition of transitions) {
    const before = earlier.get(transition.id);
    const change = before ? extendChange(before, transition) : describeChange(transition);
    if (before) count(before, -1);
    if (change) {
      count(change, 1);
      update.saved.push(change);
    } else if (before) update.dropped.push(transition.id);
  }
  return update;
}

/** Makes another change of a stored one; null if it goes, the same object if it stays as it is. */
export type RewriteChange = (change: RecordChange) => RecordChange | null;

/** What to write where a stored change is rewritten, and by how much its change set grows; null for nothing. */
export function planRewrite(
  stored: RecordChange,
  rewrite: RewriteChange,
): { saved: RecordChange | null; added: LogUpdate['added'] } | null {
  const change = readStoredChange(stored);
  const saved = rewrite(change);
  if (saved === change) return null;
  const bytes = (saved === null ? 0 : sizeOfChange(saved)) - sizeOfChange(stored);
  return { saved, added: { changes: saved === null ? -1 : 0, bytes } };
}

export function sameValue(one: unknown, other: unknown): boolean {
  return one === other || (Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other));
}

export function valuesOf(values: FieldValues, keys: Iterable<RecordKey>): FieldValues {
  return Object.fromEntries(Array.from(keys, (key) => [key, values[key]]));
}

/** 132 bits. */
const digestLength = 22;

/** A digest of what a record says, without the dates of the service. Only of known values, so that a field added by a later version does not change it. */
export function digestContent(record: MediaRecord): string {
  return digestOf(record, contentKeys);
}

/** The digests that changes may have noted of a record: those before 1.3 are of the flat keys of its only contact. */
export function digestsOf(record: MediaRecord): string[] {
  const digest = digestContent(record);
  return sameValue(record.contacts, liftContact(record)) ? [digest, digestOf(record, keysBeforeContacts)] : [digest];
}

const keysBeforeContacts = sourceKeys.filter((key) => key !== 'contacts' && key !== 'contact_count');

function digestOf(record: MediaRecord, keys: readonly RecordKey[]): string {
  const knownKeys = keys.filter((key) => isKnown(record[key]));
  const content = JSON.stringify(knownKeys.flatMap((key) => [key, record[key]]));
  return hash('sha256', content, 'base64url').slice(0, digestLength);
}

/** Bytes of the index entries of a change, approximately. */
const sizeOfEntries = 60;

/** Bytes that a change takes in the change log, approximately. */
export function sizeOfChange(change: RecordChange): number {
  return JSON.stringify(change).length + change.id.length + sizeOfEntries;
}
