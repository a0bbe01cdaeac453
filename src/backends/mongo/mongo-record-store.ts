import type { AnyBulkWriteOperation, ClientSession, Collection, MongoClient, UpdateFilter } from 'mongodb';
import type { RecordChange, Transition } from '#domain/changes/record-change.ts';
import { type Reversal, revertChange } from '#domain/changes/revert-change.ts';
import { isKnown } from '#domain/fields.ts';
import type { MediaRecord, RecordPatch } from '#domain/media-record.ts';
import { mergeRecord } from '#domain/merge-record.ts';
import type { RecordStore, SaveOutcome } from '#ports/record-store.ts';
import { beginsWith } from './collection-store.ts';
import { primaryAndMajority } from './connect-mongo.ts';
import type { MongoChangeWriter } from './mongo-change-writer.ts';
import { isBrokenConnection, isDuplicateKey, runOnMongo, storeUnavailable } from './mongo-faults.ts';
import type { MongoRecordSource, RecordState } from './mongo-record-source.ts';
import { type RecordDocument, readDocument, recordProjection } from './read-document.ts';

/**
 * How often a merge starts over because others insert the same new records at the same time, or because a connection
 * broke.
 */
const maxRaces = 10;
/** Documents that are read at a time. */
const pageSize = 500;
/** How long a merge keeps retrying while the server is down, in milliseconds. */
const mergeTimeoutMs = 30_000;
/** Records deleted in one transaction. */
const removedAtOnce = 1_000;

/** What is known about one id while a batch is worked on. */
interface Standing {
  id: string;
  /** Whether a document exists, valid record or not. */
  exists: boolean;
  stored: MediaRecord | null;
  /** What it is to be; null for no record. */
  next: MediaRecord | null;
  /** Whether the document is to go even if it is no record. */
  isGone?: boolean;
}

/** Decides about one record after the other: each sees what became of the ones before. */
type Decision<Item, Result> = (item: Item, standing: Standing, now: Date) => Result;

/** The records in a MongoDB collection, which other tools write to as well. */
export class MongoRecordStore implements RecordStore {
  readonly #client: MongoClient;
  readonly #records: Collection<RecordDocument>;
  readonly #changes: MongoChangeWriter;

  readonly #source: Pick<MongoRecordSource, 'readRange'>;

  constructor(
    client: MongoClient,
    records: Collection<RecordDocument>,
    changes: MongoChangeWriter,
    source: Pick<MongoRecordSource, 'readRange'>,
  ) {
    this.#client = client;
    this.#records = records;
    this.#changes = changes;
    this.#source = source;
  }

  merge(patches: readonly RecordPatch[], changeSet?: string): Promise<SaveOutcome[]> {
    return this.#change(patches, decideMerge, changeSet);
  }

  preview(patches: readonly RecordPatch[]): Promise<SaveOutcome[]> {
    return this.#preview(patches, decideMerge);
  }

  async find(id: string): Promise<MediaRecord | null> {
    return runOnMongo(async () => {
      const document = await this.#records.findOne({ _id: id }, { projection: recordProjection });
      const read = document && readDocument(document);
      return read && 'record' in read ? read.record : null;
    });
  }

  async remove(ids: readonly string[], changeSet?: string): Promise<number> {
    let removed = 0;
    for (const batch of inBatches([...new Set(ids)])) {
      const items = batch.map((id) => ({ id }));
      removed += (await this.#change(items, decideRemoval, changeSet)).filter(Boolean).length;
    }
    return removed;
  }

  async removeByIdPrefix(prefix: string, changeSet?: string): Promise<number> {
    const options = { projection: { _id: 1 } } as const;
    const found = () => this.#records.find({ _id: beginsWith(prefix) }, options).toArray();
    const ids = (await runOnMongo(found)).map(({ _id }) => _id);
    return this.remove(ids, changeSet);
  }

  revert(changes: readonly RecordChange[], changeSet: string): Promise<Reversal[]> {
    return this.#change(changes, decideReversal, changeSet);
  }

  previewRevert(changes: readonly RecordChange[]): Promise<Reversal[]> {
    return this.#preview(changes, decideReversal);
  }

  async count(): Promise<number> {
    return runOnMongo(() => this.#records.countDocuments({ _id: { $gte: '' } }));
  }

  async *readAll(): AsyncGenerator<readonly MediaRecord[]> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: ReadonlyMap<string, RecordState> = await this.#source.readRange({ after, upTo: null }, pageSize);
      const records = [...page.values()].flatMap((state) => ('record' in state ? [state.record] : []));
      if (records.length > 0) yield records;
      after = page.size < pageSize ? undefined : [...page.keys()].at(-1);
    }
  }

