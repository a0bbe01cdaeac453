import type { ClientSession, Collection, Filter, FindOptions, MongoClient } from 'mongodb';
import { timeless } from '#records/fields.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import type { OnContacts, RecordStore, SaveOutcome } from '#records/record-store.ts';
import { type Suppressible, withoutSuppressed } from '#records/suppression.ts';
import {
  isChanged,
  mergedIdsOf,
  mergeWork,
  type RecordWork,
  RecordWorker,
  type Standing,
  transitionOf,
} from '../record-work.ts';
import { beginsWith, transact } from './collection-store.ts';
import type { MongoChangeLog } from './mongo-change-log.ts';
import { runOnMongo } from './mongo-faults.ts';
import type { MongoMergedIds } from './mongo-merged-ids.ts';
import type { MongoRecordSource } from './mongo-record-source.ts';
import type { MongoSuppressionList } from './mongo-suppression-list.ts';
import { inAnyCase } from './prepare-collections.ts';
import { type RecordDocument, readDocument, recordProjection } from './read-document.ts';
import { change, findableBy, insertion, type Write } from './write-document.ts';

const pageSize = 500;
/** Longer than the minute for which a killed process locks its records, so its command can be run again at once. */
const changeTimeoutMs = 75_000;

interface RecordStoreParts {
  changes: MongoChangeLog;
  mergedIds: MongoMergedIds;
  suppressions: Pick<MongoSuppressionList, 'keysOf' | 'addFollowing' | 'handOnPeople'>;
  source: Pick<MongoRecordSource, 'readPages' | 'earlier'>;
}

/** The records in a MongoDB collection, which other tools write to as well. */
export class MongoRecordStore extends RecordWorker implements RecordStore {
  readonly #client: MongoClient;
  readonly #records: Collection<RecordDocument>;
  readonly #parts: RecordStoreParts;

  constructor(client: MongoClient, records: Collection<RecordDocument>, parts: RecordStoreParts) {
    super();
    this.#client = client;
    this.#records = records;
    this.#parts = parts;
  }

  merge(patches: readonly RecordPatch[], changeSet?: string, onContacts?: OnContacts): Promise<SaveOutcome[]> {
    return this.change(mergeWork(patches, { onContacts }), changeSet);
  }

  async find(id: string): Promise<MediaRecord | null> {
    return (await runOnMongo(() => this.#findRecords({ _id: id })))[0] ?? null;
  }

  async findAny(nameKeys: readonly number[], ids: readonly string[]): Promise<MediaRecord[]> {
    return runOnMongo(async () => {
      await this.#addNameKeys();
      const query = { $or: [{ name_key: { $in: [...nameKeys] } }, { _id: { $in: [...ids] } }] };
      return this.#findRecords(query);
    });
  }

  async findByAddresses(addresses: readonly string[]): Promise<MediaRecord[]> {
    if (addresses.length === 0) return [];
    const oneOf = { $in: [...addresses] };
    const query = { $or: [{ 'contacts.email': oneOf }, { email: oneOf }] };
    return runOnMongo(() => this.#findRecords(query, { collation: inAnyCase }));
  }

  async #findRecords(query: Filter<RecordDocument>, options: FindOptions = {}): Promise<MediaRecord[]> {
    const documents = await this.#find(query, options);
    return documents.map(readDocument).flatMap((content) => ('record' in content ? [content.record] : []));
  }

  async #find(query: Filter<RecordDocument>, options: FindOptions = {}): Promise<RecordDocument[]> {
    const documents = await this.#records.find(query, { ...options, projection: recordProjection }).toArray();
    return this.#parts.source.earlier.renew(documents, options);
  }

  /** Gives name keys to documents without one: of earlier versions, and of other tools. The index finds them. */
  async #addNameKeys(): Promise<void> {
    for (;;) {
      const query = { name_key: { $exists: false } };
      const documents = await this.#find(query, { limit: pageSize });
      if (documents.length === 0) return;
      const writes = documents.map((document) => {
        const content = readDocument(document);
        // What is not a record gets a key that no record has.
        const keys = 'record' in content ? findableBy(content.record) : { name_key: 0 };
        return { updateOne: { filter: { _id: document._id, ...query }, update: { $set: keys } } };
      });
      const { modifiedCount } = await this.#records.bulkWrite(writes, { ordered: false });
      // An id with invalid UTF-8 cannot be queried.
      if (modifiedCount === 0) return;
    }
  }

  protected async listIds(prefix: string): Promise<string[]> {
    const options = { projection: { _id: 1 } } as const;
    const readIds = () => this.#records.find({ _id: beginsWith(prefix) }, options).toArray();
    return (await runOnMongo(readIds)).map(({ _id }) => _id);
  }

