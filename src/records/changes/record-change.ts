import { hash } from 'node:crypto';
import { recordKeys } from '../fields.ts';
import type { MediaRecord, RecordKey } from '../media-record.ts';

export type FieldValues = Partial<MediaRecord>;

/**
 * What a change set did to one record, with what it takes to undo it. A creation has a digest, so that an import does not
 * store its records twice; null where the record took the place of something unreadable. `kept` is the record that it was
 * merged into, or taken out of.
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

/** The fields that a field says something about, its leaders: with another leader it would be wrong. */
export const leadersOf: Readonly<Partial<Record<RecordKey, readonly RecordKey[]>>> = {
  country_name: ['country'],
  continent: ['country'],
  city_size: ['city', 'region', 'country'],
  type: ['kind'],
  email_status: ['email'],
  email_source: ['email'],
  last_verified_at: ['email'],
};

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
  kept?: string | undefined;
}

/**
 * The change that a transition makes; null if it makes none. Beside the fields that changed it notes their leaders and
 * what they lead, and `updated_at`: once, in `after`, if those are the same.
 */
export function describeChange({
  id,
  before,
  after,
  replacesUnreadable,
  digest,
  kept,
}: Transition): RecordChange | null {
  const link = kept === undefined ? {} : { kept };
  if (before === null) {
    return (
      after && { id, is: 'created', digest: replacesUnreadable ? null : (digest ?? digestContent(after)), ...link }
    );
  }
  if (after === null) return { id, is: 'deleted', before, ...link };
  const changed = new Set(recordKeys.filter((key) => !sameValue(before[key], after[key])));
  if (changed.size === 0) return null;
  const noted = new Set<RecordKey>([...changed, 'updated_at']);
  for (const [key, leaders] of Object.entries(leadersOf) as [RecordKey, readonly RecordKey[]][]) {
    const isLed = leaders.some((leader) => changed.has(leader));
    if (isLed || changed.has(key)) for (const one of [key, ...leaders]) noted.add(one);
  }
  const notedKeys = recordKeys.filter((key) => noted.has(key));
  return { id, is: 'changed', before: valuesOf(before, changed), after: valuesOf(after, notedKeys) };
}

/** The values before a change of every field that it notes. */
export function valuesBefore({ before, after }: { before: FieldValues; after: FieldValues }): FieldValues {
  return { ...after, ...before };
}

/** The change that an earlier change of a change set and a further transition of the same record make together. */
export function extendChange(earlier: RecordChange, { id, before, after, kept }: Transition): RecordChange | null {
  switch (earlier.is) {
    case 'created':
      return describeChange({
        ...{ id, before: null, after, kept: kept ?? earlier.kept },
        replacesUnreadable: earlier.digest === null,
      });
    case 'changed':
      return describeChange({ id, before: before && { ...before, ...valuesBefore(earlier) }, after, kept });
    case 'deleted':
      return describeChange({ id, before: earlier.before, after, kept: kept ?? earlier.kept });
  }
}

/** What is written to a change log when records change under one change set, which has one change for each record. */
export interface LogUpdate {
  saved: RecordChange[];
  /** The ids of records that are as they were before the change set. */
  dropped: string[];
  /** By how much the change set grows. */
  added: { changes: number; bytes: number };
}

/** @param earlier the changes that the change set already has of these records, by their ids */
export function planLog(transitions: readonly Transition[], earlier: ReadonlyMap<string, RecordChange>): LogUpdate {
  const update: LogUpdate = { saved: [], dropped: [], added: { changes: 0, bytes: 0 } };
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

export function sameValue(one: unknown, other: unknown): boolean {
  return one === other || (Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other));
}

export function valuesOf(values: FieldValues, keys: Iterable<RecordKey>): FieldValues {
  return Object.fromEntries(Array.from(keys, (key) => [key, values[key]]));
}

/** 132 bits. */
const digestLength = 22;

/** Of the known values without the time of the last change: so a field that a later version adds changes no digest. */
export function digestContent(record: MediaRecord): string {
  const known: unknown[] = [];
  for (const key of recordKeys) {
    const value = record[key];
    if (value === null || key === 'updated_at' || (Array.isArray(value) && value.length === 0)) continue;
    known.push(key, value);
  }
  return hash('sha256', JSON.stringify(known), 'base64url').slice(0, digestLength);
}

/** About how many bytes a change takes where it is kept, with its place in indexes. */
export function sizeOfChange(change: RecordChange): number {
  return JSON.stringify(change).length + change.id.length + sizeOfPlace;
}

/** Of the entries that lead to a change. */
const sizeOfPlace = 60;
