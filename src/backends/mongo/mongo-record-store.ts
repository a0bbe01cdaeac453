import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, ClientSession, Collection, MongoClient, UpdateFilter } from 'mongodb';
import type { RecordChange } from '#records/changes/record-change.ts';
import type { Reversal } from '#records/changes/revert-change.ts';
import { isKnown } from '#records/fields.ts';
import { nameKeyOf } from '#records/identity.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import type { Amended, Amendment, MergedDuplicates, RecordStore, SaveOutcome } from '#records/record-store.ts';
import { suppressiblePart } from '#records/suppression.ts';
import {
  amendWork,
  isChanged,
  joinWork,
  mergedIdsOf,
  mergeWork,
  type RecordWork,
  removeWork,
  revertWork,
  type Standing,
  transitionOf,
} from '../record-work.ts';
import { beginsWith } from './collection-store.ts';
import { primaryAndMajority } from './connect-mongo.ts';
import type { MongoChangeLog } from './mongo-change-log.ts';
import { isBrokenConnection, isDuplicateKey, runOnMongo, storeUnavailable } from './mongo-faults.ts';
import type { MongoMergedIds } from './mongo-merged-ids.ts';
import type { MongoRecordSource, RecordState } from './mongo-record-source.ts';
import type { MongoSuppressionList } from './mongo-suppression-list.ts';
import { type RecordDocument, readDocument, recordProjection, timeOfTimeless } from './read-document.ts';

/**
 * How often a merge starts over because others insert the same new records at the same time, or because a connection
 * broke.
 */
const maxRaces = 10;
/** Documents that are read at a time. */
const pageSize = 500;
/**
 * How long a change keeps retrying, in milliseconds: longer than the minute for which a server keeps the transaction of a
 * killed process, which locks its records. So a killed command can be run again at once.
 */
const changeTimeoutMs = 75_000;
/** Records deleted in one transaction. */
const removedAtOnce = 1_000;

/** A change with its attempts. */
interface Step<Result> {
  id: string;
  /** What the last attempt wanted to return; null if none came so far. */
  tried: { result: Result } | null;
}

interface RecordStoreParts {
  changes: MongoChangeLog;
  mergedIds: MongoMergedIds;
  suppressions: Pick<MongoSuppressionList, 'checkOf'>;
  source: Pick<MongoRecordSource, 'readRange'>;
}

/** The records in a MongoDB collection, which other tools write to as well. */
export class MongoRecordStore implements RecordStore {
  readonly #client: MongoClient;
  readonly #records: Collection<RecordDocument>;
  readonly #changes: MongoChangeLog;
  readonly #mergedIds: MongoMergedIds;
  readonly #suppressions: Pick<MongoSuppressionList, 'checkOf'>;
  readonly #source: Pick<MongoRecordSource, 'readRange'>;

  constructor(
    client: MongoClient,
    records: Collection<RecordDocument>,
    { changes, mergedIds, suppressions, source }: RecordStoreParts,
  ) {
    this.#client = client;
    this.#records = records;
    this.#changes = changes;
    this.#mergedIds = mergedIds;
    this.#suppressions = suppressions;
    this.#source = source;
  }

  merge(patches: readonly RecordPatch[], changeSet?: string): Promise<SaveOutcome[]> {
    return this.#change(mergeWork(patches), changeSet);
  }

  preview(patches: readonly RecordPatch[]): Promise<SaveOutcome[]> {
    return this.#preview(mergeWork(patches));
  }

  amend(ids: readonly string[], amendment: Amendment, changeSet: string): Promise<Amended[]> {
    return this.#change(amendWork(ids, amendment), changeSet);
  }

  previewAmend(ids: readonly string[], amendment: Amendment): Promise<Amended[]> {
    return this.#preview(amendWork(ids, amendment));
  }

  async find(id: string): Promise<MediaRecord | null> {
    return runOnMongo(async () => {
      const document = await this.#records.findOne({ _id: id }, { projection: recordProjection });
      const read = document && readDocument(document);
      return read && 'record' in read ? read.record : null;
    });
  }

