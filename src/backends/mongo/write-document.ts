import type { AnyBulkWriteOperation } from 'mongodb';
import { isKnown } from '#records/fields.ts';
import { nameKeyOf } from '#records/identity.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { storedForm } from '#records/stored-record.ts';
import { digestOf, flatKeys, isWritten, type RecordDocument, shownOf } from './read-document.ts';

export type Write = AnyBulkWriteOperation<RecordDocument>;

/** The record as a new document, without unknown fields. `visible`: what suppressions leave of it. */
export function insertion(record: MediaRecord, visible = record): Write[] {
  const { id, ...fields } = storedForm(record);
  const values = Object.fromEntries(Object.entries(fields).filter(([key, value]) => isWritten(key, value)));
  return [{ insertOne: { document: { _id: id, ...values, ...keysOf(record, visible) } } }];
}

function keysOf(
  record: MediaRecord,
  visible: MediaRecord,
): Pick<Required<RecordDocument>, 'name_key' | 'digest' | 'shown'> {
  return { ...findableBy(record), shown: shownOf(visible) };
}

/** The keys by which imports find a document, and reads know it as Masthead's. */
export function findableBy(record: MediaRecord): { name_key: number; digest: string } {
  return { name_key: nameKeyOf(record.kind, record.name), digest: digestOf(record.id, record) };
}

export function change(stored: MediaRecord | null, merged: MediaRecord, visible = merged): Write[] {
  const update = updateTo(stored, merged, visible);
  return update === null ? [] : [{ updateOne: { filter: { _id: merged.id }, update } }];
}

/**
 * Only fields that differ, so other tools' keys and unreadable values stay; null if none does. `stored`: null if it was not a
 * record; `visible`: what suppressions leave of the merged one.
 */
export function updateTo(
  stored: MediaRecord | null,
  merged: MediaRecord,
  visible = merged,
): { $set: Partial<RecordDocument>; $unset?: Record<string, ''> } | null {
  const set: Record<string, unknown> = {};
  const unset: Record<string, ''> = {};
  const { id: _, ...fields } = storedForm(merged);
  for (const [key, value] of Object.entries(fields)) {
    const before = stored?.[key as keyof MediaRecord] ?? null;
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    if (isWritten(key, value)) set[key] = value;
    else if (isKnown(before)) unset[key] = '';
  }
  // Contacts replace what earlier versions and other tools wrote in place of them.
  if ('contacts' in { ...set, ...unset }) for (const key of flatKeys) unset[key] = '';
  if (Object.keys({ ...set, ...unset }).length === 0) return null;
  Object.assign(set, { created_at: merged.created_at }, keysOf(merged, visible));
  return Object.keys(unset).length > 0 ? { $set: set, $unset: unset } : { $set: set };
}
