import type { AnyBulkWriteOperation } from 'mongodb';
import { digestContent, digestsOf } from '#records/changes/record-change.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { cleanText, textLimits } from '#records/normalize/clean-text.ts';
import { normalizeDate } from '#records/normalize/normalize-values.ts';
import { redated } from '#records/service-dates.ts';
import { firstTraces, type RecordsAndChanges } from './date-records.ts';
import {
  digestOf,
  hasFlatContact,
  plainValue,
  type RecordDocument,
  readDocument,
  recordOf,
  shownOf,
} from './read-document.ts';
import { change } from './write-document.ts';

const pageSize = 1_000;

/**
 * Dates the documents of versions before 1.3, which took `updated_at` from sources: it stays, except where this version shows
 * another city. Cities that those versions stored with a comma are repaired, and their one contact becomes the first of several. A document that has `shown` is done.
 */
export async function renewRecords({ records, changes }: RecordsAndChanges): Promise<void> {
  const now = new Date();
  for (let last = ''; ; ) {
    const page = { _id: { $gt: last, $type: 'string' as const }, shown: { $exists: false } };
    const documents = await records.find(page).sort({ _id: 1 }).limit(pageSize).toArray();
    const traces = await firstTraces(
      changes,
      documents.map(({ _id }) => _id),
    );
    const writes = documents.flatMap((document) => writesFor(document, traces.get(document._id), now));
    if (writes.length > 0) await records.bulkWrite(writes, { ordered: false });
    for (const document of documents) await renewCreation(changes, document);
    if (documents.length < pageSize) return;
    last = documents.at(-1)?._id ?? last;
  }
}

/** Lets an undo of what created a document know it again, if its city is repaired now. */
async function renewCreation(changes: RecordsAndChanges['changes'], document: RecordDocument): Promise<void> {
  const read = readDocument(document);
  if (!('record' in read) || document.digest === undefined) return;
  const [before, after] = [digestsOf(recordOf(document)), digestContent(read.record)];
  if (before.includes(after)) return;
  const creation = { record_id: document._id, 'change.is': 'created', 'change.digest': { $in: before } };
  await changes.updateMany(creation, { $set: { 'change.digest': after } });
}

function writesFor(
  document: RecordDocument,
  trace: string | undefined,
  now: Date,
): AnyBulkWriteOperation<RecordDocument>[] {
  const read = readDocument(document);
  if (!('record' in read)) return [];
  const given = normalizeDate(String(plainValue(document.updated_at)));
  const updated_at = given ?? now.toISOString();
  const dated: MediaRecord = { ...read.record, updated_at, created_at: trace ?? updated_at };
  const hasOtherCity = dated.city !== (document.city ? cleanText(String(document.city), textLimits.city) : null);
  const record = hasOtherCity && given !== null ? redated(dated, now) : dated;
  // What another tool wrote stays as it is in the document.
  const isOurs = document.digest !== undefined;
  const isFlat = hasFlatContact(document);
  if (isOurs && (hasOtherCity || isFlat)) {
    return change({ ...recordOf(document), ...(isFlat && { contacts: [] }), updated_at }, record);
  }
  const isNormal = isOurs && digestOf(document._id, document) === digestOf(document._id, record);
  const $set = {
    updated_at: record.updated_at,
    created_at: record.created_at,
    shown: shownOf(record),
    ...(isNormal && { digest: digestOf(document._id, document) }),
  };
  return [{ updateOne: { filter: { _id: document._id, shown: { $exists: false } }, update: { $set } } }];
}