  async findAny(nameKeys: readonly number[], ids: readonly string[]): Promise<MediaRecord[]> {
    return runOnMongo(async () => {
      await this.#addNameKeys();
      const query = { $or: [{ name_key: { $in: [...nameKeys] } }, { _id: { $in: [...ids] } }] };
      const documents = await this.#records.find(query, { projection: recordProjection }).toArray();
      return documents.map(readDocument).flatMap((read) => ('record' in read ? [read.record] : []));
    });
  }

  /** Gives name keys to documents without one: of earlier versions, and of other tools. The index finds them. */
  async #addNameKeys(): Promise<void> {
    for (;;) {
      const query = { name_key: { $exists: false } };
      const found = await this.#records.find(query, { projection: recordProjection, limit: pageSize }).toArray();
      if (found.length === 0) return;
      const writes = found.map((document) => {
        const read = readDocument(document);
        // Of what is no record, none that a record has.
        const name_key = 'record' in read ? nameKeyOf(read.record.kind, read.record.name) : 0;
        return { updateOne: { filter: { _id: document._id, ...query }, update: { $set: { name_key } } } };
      });
      const { modifiedCount } = await this.#records.bulkWrite(writes, {
        ordered: false,
        bypassDocumentValidation: true,
      });
      // An id with invalid UTF-8 cannot be queried.
      if (modifiedCount === 0) return;
    }
  }

  async remove(ids: readonly string[], changeSet?: string): Promise<number> {
    let removed = 0;
    for (const batch of inBatches([...new Set(ids)])) {
      removed += await this.#change(removeWork(batch), changeSet);
    }
    return removed;
  }

  async removeByIdPrefix(prefix: string, changeSet?: string): Promise<number> {
    const options = { projection: { _id: 1 } } as const;
    const found = () => this.#records.find({ _id: beginsWith(prefix) }, options).toArray();
    const ids = (await runOnMongo(found)).map(({ _id }) => _id);
    return this.remove(ids, changeSet);
  }

  mergeDuplicates(keepId: string, otherIds: readonly string[], changeSet: string): Promise<MergedDuplicates> {
    return this.#change(joinWork(keepId, otherIds), changeSet);
  }

  revert(changes: readonly RecordChange[], changeSet: string): Promise<Reversal[]> {
    return this.#change(revertWork(changes), changeSet);
  }

  previewRevert(changes: readonly RecordChange[]): Promise<Reversal[]> {
    return this.#preview(revertWork(changes));
  }

  async count(): Promise<number> {
    return runOnMongo(() => this.#records.countDocuments({ _id: { $gte: '' } }));
  }

  async *readAll(onUnreadable: (count: number) => void = () => {}): AsyncGenerator<readonly MediaRecord[]> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: ReadonlyMap<string, RecordState> = await this.#source.readRange({ after, upTo: null }, pageSize);
      const records = [...page.values()].flatMap((state) => ('record' in state ? [state.record] : []));
      if (records.length > 0) yield records;
      if (records.length < page.size) onUnreadable(page.size - records.length);
      after = page.size < pageSize ? undefined : [...page.keys()].at(-1);
    }
  }

  /**
   * One transaction per batch: if another writer changes a document between the read and the commit, the server aborts
   * the transaction, which then starts over.
   */
  async #change<Result>(work: RecordWork<Result>, changeSet: string | undefined): Promise<Result> {
    if (work.ids.length === 0) return this.#preview(work);
    const step: Step<Result> = { id: randomUUID(), tried: null };
    return runOnMongo(async () => {
      for (let races = 0; ; races += 1) {
        try {
          return await this.#changeOnce(work, changeSet, step);
        } catch (error) {
          const canPass = isDuplicateKey(error) || isBrokenConnection(error);
          if (!canPass || races === maxRaces) throw error;
        }
      }
    });
  }

  async #changeOnce<Result>(
    work: RecordWork<Result>,
    changeSet: string | undefined,
    step: Step<Result>,
  ): Promise<Result> {
    const deadline = Date.now() + changeTimeoutMs;
    let tries = 0;
    return this.#client.withSession((session) =>
      session.withTransaction(async () => {
        tries += 1;
        // The driver itself would retry for two minutes.
        if (Date.now() > deadline) throw storeUnavailable(new Error(`no commit after ${tries} attempts`));
        if (changeSet !== undefined && step.tried !== null) {
          // A connection can break after the commit.
          if (await this.#changes.isLastStep(changeSet, step.id, session)) return step.tried.result;
        }
        const at = new Date();
        const { result, standings } = await this.#plan(work, { at, session });
        const writes = standings.filter(isChanged).flatMap(writesFor);
        if (writes.length > 0) await this.#records.bulkWrite(writes, { session, ordered: false });
        if (changeSet !== undefined) {
          await this.#changes.write(changeSet, standings.flatMap(transitionOf), { at, session, step: step.id });
          await this.#mergedIds.add(mergedIdsOf(standings, changeSet, at), session);
        }
        const back = standings.filter(({ comesBack }) => comesBack).map(({ id }) => id);
        await this.#mergedIds.release(back, session);
        step.tried = { result };
        return result;
      }, primaryAndMajority),
    );
  }

  #preview<Result>(work: RecordWork<Result>): Promise<Result> {
    return runOnMongo(async () => (await this.#plan(work, { at: new Date() })).result);
  }

  async #plan<Result>(
    { ids, patches, decide }: RecordWork<Result>,
    { at, session }: { at: Date; session?: ClientSession },
  ): Promise<{ result: Result; standings: Standing[] }> {
    const standings = await this.#readStandings(ids, session);
    const missing = patches ? [...standings.values()].filter(({ exists }) => !exists).map(({ id }) => id) : [];
    const leads = missing.length === 0 ? new Map() : await this.#mergedIds.resolve(missing, session);
    const redirected = patches?.filter(({ id }) => leads.has(id)) ?? [];
    const isHidden = await this.#suppressions.checkOf(redirected.map(suppressiblePart), session);
    for (const [id, standing] of await this.#readStandings([...leads.values()], session)) {
      if (!standings.has(id)) standings.set(id, standing);
    }
    const kept = patches ? await this.#mergedIds.keptOf([...standings.keys()], session) : new Set<string>();
    const result = decide({
      now: at,
      standingOf: (id) => standings.get(leads.get(id) ?? id) as Standing,
      isHidden,
      isKept: (id) => kept.has(id),
    });
    return { result, standings: [...standings.values()] };
  }

  async #readStandings(given: readonly string[], session?: ClientSession): Promise<Map<string, Standing>> {
    const ids = [...new Set(given)];
    const byId = new Map<string, Standing>(ids.map((id) => [id, { id, exists: false, stored: null, next: null }]));
    if (ids.length === 0) return byId;
    const options = { projection: recordProjection, batchSize: ids.length + 1, ...(session && { session }) };
    for (const document of await this.#records.find({ _id: { $in: ids } }, options).toArray()) {
      const read = readDocument(document);
      const stored = 'record' in read ? read.record : null;
      byId.set(document._id, { id: document._id, exists: true, stored, next: stored });
    }
    return byId;
  }
}