  /**
   * One transaction per batch: if another writer changes a document between the read and the commit, the server aborts
   * the transaction, which then starts over.
   */
  async #change<Item extends { id: string }, Result>(
    items: readonly Item[],
    decide: Decision<Item, Result>,
    changeSet: string | undefined,
  ): Promise<Result[]> {
    if (items.length === 0) return [];
    return runOnMongo(async () => {
      for (let races = 0; ; races += 1) {
        try {
          return await this.#changeOnce(items, decide, changeSet);
        } catch (error) {
          const canPass = isDuplicateKey(error) || isBrokenConnection(error);
          if (!canPass || races === maxRaces) throw error;
        }
      }
    });
  }

  async #changeOnce<Item extends { id: string }, Result>(
    items: readonly Item[],
    decide: Decision<Item, Result>,
    changeSet: string | undefined,
  ): Promise<Result[]> {
    const deadline = Date.now() + mergeTimeoutMs;
    let tries = 0;
    return this.#client.withSession((session) =>
      session.withTransaction(async () => {
        tries += 1;
        // The driver itself would retry for two minutes.
        if (Date.now() > deadline) throw storeUnavailable(new Error(`no commit after ${tries} attempts`));
        const at = new Date();
        const { results, standings } = await this.#plan(items, decide, { at, session });
        const writes = standings.flatMap(writesFor);
        if (writes.length > 0) await this.#records.bulkWrite(writes, { session, ordered: false });
        if (changeSet !== undefined) {
          await this.#changes.write(changeSet, standings.flatMap(transitionOf), { at, session });
        }
        return results;
      }, primaryAndMajority),
    );
  }

  async #preview<Item extends { id: string }, Result>(
    items: readonly Item[],
    decide: Decision<Item, Result>,
  ): Promise<Result[]> {
    if (items.length === 0) return [];
    return runOnMongo(async () => (await this.#plan(items, decide, { at: new Date() })).results);
  }

  async #plan<Item extends { id: string }, Result>(
    items: readonly Item[],
    decide: Decision<Item, Result>,
    { at, session }: { at: Date; session?: ClientSession },
  ): Promise<{ results: Result[]; standings: Standing[] }> {
    const ids = [...new Set(items.map(({ id }) => id))];
    const byId = new Map<string, Standing>(ids.map((id) => [id, { id, exists: false, stored: null, next: null }]));
    const options = { projection: recordProjection, batchSize: ids.length + 1, ...(session && { session }) };
    for (const document of await this.#records.find({ _id: { $in: ids } }, options).toArray()) {
      const read = readDocument(document);
      const stored = 'record' in read ? read.record : null;
      byId.set(document._id, { id: document._id, exists: true, stored, next: stored });
    }
    const results = items.map((item) => decide(item, byId.get(item.id) as Standing, at));
    return { results, standings: [...byId.values()] };
  }
}

const decideMerge: Decision<RecordPatch, SaveOutcome> = (patch, standing, now) => {
  const result = mergeRecord(standing.next, patch, now);
  if ('record' in result) standing.next = result.record;
  return result.outcome;
};

const decideReversal: Decision<RecordChange, Reversal> = (change, standing, now) => {
  const reversal = revertChange(standing.next, change, now);
  standing.next = reversal.record;
  return reversal;
};

/** Whether there was something to remove. */
const decideRemoval: Decision<{ id: string }, boolean> = (_, standing) => {
  standing.isGone = true;
  standing.next = null;
  return standing.exists;
};

function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += removedAtOnce) yield items.slice(start, start + removedAtOnce);
}

/** What is to be written for an id; a document that is no record stays unless it is removed by its id. */
function writesFor({ id, exists, stored, next, isGone }: Standing): Write[] {
  if (next === null) return exists && (stored !== null || isGone) ? [{ deleteOne: { filter: { _id: id } } }] : [];
  if (next === stored) return [];
  return exists ? change(stored, next) : insertion(next);
}

function transitionOf({ id, exists, stored: before, next: after }: Standing): Transition[] {
  return before === after ? [] : [{ id, before, after, replacesUnreadable: exists && before === null }];
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
