import type { AnyBulkWriteOperation, ClientSession, Collection, MongoClient } from 'mongodb';
import type { ChangeSet, NewChangeSet } from '#records/changes/change-set.ts';
import {
  type LoggedChange,
  planLog,
  planRewrite,
  type RecordChange,
  type RewriteChange,
  readStoredChange,
  type Transition,
} from '#records/changes/record-change.ts';
import { type ChangeLog, changesAPage } from '#records/record-store.ts';
import { beginsWith, CollectionStore, transact } from './collection-store.ts';
import { runOnMongo } from './mongo-faults.ts';

export interface ChangeSetDocument extends Omit<ChangeSet, 'id' | 'startedAt' | 'endedAt'> {
  _id: string;
  started_at: string;
  ended_at: string | null;
}

/** A change; its id is that of its change set, a space, and that of the record, so that each pair has one. */
export interface ChangeDocument {
  _id: string;
  record_id: string;
  at: Date;
  /** RecordChange without the record's id. */
  change: object;
}

/** Brings what earlier versions noted of records to this version's form (EarlierRecords). */
interface RenewsRecords {
  /** Returns whether there was anything to renew. */
  renewIds(recordIds: readonly string[]): Promise<boolean>;
}

export class MongoChangeLog extends CollectionStore<ChangeSetDocument> implements ChangeLog {
  readonly #client: MongoClient;
  readonly #changes: Collection<ChangeDocument>;
  readonly #earlier: RenewsRecords;

  constructor(
    client: MongoClient,
    { changeSets, changes }: { changeSets: Collection<ChangeSetDocument>; changes: Collection<ChangeDocument> },
    earlier: RenewsRecords,
  ) {
    super(changeSets);
    this.#client = client;
    this.#changes = changes;
    this.#earlier = earlier;
  }

  async begin({ id, startedAt, ...changeSet }: NewChangeSet): Promise<void> {
    const nothing = { ended_at: null, files: [], counts: {}, changes: 0, bytes: 0 };
    await this.run((sets) => sets.insertOne({ _id: id, started_at: startedAt, ...changeSet, ...nothing }));
  }

  async end(id: string, { endedAt, files, counts }: Parameters<ChangeLog['end']>[1]): Promise<void> {
    const update = { $set: { ended_at: endedAt, files, counts } };
    await this.run((sets) => sets.updateOne({ _id: id }, update));
  }

  async find(id: string): Promise<ChangeSet | null> {
    const document = await this.run((sets) => sets.findOne({ _id: id }));
    return document && readSet(document);
  }

  async list(limit = 0): Promise<ChangeSet[]> {
    const newestFirst = { sort: { started_at: -1, _id: -1 }, limit } as const;
    return (await this.run((sets) => sets.find({}, newestFirst).toArray())).map(readSet);
  }

  async *readChanges(id: string): AsyncGenerator<LoggedChange[]> {
    const ofSet = beginsWith(`${id} `);
    for (let last = ''; ; ) {
      const page = { _id: { ...ofSet, $gt: last } };
      const readPage = () => this.#changes.find(page).sort({ _id: 1 }).limit(changesAPage).toArray();
      const documents = await runOnMongo(async () => {
        const first = await readPage();
        const isRenewed = await this.#earlier.renewIds(first.map(({ record_id }) => record_id));
        return isRenewed ? readPage() : first;
      });
      if (documents.length === 0) return;
      yield documents.map(readChange);
      last = documents.at(-1)?._id ?? last;
    }
  }

  async listChangesOf(recordId: string, limit: number): Promise<LoggedChange[]> {
    const newestFirst = { at: -1, _id: -1 } as const;
    const readChanges = () => this.#changes.find({ record_id: recordId }).sort(newestFirst).limit(limit).toArray();
    return (await runOnMongo(readChanges)).map(readChange);
  }

  /** Notes what became of records, each at most once, in the transaction that changes them. A change set keeps one change for each. */
  async write(
    changeSet: string,
    transitions: readonly Transition[],
    { at, session }: { at: Date; session: ClientSession },
  ): Promise<void> {
    if (transitions.length === 0) return;
    const keys = transitions.map(({ id }) => changeKey(changeSet, id));
    const storedChanges = await this.#changes
      .find({ _id: { $in: keys } }, { session, batchSize: keys.length + 1 })
      .toArray();
    const earlier = new Map(storedChanges.map((document) => [document.record_id, readRecordChange(document)]));
    const { saved, dropped, added } = planLog(transitions, earlier);
    const writes: AnyBulkWriteOperation<ChangeDocument>[] = saved.map(({ id, ...change }) => {
      const _id = changeKey(changeSet, id);
      if (earlier.has(id)) return { updateOne: { filter: { _id }, update: { $set: { at, change } } } };
      return { insertOne: { document: { _id, record_id: id, at, change } } };
    });
    for (const id of dropped) writes.push({ deleteOne: { filter: { _id: changeKey(changeSet, id) } } });
    if (writes.length === 0) return;
    await this.#changes.bulkWrite(writes, { session, ordered: false });
    const { matchedCount } = await this.collection.updateOne({ _id: changeSet }, { $inc: added }, { session });
    if (matchedCount === 0) throw new Error(`the change log has no change set ${changeSet}`);
  }

  async rewrite(recordIds: readonly string[], rewrite: RewriteChange): Promise<void> {
    for (let last = ''; ; ) {
      const page = { record_id: { $in: [...recordIds] }, _id: { $gt: last } };
      const documents = await transact(this.#client, async (session) => {
        const onPage = await this.#changes.find(page, { session }).sort({ _id: 1 }).limit(changesAPage).toArray();
        for (const document of onPage) await this.#rewriteOne(document, rewrite, session);
        return onPage;
      });
      if (documents.length === 0) return;
      last = documents.at(-1)?._id ?? last;
    }
  }

  async #rewriteOne(document: ChangeDocument, rewrite: RewriteChange, session: ClientSession): Promise<void> {
    const { _id, record_id: id, change } = document;
    const plan = planRewrite({ id, ...change } as RecordChange, rewrite);
    if (plan === null) return;
    await this.collection.updateOne({ _id: changeSetOf(document) }, { $inc: plan.added }, { session });
    if (plan.saved === null) return void (await this.#changes.deleteOne({ _id }, { session }));
    const { id: _, ...saved } = plan.saved;
    await this.#changes.updateOne({ _id }, { $set: { change: saved } }, { session });
  }

  async remove(id: string): Promise<void> {
    await runOnMongo(() => this.#changes.deleteMany({ _id: beginsWith(`${id} `) }));
    await this.run((sets) => sets.deleteOne({ _id: id }));
  }
}

function changeKey(changeSet: string, recordId: string): string {
  return `${changeSet} ${recordId}`;
}

function changeSetOf({ _id }: Pick<ChangeDocument, '_id'>): string {
  return _id.slice(0, _id.indexOf(' '));
}

function readRecordChange({ record_id, change }: ChangeDocument): RecordChange {
  return readStoredChange({ id: record_id, ...change } as RecordChange);
}

function readSet({ _id: id, started_at: startedAt, ended_at: endedAt, ...rest }: ChangeSetDocument): ChangeSet {
  return { id, startedAt, endedAt, ...rest };
}

function readChange(document: ChangeDocument): LoggedChange {
  return { changeSet: changeSetOf(document), at: document.at.toISOString(), ...readRecordChange(document) };
}