function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += removedAtOnce) yield items.slice(start, start + removedAtOnce);
}

function writesFor({ id, exists, stored, next }: Standing): Write[] {
  if (next === null) return [{ deleteOne: { filter: { _id: id } } }];
  return exists ? change(stored, next) : insertion(next);
}

type Write = AnyBulkWriteOperation<RecordDocument>;

/** The record as a new document, without unknown fields. */
export function insertion({ id, ...fields }: MediaRecord): Write[] {
  const known = Object.entries(fields).filter(([key, value]) => isWritten(key, value));
  return [
    {
      insertOne: { document: { _id: id, ...Object.fromEntries(known), name_key: nameKeyOf(fields.kind, fields.name) } },
    },
  ];
}

function isWritten(key: string, value: unknown): boolean {
  return isKnown(value) && !(key === 'updated_at' && value === timeOfTimeless);
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
    if (isWritten(key, value)) set[key] = value;
    else if (isKnown(before)) unset[key] = '';
  }
  if ('kind' in set || 'name' in set) set.name_key = nameKeyOf(merged.kind, merged.name);
  const update: UpdateFilter<RecordDocument> = {};
  if (Object.keys(set).length > 0) update.$set = set;
  if (Object.keys(unset).length > 0) update.$unset = unset;
  return Object.keys(update).length === 0 ? [] : [{ updateOne: { filter: { _id: id }, update } }];
}
