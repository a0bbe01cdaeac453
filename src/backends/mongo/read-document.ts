import { BSON, type Document, Long, ObjectId } from 'mongodb';
import { fields } from '#domain/fields.ts';
import { emptyRecord, type MediaRecord } from '#domain/media-record.ts';
import { mergeRecord } from '#domain/merge-record.ts';
import type { SourceRecord } from '#domain/normalize/cell-reader.ts';
import { normalizeRecord } from '#domain/normalize/normalize-record.ts';
import { isInRecordForm } from './record-form.ts';

/** A record as a document of the collection: its id as `_id`, and every field that is known. */
export type RecordDocument = { _id: string } & Partial<Omit<MediaRecord, 'id'>>;

export type ReadDocument = { record: MediaRecord } | { id: string; reason: string };

const storedKeys: ReadonlySet<string> = new Set(fields.map(({ key }) => key).filter((key) => key !== 'id'));

/** What a read asks for: other keys are other tools' own. */
export const recordProjection: Readonly<Record<string, 1>> = Object.fromEntries([...storedKeys].map((key) => [key, 1]));

/**
 * A document as a record. One that another tool of the data staff wrote in forms of its own is read as an import would
 * read it: what can be understood is, the rest is unknown, addresses are taken out of texts. A document without a kind
 * or a name is no record; the reason says why and quotes nothing of it.
 */
export function readDocument(document: Document): ReadDocument {
  if (isInRecordForm(document)) {
    const record: Record<string, unknown> = { ...emptyRecord(document._id, document.kind, document.name) };
    for (const key in document) if (storedKeys.has(key) && document[key] !== null) record[key] = document[key];
    return { record: record as unknown as MediaRecord };
  }
  return readForeign(document);
}

/** An id as it is spoken of: one that is no text, which other tools may use, with its type, such as {"$numberInt":"42"}. */
export function idText(id: unknown): string {
  return typeof id === 'string' ? id : BSON.EJSON.stringify(id, { relaxed: false });
}

function readForeign(document: Document): ReadDocument {
  const id = idText(document._id);
  if (typeof document._id !== 'string') return { id, reason: '_id is not text' };
  if (id === '') return { id, reason: '_id is empty' };
  const source: Record<string, unknown> = { id };
  for (const key of storedKeys) if (key in document) source[key] = plainValue(document[key]);
  const result = normalizeRecord(source as SourceRecord);
  if ('rejection' in result) return { id, reason: result.rejection.message };
  if (result.patch.id !== id) return { id, reason: '_id has leading or trailing space or is not in Unicode form NFC' };
  // The time at which nothing is known to have changed, so that every read gives the same.
  const merged = mergeRecord(null, result.patch, new Date(0));
  return 'record' in merged ? { record: merged.record } : { id, reason: 'kind or name is missing' };
}

/** BSON's own types as the plain values that imports know. */
function plainValue(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Long) return value.toNumber();
  if (value instanceof ObjectId) return value.toHexString();
  if (Array.isArray(value)) return value.map(plainValue);
  return value;
}
