import type { Collection, Filter, MongoClient } from 'mongodb';
import type { ChangeSet, NewChangeSet } from '#records/changes/change-set.ts';
import { type LoggedChange, sizeOfChange } from '#records/changes/record-change.ts';
import { type ChangeLog, changesAPage } from '#records/record-store.ts';
import { fromSnakeCase, toSnakeCase } from '../stored-form.ts';
import { beginsWith, CollectionStore } from './collection-store.ts';
import { primaryAndMajority } from './connect-mongo.ts';
import {
  type ChangeDocument,
  type ChangeSetDocument,
  changeKey,
  changeSetOf,
  readRecordChange,
} from './mongo-change-writer.ts';
import { runOnMongo } from './mongo-faults.ts';

/** The change log in two MongoDB collections; MongoChangeWriter writes the changes. */
export class MongoChangeLog extends CollectionStore<ChangeSetDocument> implements ChangeLog {
  readonly #client: MongoClient;
  readonly #changes: Collection<ChangeDocument>;

  constructor(client: MongoClient, changeSets: Collection<ChangeSetDocument>, changes: Collection<ChangeDocument>) {
    super(changeSets);
    this.#client = client;
    this.#changes = changes;
  }

  async begin({ id, ...changeSet }: NewChangeSet): Promise<void> {
    const nothing = { endedAt: null, files: [], counts: {}, changes: 0, bytes: 0 };
    const document = { _id: id, ...toSnakeCase({ ...changeSet, ...nothing }) } as unknown as ChangeSetDocument;
    await this.run((sets) => sets.insertOne(document));
  }

  async end(id: string, { endedAt, files, counts }: Parameters<ChangeLog['end']>[1]): Promise<void> {
    const update = { $set: { ended_at: endedAt, files: [...files], counts } };
    await this.run((sets) => sets.updateOne({ _id: id }, update));
  }

  async find(id: string): Promise<ChangeSet | null> {
    return (await this.findMany([id]))[0] ?? null;
  }

  async findMany(ids: readonly string[]): Promise<ChangeSet[]> {
    return (await this.run((sets) => sets.find({ _id: { $in: [...ids] } }).toArray())).map(readSet);
  }

  async list(limit: number): Promise<ChangeSet[]> {
    const newestFirst = { started_at: -1, _id: -1 } as const;
    return (await this.run((sets) => sets.find().sort(newestFirst).limit(limit).toArray())).map(readSet);
  }

  async listOldest(limit: number): Promise<ChangeSet[]> {
    const oldestFirst = { started_at: 1, _id: 1 } as const;
    return (await this.run((sets) => sets.find().sort(oldestFirst).limit(limit).toArray())).map(readSet);
  }

  async listUndoing(ids: readonly string[]): Promise<ChangeSet[]> {
    const newestFirst = { started_at: -1, _id: -1 } as const;
    const found = this.run((sets) =>
      sets
        .find({ undoes: { $in: [...ids] } })
        .sort(newestFirst)
        .toArray(),
    );
    return (await found).map(readSet);
  }

  async *readChanges(id: string): AsyncGenerator<LoggedChange[]> {
    const ofSet = beginsWith(`${id} `);
    for (let last = ''; ; ) {
      const page = { _id: { ...ofSet, $gt: last } };
      const documents = await runOnMongo(() => this.#changes.find(page).sort({ _id: 1 }).limit(changesAPage).toArray());
      if (documents.length === 0) return;
      yield documents.map(readChange);
      last = documents.at(-1)?._id ?? last;
    }
  }

  async listChangesOf(recordId: string, limit: number): Promise<LoggedChange[]> {
    const newestFirst = { at: -1, _id: -1 } as const;
    const found = () => this.#changes.find({ record_id: recordId }).sort(newestFirst).limit(limit).toArray();
    return (await runOnMongo(found)).map(readChange);
  }

  async forget(recordIds: readonly string[], changeSets?: readonly string[]): Promise<number> {
    const ofRecords: Filter<ChangeDocument> =
      changeSets === undefined
        ? { record_id: { $in: [...recordIds] } }
        : { _id: { $in: recordIds.flatMap((id) => changeSets.map((changeSet) => changeKey(changeSet, id))) } };
    let forgotten = 0;
    for (let page = 1; page > 0; forgotten += page) page = await runOnMongo(() => this.#forgetPage(ofRecords));
    return forgotten;
  }

  /** Deletes some of the changes of records, and counts them out of their change sets in the same step; returns how many. */
  #forgetPage(ofRecords: Filter<ChangeDocument>): Promise<number> {
    return this.#client.withSession((session) =>
      session.withTransaction(async () => {
        const page = await this.#changes.find(ofRecords, { session }).limit(changesAPage).toArray();
        if (page.length === 0) return 0;
        const counts = page.map((document) => {
          const $inc = { changes: -1, bytes: -sizeOfChange(readRecordChange(document)) };
          return { updateOne: { filter: { _id: changeSetOf(document) }, update: { $inc } } };
        });
        await this.collection.bulkWrite(counts, { session });
        await this.#changes.deleteMany({ _id: { $in: page.map(({ _id }) => _id) } }, { session });
        return page.length;
      }, primaryAndMajority),
    );
  }

  async size(): Promise<number> {
    const sum = { $group: { _id: null, bytes: { $sum: '$bytes' } } };
    const [total] = await this.run((sets) => sets.aggregate<{ bytes: number }>([sum]).toArray());
    return total?.bytes ?? 0;
  }

  async remove(id: string): Promise<void> {
    await runOnMongo(() => this.#changes.deleteMany({ _id: beginsWith(`${id} `) }));
    await this.run((sets) => sets.deleteOne({ _id: id }));
  }
}

function readSet({ _id, last_step: _, ...document }: ChangeSetDocument): ChangeSet {
  return { ...fromSnakeCase<Omit<ChangeSet, 'id'>>(document), id: _id };
}

function readChange(document: ChangeDocument): LoggedChange {
  return { changeSet: changeSetOf(document), at: document.at.toISOString(), ...readRecordChange(document) };
}
