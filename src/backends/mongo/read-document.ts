import { hash } from 'node:crypto';
import { BSON, type Document, Long, ObjectId } from 'mongodb';
import { emptyRecord, fields, isKnown } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { isPlaceholder } from '#records/normalize/clean-text.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { indexVersion } from '#search/index-maintenance.ts';

/** Its id as `_id`, the key by which imports find it (see identity.ts), and the digest of what Masthead wrote. */
export type RecordDocument = { _id: string; name_key?: number; digest?: string } & Partial<Omit<MediaRecord, 'id'>>;

type ReadDocument = { record: MediaRecord } | { id: string; reason: string };

/** The `updated_at` of documents that have none. It is constant, so that every read is the same, and is never written. */
const timeOfTimeless = new Date(0).toISOString();

const storedKeys = fields.map(({ key }) => key).filter((key) => key !== 'id');

/** What a read fetches: other keys belong to other tools. */
export const recordProjection: Readonly<Record<string, 1>> = Object.fromEntries(
  [...storedKeys, 'digest'].map((key) => [key, 1]),
);

/** A digest of all that a record or its document says, under the rules of this version. */
export function digestOf(id: unknown, values: Document): string {
  const said = storedKeys.map((key) => (isWritten(key, values[key]) ? values[key] : null));
  return hash('sha256', JSON.stringify([indexVersion, id, said]), 'base64url').slice(0, 22);
}

/** Whether a document has this value of a field. */
export function isWritten(key: string, value: unknown): boolean {
  return isKnown(value ?? null) && !(key === 'updated_at' && value === timeOfTimeless);
}

/** Reads a document; one that another tool or version wrote like an import. The reason of a failure quotes nothing. */
export function readDocument(document: Document): ReadDocument {
  const { _id, digest, ...values } = document;
  if (digest === undefined || digest !== digestOf(_id, values)) return readForeign(document);
  const record: Record<string, unknown> = { ...emptyRecord(_id, values.kind, values.name) };
  for (const key of storedKeys) if (isKnown(values[key] ?? null)) record[key] = values[key];
  return { record: record as unknown as MediaRecord };
}

/** An id as text. An id that is not text, as other tools use, is shown with its type, such as {"$numberInt":"42"}. */
export function idText(id: unknown): string {
  return typeof id === 'string' ? id : BSON.EJSON.stringify(id, { relaxed: false });
}

/** The ids that are shown as this text. */
export function storedIds(text: string): unknown[] {
  return /^(?:\{"|true$|false$|null$)/.test(text) ? [text, ...parsed(text)] : [text];
}

function parsed(text: string): unknown[] {
  try {
    return [BSON.EJSON.parse(text, { relaxed: false })];
  } catch {
    return [];
  }
}

function readForeign(document: Document): ReadDocument {
  const id = idText(document._id);
  if (typeof document._id !== 'string') return { id, reason: '_id is not text' };
  if (id === '') return { id, reason: '_id is empty' };
  if (id.includes('\ufffd')) return { id, reason: '_id is not valid UTF-8' };
  // An import would read this as no id.
  if (isPlaceholder(id.trim())) return { id, reason: '_id is a word for nothing, such as null or none' };
  const source: Record<string, unknown> = { id };
  for (const key of storedKeys) if (key in document) source[key] = plainValue(document[key]);
  const result = normalizeRecord(source as SourceRecord);
  if ('rejection' in result) return { id, reason: result.rejection.message };
  if (result.patch.id !== id) return { id, reason: '_id has leading or trailing space or is not in Unicode form NFC' };
  const { guessed = [], ...said } = result.patch;
  for (const key of guessed) if (key !== 'id') delete said[key];
  const merged = mergeRecord(null, said, new Date(timeOfTimeless));
  return 'record' in merged ? { record: merged.record } : { id, reason: 'kind or name is missing' };
}

/** BSON types as the plain values that imports expect. */
function plainValue(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Long) return value.toNumber();
  if (value instanceof ObjectId) return value.toHexString();
  if (Array.isArray(value)) return value.map(plainValue);
  return value;
}
