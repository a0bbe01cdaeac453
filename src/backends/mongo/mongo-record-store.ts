import type { AnyBulkWriteOperation, ClientSession, Collection, Document, MongoClient, UpdateFilter } from 'mongodb';
import type { MediaRecord, RecordPatch } from '#domain/media-record.ts';
import { mergeRecord } from '#domain/merge-record.ts';
import type { RecordStore, SaveOutcome } from '#ports/record-store.ts';
import { beginsWith } from './collection-store.ts';
import { primaryAndMajority } from './connect-mongo.ts';
import { isBrokenConnection, isDuplicateKey, runOnMongo, storeUnavailable } from './mongo-faults.ts';
import { type RecordDocument, readDocument, recordProjection } from './read-document.ts';

/**
 * How often a merge starts over because others insert the same new records at the same time, or because a connection
 * broke.
 */
const maxRaces = 10;
/** How long a merge keeps retrying while the server is down, in milliseconds. */
const mergeTimeoutMs = 30_000;

interface MergePlan {
  outcomes: SaveOutcome[];
  writes: AnyBulkWriteOperation<RecordDocument>[];
}

/** What is known about one id while a batch is merged. */
interface Merging {
  /** Whether a document exists, valid record or not. */
  exists: boolean;
  stored: MediaRecord | null;
  merged: MediaRecord | null;
}

/** The records in a MongoDB collection, which other tools write to as well. */
export class MongoRecordStore implements RecordStore {
  readonly #client: MongoClient;
  readonly #records: Collection<RecordDocument>;

  constructor(client: MongoClient, records: Collection<RecordDocument>) {
    this.#client = client;
    this.#records = records;
  }

  /**
   * One transaction per batch: if another writer changes a document between the read and the commit, the server aborts
   * the transaction, which then starts over.
   */
  async merge(patches: readonly RecordPatch[]): Promise<SaveOutcome[]> {
    if (patches.length === 0) return [];
    return runOnMongo(async () => {
      for (let races = 0; ; races += 1) {
        try {
          return await this.#mergeOnce(patches);
        } catch (error) {
          const canPass = isDuplicateKey(error) || isBrokenConnection(error);
          if (!canPass || races === maxRaces) throw error;
        }
      }
    });
  }

  async preview(patches: readonly RecordPatch[]): Promise<SaveOutcome[]> {
    if (patches.length === 0) return [];
    return runOnMongo(async () => (await this.#plan(patches)).outcomes);
  }

  async find(id: string): Promise<MediaRecord | null> {
    return runOnMongo(async () => {
      const document = await this.#records.findOne({ _id: id }, { projection: recordProjection });
      const read = document && readDocument(document);
      return read && 'record' in read ? read.record : null;
    });
  }

  async remove(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    return this.#removeWhere({ _id: { $in: [...ids] } });
  }

  async removeByIdPrefix(prefix: string): Promise<number> {
    return this.#removeWhere({ _id: beginsWith(prefix) });
  }

  async count(): Promise<number> {
    return runOnMongo(() => this.#records.countDocuments({ _id: { $gte: '' } }));
  }

  async #mergeOnce(patches: readonly RecordPatch[]): Promise<SaveOutcome[]> {
    const deadline = Date.now() + mergeTimeoutMs;
    let tries = 0;
    return this.#client.withSession((session) =>
      session.withTransaction(async () => {
        tries += 1;
        // The driver itself would retry for two minutes.
        if (Date.now() > deadline) throw storeUnavailable(new Error(`no commit after ${tries} attempts`));
        const { outcomes, writes } = await this.#plan(patches, session);
        if (writes.length > 0) await this.#records.bulkWrite(writes, { session, ordered: false });
        return outcomes;
      }, primaryAndMajority),
    );
  }

  async #plan(patches: readonly RecordPatch[], session?: ClientSession): Promise<MergePlan> {
    const ids = [...new Set(patches.map(({ id }) => id))];
    const byId = new Map<string, Merging>(ids.map((id) => [id, { exists: false, stored: null, merged: null }]));
    const options = { projection: recordProjection, batchSize: ids.length + 1, ...(session && { session }) };
    for (const document of await this.#records.find({ _id: { $in: ids } }, options).toArray()) {
      const read = readDocument(document);
      const stored = 'record' in read ? read.record : null;
      byId.set(document._id, { exists: true, stored, merged: stored });
    }
    const now = new Date();
    const outcomes = patches.map((patch) => {
      const merging = byId.get(patch.id) as Merging;
      const result = mergeRecord(merging.merged, patch, now);
      if ('record' in result) merging.merged = result.record;
      return result.outcome;
    });
    const writes = [...byId.values()].flatMap(({ exists, stored, merged }) => {
      if (merged === null || merged === stored) return [];
      return exists ? change(stored, merged) : insertion(merged);
    });
    return { outcomes, writes };
  }

  async #removeWhere(filter: Document): Promise<number> {
    return runOnMongo(async () => (await this.#records.deleteMany(filter)).deletedCount);
  }
}

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
