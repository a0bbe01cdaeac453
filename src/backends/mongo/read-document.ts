import { hash } from 'node:crypto';
import { BSON, type Document, Long, ObjectId } from 'mongodb';
import { digestContent } from '#records/changes/record-change.ts';
import { idOfOnlyContact, idOfUnnamedContact } from '#records/contacts/contact-id.ts';
import { withContacts } from '#records/contacts/with-contacts.ts';
import { contentKeys, isDerived, isKnown, isServiceDate, recordKeys, timeless } from '#records/fields.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { mergeRecord, withoutKeys } from '#records/merge-record.ts';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { isPlaceholder } from '#records/normalize/clean-text.ts';
import { withKeptValues } from '#records/normalize/contacts-in-json.ts';
import { normalizeRecord } from '#records/normalize/normalize-record.ts';
import { completeRecord } from '#records/stored-record.ts';
import { indexVersion } from '#search/indexed/index-maintenance.ts';
import type { DatedRecord } from '../stores.ts';

/**
 * Its id as `_id`, the key by which imports find it (see identity.ts), the digest of what Masthead wrote, and what was shown
 * when. Other tools may write `updated_at` and `created_at`: those of `shown` count.
 */
export type RecordDocument = { _id: string; name_key?: number; digest?: string; shown?: Shown } & Partial<
  Omit<MediaRecord, 'id'>
>;

/** The dates of a record, and `of` what content: if it shows another one, another tool has changed it since, or suppressions have. */
export interface Shown extends Pick<MediaRecord, 'updated_at' | 'created_at'> {
  of: string;
}

type ReadDocument = DatedRecord | { id: string; reason: string };

const storedKeys = contentKeys.filter((key) => key !== 'id');

/** The keys that follow from the contacts. Documents of before 1.3 and of other tools may have them instead of contacts. */
export const flatKeys = recordKeys.filter(isDerived);

/** What a read fetches: other keys belong to other tools. */
export const recordProjection: Readonly<Record<string, 1>> = Object.fromEntries(
  [...recordKeys.filter((key) => key !== 'id'), 'digest', 'shown'].map((key) => [key, 1]),
);

/** A digest of all that a record or its document says, under the rules of this version. */
export function digestOf(id: unknown, values: Document): string {
  const content = storedKeys.map((key) => values[key] ?? null).map((value) => (isKnown(value) ? value : null));
  return hash('sha256', JSON.stringify([indexVersion, id, content]), 'base64url').slice(0, 22);
}

/** Whether a document has this value of a field. */
export function isWritten(key: string, value: unknown): boolean {
  return isKnown(value ?? null) && !(isServiceDate(key) && value === timeless);
}

/** Reads a document; one that another tool or version wrote like an import. The reason of a failure quotes nothing. */
export function readDocument(document: Document): ReadDocument {
  const { _id, digest, shown, ...values } = document;
  const isOwn = digest !== undefined && digest === digestOf(_id, values) && !hasFlatContact(document);
  const content = isOwn ? { record: recordOf(document) } : readForeign(document);
  if (!('record' in content)) return content;
  const { of: contentDigest, ...dates }: Shown = shown ?? { of: '', updated_at: timeless, created_at: timeless };
  const record = { ...content.record, ...dates };
  if (shown === undefined) return { record, isDated: 'never' };
  return isOwn || contentDigest === digestContent(record)
    ? { record, shown: contentDigest }
    : { record, isDated: 'before', shown: contentDigest };
}

/** The values of a document as they stand there. */
export function recordOf(document: Document): MediaRecord {
  const keys = hasFlatContact(document) ? [...storedKeys, ...flatKeys] : storedKeys;
  const record: Record<string, unknown> = { id: document._id };
  for (const key of keys) if (isKnown(document[key] ?? null)) record[key] = document[key];
  return completeRecord(record as unknown as MediaRecord);
}

/** Whether a document has the keys of one contact instead of contacts. */
export function hasFlatContact(document: Document): boolean {
  return document.contacts == null && flatKeys.some((key) => isKnown(document[key] ?? null));
}

/** What a document keeps of what a record shows, and since when; `record`: what suppressions leave of it. */
export function shownOf(record: MediaRecord): Shown {
  return { of: digestContent(record), updated_at: record.updated_at, created_at: record.created_at };
}

/** An id as text. An id that is not text, as other tools use, is shown with its type, such as {"$numberInt":"42"}. */
export function idText(id: unknown): string {
  return typeof id === 'string' ? id : BSON.EJSON.stringify(id, { relaxed: false });
}

/** The ids that are shown as this text. */
export function storedIds(text: string): unknown[] {
  return /^(?:\{"|true$|false$|null$)/.test(text) ? [text, ...parseId(text)] : [text];
}

function parseId(text: string): unknown[] {
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
  for (const key of [...storedKeys, ...flatKeys]) if (key in document) source[key] = plainValue(document[key]);
  // It follows from the contacts, whatever the document says.
  delete source.contact_count;
  const result = normalizeRecord(source as SourceRecord);
  if ('rejection' in result) return { id, reason: result.rejection.message };
  if (result.patch.id !== id) return { id, reason: '_id has leading or trailing space or is not in Unicode form NFC' };
  const { guessed = [], ...patch } = result.patch;
  // The region in `Fresno, CA` is no guess.
  const hasRegion = patch.city !== document.city;
  const idle = guessed.filter((key) => !(key === 'region' && hasRegion));
  const merged = mergeRecord(null, withIds(withoutKeys(patch, idle)), new Date(timeless));
  if (!('record' in merged)) return { id, reason: 'kind or name is missing' };
  const { record } = merged;
  return { record: withContacts(record, withKeptValues(record.contacts, source.contacts)) };
}

/** Gives ids to contacts of a document that have none and no name or title to make one of: always the same. */
function withIds(patch: RecordPatch): RecordPatch {
  const { contacts } = patch;
  if (contacts === undefined || !('patches' in contacts)) return patch;
  const patches = contacts.patches.map((contact, place) => {
    // A cell with two addresses is two contacts.
    if (!contacts.areAll && place === 0) return { ...contact, id: idOfOnlyContact(patch.id) };
    const hasOther = contact.id !== undefined || contact.name || contact.title;
    return hasOther ? contact : { ...contact, id: idOfUnnamedContact(patch.id, place) };
  });
  return { ...patch, contacts: { ...contacts, patches } };
}

/** BSON types as the plain values that imports expect. */
export function plainValue(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Long) return value.toNumber();
  if (value instanceof ObjectId) return value.toHexString();
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainValue(item)]));
  }
  return value;
}
