import type { AnyBulkWriteOperation, UpdateFilter } from 'mongodb';
import type { MediaRecord } from '#domain/media-record.ts';
import type { RecordDocument } from './read-document.ts';

type Write = AnyBulkWriteOperation<RecordDocument>;

/** The record as a new document, without unknown fields. */
export function insertion({ id, ...fields }: MediaRecord): Write[] {
  const known = Object.entries(fields).filter(([, value]) => isKnown(value));
  return [{ insertOne: { document: { _id: id, ...Object.fromEntries(known) } } }];
}

/**
 * The update from the stored to the merged record: only fields that differ are written, so other tools' keys and
 * unreadable values stay. Empty if both are equal. `stored` is null if the document was not a record.
 */
export function change(stored: MediaRecord | null, merged: MediaRecord): Write[] {
  const set: Record<string, unknown> = {};
  const unset: Record<string, ''> = {};
  const { id, ...fields } = merged;
  for (const [key, value] of Object.entries(fields)) {
    const before = stored?.[key as keyof MediaRecord] ?? null;
    if (JSON.stringify(before) === JSON.stringify(value)) continue;
    if (isKnown(value)) set[key] = value;
    else if (isKnown(before)) unset[key] = '';
  }
  const update: UpdateFilter<RecordDocument> = {};
  if (Object.keys(set).length > 0) update.$set = set;
  if (Object.keys(unset).length > 0) update.$unset = unset;
  return Object.keys(update).length === 0 ? [] : [{ updateOne: { filter: { _id: id }, update } }];
}

function isKnown(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
