import { hash } from 'node:crypto';
import { BSON, type Document, Long, ObjectId } from 'mongodb';
import { digestContent } from '#records/changes/record-change.ts';
import { emptyRecord, isKnown, isServiceDate, recordKeys, sourceKeys, timeless } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { isPlaceholder } from '#records/normalize/clean-text.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { indexVersion } from '#search/index-maintenance.ts';
import type { DatedRecord } from '../stores.ts';

/**
 * Its id as `_id`, the key by which imports find it (see identity.ts), the digest of what Masthead wrote, and what was shown
 * when. Other tools may write `updated_at` and `created_at`: those of `shown` count.
 */
export type RecordDocument = { _id: string; name_key?: number; digest?: string; shown?: Shown } & Partial<
  Omit<MediaRecord, 'id'>
>;

/** The dates of a record, and `of` what content: if it shows another one, another tool has changed it since. */
export interface Shown extends Pick<MediaRecord, 'updated_at' | 'created_at'> {
  of: string;
}

type ReadDocument = DatedRecord | { id: string; reason: string };

const storedKeys = sourceKeys.filter((key) => key !== 'id');

/** What a read fetches: other keys belong to other tools. */
export const recordProjection: Readonly<Record<string, 1>> = Object.fromEntries(
  [...recordKeys.filter((key) => key !== 'id'), 'digest', 'shown'].map((key) => [key, 1]),
);

/** A digest of all that a record or its document says, under the rules of this version. */
export function digestOf(id: unknown, values: Document): string {
  const said = storedKeys.map((key) => values[key] ?? null).map((value) => (isKnown(value) ? value : null));
  return hash('sha256', JSON.stringify([indexVersion, id, said]), 'base64url').slice(0, 22);
}

/** Whether a document has this value of a field. */
export function isWritten(key: string, value: unknown): boolean {
  return isKnown(value ?? null) && !(isServiceDate(key) && value === timeless);
}

/** Reads a document; one that another tool or version wrote like an import. The reason of a failure quotes nothing. */
export function readDocument(document: Document): ReadDocument {
  const { _id, digest, shown, ...values } = document;
  const isOwn = digest !== undefined && digest === digestOf(_id, values);
  const read = isOwn ? { record: recordOf(document) } : readForeign(document);
  if (!('record' in read)) return read;
  const { of, ...dates }: Shown = shown ?? { of: '', updated_at: timeless, created_at: timeless };
  const record = { ...read.record, ...dates };
  if (shown === undefined) return { record, isDated: 'never' };
  return isOwn || of === digestContent(record) ? { record } : { record, isDated: 'before' };
}

/** The values of a document as they stand there. */
export function recordOf(document: Document): MediaRecord {
  const record: Record<string, unknown> = { ...emptyRecord(document._id, document.kind, document.name) };
  for (const key of storedKeys) if (isKnown(document[key] ?? null)) record[key] = document[key];
  return record as unknown as MediaRecord;
}

/** What a document keeps of what a record shows, and since when. */
export function shownOf(record: MediaRecord): Shown {
  return { of: digestContent(record), updated_at: record.updated_at, created_at: record.created_at };
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

function readForeign(document: Document): { record: MediaRecord } | { id: string; reason: string } {
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
  // The region in `Fresno, CA` is no guess.
  const hasRegion = said.city !== document.city;
  for (const key of guessed) if (key !== 'id' && !(key === 'region' && hasRegion)) delete said[key];
  const merged = mergeRecord(null, said, new Date(timeless));
  return 'record' in merged ? { record: merged.record } : { id, reason: 'kind or name is missing' };
}

/** BSON types as the plain values that imports expect. */
export function plainValue(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Long) return value.toNumber();
  if (value instanceof ObjectId) return value.toHexString();
  if (Array.isArray(value)) return value.map(plainValue);
  return value;
}
