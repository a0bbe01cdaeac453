import type { AnyBulkWriteOperation, ClientSession, Db, Document } from 'mongodb';
import { digestContent, digestsOf } from '#records/changes/record-change.ts';
import { type MediaRecord, redate } from '#records/media-record.ts';
import { cleanText, textLimits } from '#records/normalize/clean-text.ts';
import { normalizeDate } from '#records/normalize/normalize-values.ts';
import { firstTraces } from './date-records.ts';
import type { ChangeDocument } from './mongo-change-log.ts';
import type { ChangeBatch } from './mongo-change-stream.ts';
import { runOnMongo } from './mongo-faults.ts';
import { type Collections, collectionsOf } from './prepare-collections.ts';
import {
  digestOf,
  flatKeys,
  hasFlatContact,
  idText,
  plainValue,
  type RecordDocument,
  readDocument,
  recordOf,
  shownOf,
} from './read-document.ts';
import { formsOf, readUndated, type Undated } from './store-form.ts';
import { updateTo } from './write-document.ts';

/** Changes that the stream told of; what is not among them was not changed. */
type Heard = Pick<ChangeBatch, 'changed' | 'inserted'>;

/** A document in this version's form, and how it gets that. */
interface Renewal {
  document: RecordDocument;
  write: AnyBulkWriteOperation<RecordDocument>;
  creation: AnyBulkWriteOperation<ChangeDocument> | null;
}

/**
 * The records that versions before 1.3 left behind: their documents have no dates of the service, and flat keys in place of
 * contacts. Whoever reads one renews it first, and the sync renews all, so that an upgrade need not wait for that. To renew a
 * document changes nothing that a read of it returns, and may be done again or cut off.
 *
 * `updated_at` was a value of sources then. It stays, except where this version shows another city.
 */
export class EarlierRecords {
  readonly #db: Db;
  readonly #collections: Collections;
  readonly #onlyReads: boolean;
  #areAllDated = false;

  /** @param onlyReads for a store that the earlier version goes on with: then nothing is written */
  constructor(db: Db, { onlyReads = false } = {}) {
    this.#db = db;
    this.#collections = collectionsOf(db);
    this.#onlyReads = onlyReads;
  }

