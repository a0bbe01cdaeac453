import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, ClientSession, Collection, MongoClient, UpdateFilter } from 'mongodb';
import type { RecordChange, Transition } from '#records/changes/record-change.ts';
import { type Reversal, revertChange, takenOutOf } from '#records/changes/revert-change.ts';
import { joinRecords } from '#records/duplicates/join-records.ts';
import { mergePatches } from '#records/duplicates/merge-patches.ts';
import { isKnown } from '#records/fields.ts';
import { nameKeyOf } from '#records/identity.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { amendRecord, mergeRecord } from '#records/merge-record.ts';
import type { Amended, Amendment, MergedDuplicates, RecordStore, SaveOutcome } from '#records/record-store.ts';
import { type Suppressible, suppressiblePart } from '#records/suppression.ts';
import { beginsWith } from './collection-store.ts';
import { primaryAndMajority } from './connect-mongo.ts';
import type { MongoChangeWriter } from './mongo-change-writer.ts';
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

/** What is known about one id while a batch is worked on. */
interface Standing {
  id: string;
  /** Whether a document exists, valid record or not. */
  exists: boolean;
  stored: MediaRecord | null;
  /** What it is to be; null for no record. */
  next: MediaRecord | null;
  /** Whether the document is to go even if it is not a record. */
  isGone?: boolean;
  /** The record that it is merged into, or taken out of. */
  kept?: string | undefined;
}

/** What is done in one transaction: of which records, and what becomes of them. */
interface Work<Result> {
  ids: readonly string[];
  /** Patches, where the id of a merged record stands for the kept one. */
  patches?: readonly RecordPatch[];
  /** Changes the standings of its records; each step sees what the ones before made of them. */
  decide(
    standingOf: (id: string) => Standing,
    context: { now: Date; isHidden: (patch: Suppressible) => boolean; isKept: (id: string) => boolean },
  ): Result;
  /** Writes what belongs to the records, in their transaction. */
  alsoWrite?(result: Result, now: Date, session: ClientSession): Promise<void>;
}

/** A change with its attempts. */
interface Step<Result> {
  id: string;
  /** What the last attempt wanted to return; null if none came so far. */
  tried: { result: Result } | null;
}

interface RecordStoreParts {
  changes: MongoChangeWriter;
  mergedIds: MongoMergedIds;
  suppressions: Pick<MongoSuppressionList, 'checkOf'>;
  source: Pick<MongoRecordSource, 'readRange'>;
}