  async count(): Promise<number> {
    return runOnMongo(() => this.#records.countDocuments({ _id: { $gte: '' } }));
  }

  async *readAll(onUnreadable: (count: number) => void = () => {}): AsyncGenerator<readonly MediaRecord[]> {
    for await (const { states } of this.#parts.source.readPages({ after: '', upTo: null })) {
      const records = [...states.values()].flatMap((state) => ('record' in state ? [state.record] : []));
      if (records.length > 0) yield records;
      if (records.length < states.size) onUnreadable(states.size - records.length);
    }
  }

  /** If another writer changes a document before the commit, the server aborts the transaction, which starts over. */
  protected async change<Result>(work: RecordWork<Result>, changeSet: string | undefined): Promise<Result> {
    if (work.ids.length === 0) return this.plan(work);
    const options = { timeoutMs: changeTimeoutMs, isRepeatable: true };
    return transact(this.#client, (session) => this.#changeOnce(work, changeSet, session), options);
  }

  async #changeOnce<Result>(work: RecordWork<Result>, changeSet: string | undefined, session: ClientSession) {
    const { changes, mergedIds, suppressions } = this.#parts;
    const at = new Date();
    const { result, standings, following, suppressed } = await this.#plan(work, { at, session });
    const newMergedIds = changeSet === undefined ? [] : mergedIdsOf(standings, changeSet, at);
    // First, so that whoever follows the changes knows of them when the records come.
    await suppressions.addFollowing(following, at, session);
    for (const { id, keptId } of newMergedIds) await suppressions.handOnPeople(id, keptId, at, session);
    const visiblePart = (record: MediaRecord) => withoutSuppressed(record, suppressed) ?? record;
    const writes = standings.filter(isChanged).flatMap((standing) => writesFor(standing, visiblePart));
    if (writes.length > 0) await this.#records.bulkWrite(writes, { session, ordered: false });
    if (changeSet !== undefined) {
      await changes.write(changeSet, standings.flatMap(transitionOf), { at, session });
      await mergedIds.add(newMergedIds, session);
    }
    const back = standings.filter(({ comesBack }) => comesBack).map(({ id }) => id);
    await mergedIds.release(back, session);
    return result;
  }

  protected plan<Result>(work: RecordWork<Result>): Promise<Result> {
    return runOnMongo(async () => (await this.#plan(work, { at: new Date() })).result);
  }

  async #plan<Result>(
    { ids, patches, decide }: RecordWork<Result>,
    { at, session }: { at: Date; session?: ClientSession },
  ): Promise<{
    result: Result;
    standings: Standing[];
    following: ReadonlyMap<string, string>;
    suppressed: ReadonlySet<string>;
  }> {
    const standings = await this.#readStandings(ids, at, session);
    const missing = patches ? [...standings.values()].filter(({ exists }) => !exists).map(({ id }) => id) : [];
    const leads = missing.length === 0 ? new Map() : await this.#parts.mergedIds.resolve(missing, session);
    for (const [id, standing] of await this.#readStandings([...leads.values()], at, session)) {
      if (!standings.has(id)) standings.set(id, standing);
    }
    const keptIds = patches ? await this.#parts.mergedIds.keptOf([...standings.keys()], session) : new Set<string>();
    const suppressed = await this.#parts.suppressions.keysOf(listMentioned(patches ?? [], standings, leads), session);
    const following = new Map<string, string>();
    const result = decide({
      now: at,
      standingOf: (id) => standings.get(leads.get(id) ?? id) as Standing,
      suppressedKeys: () => suppressed,
      suppressAlso: (more) => {
        for (const [key, cause] of more) if (!following.has(key)) following.set(key, cause);
      },
      isKept: (id) => keptIds.has(id),
    });
    return { result, standings: [...standings.values()], following, suppressed };
  }

  async #readStandings(
    recordIds: readonly string[],
    at: Date,
    session?: ClientSession,
  ): Promise<Map<string, Standing>> {
    const ids = [...new Set(recordIds)];
    const byId = new Map<string, Standing>(ids.map((id) => [id, { id, exists: false, stored: null, next: null }]));
    if (ids.length === 0) return byId;
    const options = { batchSize: ids.length + 1, ...(session && { session }) };
    for (const document of await this.#find({ _id: { $in: ids } }, options)) {
      const content = readDocument(document);
      const stored = 'record' in content ? createdBy(at, content.record) : null;
      byId.set(document._id, { id: document._id, exists: true, stored, next: stored });
    }
    return byId;
  }
}

/** What patches say and what is stored of their records; of a merged id, also as of the kept record. */
function listMentioned(
  patches: readonly RecordPatch[],
  standings: ReadonlyMap<string, Standing>,
  leads: ReadonlyMap<string, string>,
): Suppressible[] {
  const redirected = patches.map((patch) => ({ ...patch, id: leads.get(patch.id) ?? patch.id }));
  const stored = [...standings.values()].flatMap((standing) => standing.stored ?? []);
  return [...patches, ...redirected, ...stored];
}

/** A record that another tool wrote came in by now, if nothing says when. */
function createdBy(at: Date, record: MediaRecord): MediaRecord {
  return record.created_at === timeless ? { ...record, created_at: at.toISOString() } : record;
}

function writesFor({ id, exists, stored, next }: Standing, visiblePart: (record: MediaRecord) => MediaRecord): Write[] {
  if (next === null) return [{ deleteOne: { filter: { _id: id } } }];
  return exists ? change(stored, next, visiblePart(next)) : insertion(next, visiblePart(next));
}