  /**
   * The documents in this version's form.
   *
   * @param heard what the stream told of them: another tool's changes since the upgrade are left to whoever dates those
   */
  async renew(
    documents: readonly RecordDocument[],
    { session, heard }: { session?: ClientSession | undefined; heard?: Heard | undefined } = {},
  ): Promise<RecordDocument[]> {
    const undated = documents.filter(({ shown }) => shown === undefined);
    const since = undated.length === 0 ? null : await this.#since();
    if (since === null) return [...documents];
    const traces = await firstTraces(
      this.#collections.changes,
      undated.map(({ _id }) => _id),
    );
    const renewals = new Map<string, Renewal>();
    for (const document of undated) {
      const id = idText(document._id);
      const isChanged = (heard?.changed.get(id) ?? 0n) > since.version;
      if (isChanged && heard?.inserted.has(id)) continue;
      const renewal = renewalOf(document, { trace: traces.get(id), at: since.at, isChanged });
      if (renewal !== null) renewals.set(id, renewal);
    }
    if (!this.#onlyReads) await this.#write([...renewals.values()], session);
    return documents.map((document) => renewals.get(idText(document._id))?.document ?? document);
  }

  /** Renews the documents with these ids. Returns whether there were any to renew. */
  async renewIds(ids: readonly string[]): Promise<boolean> {
    if ((await this.#since()) === null) return false;
    const undated = await this.#collections.records
      .find({ _id: { $in: [...ids] }, shown: { $exists: false } })
      .toArray();
    await this.renew(undated);
    return undated.length > 0;
  }

  /** The next ids of documents to renew after one, in order: fewer than the limit at the end, null if all are dated. */
  async listNext(after: string, limit: number): Promise<string[] | null> {
    return runOnMongo(async () => {
      if ((await this.#since()) === null) return null;
      const page = { _id: { $gt: after, $type: 'string' as const }, shown: { $exists: false } };
      const next = this.#collections.records.find(page, { projection: { _id: 1 } }).sort({ _id: 1 });
      return (await next.limit(limit).toArray()).map(({ _id }) => _id);
    });
  }

  /** From now on, documents without dates are those of other tools. */
  async noteAllDated(): Promise<void> {
    await runOnMongo(() => formsOf(this.#db).updateOne({ _id: 'form' }, { $unset: { undated_since: '' } }));
  }

  async #since(): Promise<Undated | null> {
    if (this.#onlyReads) return { version: 2n ** 64n, at: new Date() };
    if (this.#areAllDated) return null;
    const since = await readUndated(this.#db);
    this.#areAllDated = since === null;
    return since ?? null;
  }

  async #write(renewals: readonly Renewal[], session?: ClientSession): Promise<void> {
    const { records, changes } = this.#collections;
    const options = { ordered: false, ...(session && { session }) };
    const creations = renewals.flatMap(({ creation }) => creation ?? []);
    // First, because a document that is renewed is not looked at again.
    if (creations.length > 0) await changes.bulkWrite(creations, options);
    const writes = renewals.map(({ write }) => write);
    if (writes.length > 0) await records.bulkWrite(writes, options);
  }
}

/** @returns null for a document that is no record */
function renewalOf(
  document: RecordDocument,
  { trace, at, isChanged }: { trace: string | undefined; at: Date; isChanged: boolean },
): Renewal | null {
  const content = readDocument(document);
  if (!('record' in content)) return null;
  const sourceDate = normalizeDate(String(plainValue(document.updated_at)));
  const updated_at = sourceDate ?? at.toISOString();
  const dated: MediaRecord = { ...content.record, updated_at, created_at: trace ?? updated_at };
  const hasOtherCity = dated.city !== (document.city ? cleanText(String(document.city), textLimits.city) : null);
  const record = hasOtherCity && sourceDate !== null ? redate(dated, at) : dated;
  // What another tool wrote stays as it is in the document.
  const isOurs = document.digest !== undefined && !isChanged;
  const isFlat = hasFlatContact(document);
  const update =
    isOurs && (hasOtherCity || isFlat)
      ? updateTo({ ...recordOf(document), ...(isFlat && { contacts: [] }), updated_at }, record)
      : { $set: datesOf(document, record, { isOurs, isChanged }) };
  if (update === null) return null;
  // Where another tool was first, its change comes in the stream.
  const asRead = [...flatKeys, 'contacts', 'city'].map((key) => [key, document[key as 'city'] ?? null]);
  const filter = { _id: document._id, shown: { $exists: false }, ...Object.fromEntries(asRead) };
  const renewed: RecordDocument & Document = { ...document, ...update.$set };
  for (const key of Object.keys(update.$unset ?? {})) delete renewed[key];
  return {
    document: renewed,
    write: { updateOne: { filter, update } },
    creation: isOurs ? renewedCreation(document, record) : null,
  };
}

/** The keys of a document whose content stays. One that was changed has the dates of what it showed before. */
function datesOf(
  document: RecordDocument,
  record: MediaRecord,
  { isOurs, isChanged }: { isOurs: boolean; isChanged: boolean },
): Partial<RecordDocument> {
  const digest = digestOf(document._id, document);
  return {
    updated_at: record.updated_at,
    created_at: record.created_at,
    shown: isChanged ? { ...shownOf(record), of: '' } : shownOf(record),
    ...(isOurs && digest === digestOf(document._id, record) && { digest }),
  };
}

/** Lets an undo of what created a record know it again, if its city is repaired now. */
function renewedCreation(document: RecordDocument, record: MediaRecord): Renewal['creation'] {
  const [before, after] = [digestsOf(recordOf(document)), digestContent(record)];
  if (before.includes(after)) return null;
  const filter = { record_id: document._id, 'change.is': 'created', 'change.digest': { $in: before } };
  return { updateMany: { filter, update: { $set: { 'change.digest': after } } } };
}