/** The records in a MongoDB collection, which other tools write to as well. */
export class MongoRecordStore implements RecordStore {
  readonly #client: MongoClient;
  readonly #records: Collection<RecordDocument>;
  readonly #changes: MongoChangeWriter;
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
    return this.#change(workOfMerge(patches), changeSet);
  }

  preview(patches: readonly RecordPatch[]): Promise<SaveOutcome[]> {
    return this.#preview(workOfMerge(patches));
  }

  amend(ids: readonly string[], amendment: Amendment, changeSet: string): Promise<Amended[]> {
    return this.#change(workOfAmendment(ids, amendment), changeSet);
  }

  previewAmend(ids: readonly string[], amendment: Amendment): Promise<Amended[]> {
    return this.#preview(workOfAmendment(ids, amendment));
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
      removed += (await this.#change(workOfRemoval(batch), changeSet)).filter(Boolean).length;
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
    return this.#change(
      {
        ...workOfJoining(keepId, otherIds),
        alsoWrite: async (result, now, session) => {
          if ('missing' in result) return;
          const mergedAt = now.toISOString();
          const merged = otherIds.map((id) => ({ id, keptId: keepId, changeSet, mergedAt }));
          await this.#mergedIds.add(merged, keepId, session);
        },
      },
      changeSet,
    );
  }

  revert(changes: readonly RecordChange[], changeSet: string): Promise<Reversal[]> {
    return this.#change(
      {
        ...workOfReversal(changes),
        alsoWrite: async (reversals, _, session) => {
          const back = changes.filter((_, place) => reversals[place]?.outcome === 'recreated');
          await this.#mergedIds.release(
            back.map(({ id }) => id),
            session,
          );
        },
      },
      changeSet,
    );
  }

  previewRevert(changes: readonly RecordChange[]): Promise<Reversal[]> {
    return this.#preview(workOfReversal(changes));
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
  async #change<Result>(work: Work<Result>, changeSet: string | undefined): Promise<Result> {
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

  async #changeOnce<Result>(work: Work<Result>, changeSet: string | undefined, step: Step<Result>): Promise<Result> {
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
        const writes = standings.flatMap(writesFor);
        if (writes.length > 0) await this.#records.bulkWrite(writes, { session, ordered: false });
        if (changeSet !== undefined) {
          await this.#changes.write(changeSet, standings.flatMap(transitionOf), { at, session, step: step.id });
        }
        await work.alsoWrite?.(result, at, session);
        step.tried = { result };
        return result;
      }, primaryAndMajority),
    );
  }

  #preview<Result>(work: Work<Result>): Promise<Result> {
    return runOnMongo(async () => (await this.#plan(work, { at: new Date() })).result);
  }

  async #plan<Result>(
    { ids, patches, decide }: Work<Result>,
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
    const context = { now: at, isHidden, isKept: (id: string) => kept.has(id) };
    const result = decide((id) => standings.get(leads.get(id) ?? id) as Standing, context);
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

function workOfMerge(patches: readonly RecordPatch[]): Work<SaveOutcome[]> {
  return {
    ids: patches.map(({ id }) => id),
    patches,
    decide: (standingOf, { now, isHidden, isKept }) => {
      const outcomes = new Map<RecordPatch, SaveOutcome>();
      for (const [standing, own] of Map.groupBy(patches, ({ id }) => standingOf(id))) {
        const merged = mergePatches(standing.next, standing.id, own, { now, isHidden, isKept: isKept(standing.id) });
        standing.next = merged.record;
        for (const [place, patch] of own.entries()) outcomes.set(patch, merged.outcomes[place] as SaveOutcome);
      }
      return patches.map((patch) => outcomes.get(patch) as SaveOutcome);
    },
  };
}

function workOfAmendment(ids: readonly string[], amendment: Amendment): Work<Amended[]> {
  return {
    ids,
    decide: (standingOf, { now }) =>
      [...new Set(ids)].flatMap((id) => {
        const standing = standingOf(id);
        const { stored } = standing;
        if (stored === null) return [];
        standing.next = amendRecord(stored, amendment(stored), now);
        return [{ before: stored, after: standing.next }];
      }),
  };
}

function workOfReversal(changes: readonly RecordChange[]): Work<Reversal[]> {
  return {
    ids: changes.map(({ id }) => id),
    decide: (standingOf, { now }) =>
      changes.map((change) => {
        const standing = standingOf(change.id);
        const reversal = revertChange(standing.next, change, now);
        standing.next = reversal.record;
        standing.kept ??= takenOutOf(change, reversal);
        return reversal;
      }),
  };
}

/** Returns whether there was something to remove. */
function workOfRemoval(ids: readonly string[]): Work<boolean[]> {
  return {
    ids,
    decide: (standingOf) =>
      ids.map((id) => {
        const standing = standingOf(id);
        standing.isGone = true;
        standing.next = null;
        return standing.exists;
      }),
  };
}

function workOfJoining(keepId: string, otherIds: readonly string[]): Work<MergedDuplicates> {
  return {
    ids: [keepId, ...otherIds],
    decide(standingOf, { now }) {
      const [kept, ...gone] = [keepId, ...otherIds].map(standingOf);
      const others = gone.flatMap(({ stored }) => stored ?? []);
      if (!kept?.stored || others.length < gone.length) {
        return { missing: [keepId, ...otherIds].filter((id) => standingOf(id).stored === null) };
      }
      const result = mergeRecord(kept.stored, joinRecords(kept.stored, others), now);
      if ('record' in result) kept.next = result.record;
      for (const standing of gone) {
        standing.next = null;
        standing.kept = keepId;
      }
      return { record: kept.next ?? kept.stored };
    },
  };
}

function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += removedAtOnce) yield items.slice(start, start + removedAtOnce);
}

/** What is to be written for an id; a document that is not a record stays unless it is removed by its id. */
function writesFor({ id, exists, stored, next, isGone }: Standing): Write[] {
  if (next === null) return exists && (stored !== null || isGone) ? [{ deleteOne: { filter: { _id: id } } }] : [];
  if (next === stored) return [];
  return exists ? change(stored, next) : insertion(next);
}

function transitionOf({ id, exists, stored: before, next: after, kept }: Standing): Transition[] {
  return before === after ? [] : [{ id, before, after, kept, replacesUnreadable: exists && before === null }];
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
