import type { ClientSession } from 'mongodb';
import type { MergedId, MergedIds } from '#records/record-store.ts';
import { CollectionStore } from './collection-store.ts';

export interface MergedIdDocument {
  _id: string;
  kept_id: string;
  change_set: string;
  merged_at: string;
}

/** Merged ids in a MongoDB collection. Writes belong into a transaction of the records. */
export class MongoMergedIds extends CollectionStore<MergedIdDocument> implements MergedIds {
  /** Takes one query for each merge in a chain, hardly ever more than two. */
  async resolve(ids: readonly string[], session?: ClientSession): Promise<ReadonlyMap<string, string>> {
    const leads = new Map<string, string>();
    const options = session ? { session } : {};
    for (let open = [...new Set(ids)]; open.length > 0; ) {
      const documents = await this.run((merged) => merged.find({ _id: { $in: open } }, options).toArray());
      for (const { _id, kept_id } of documents) leads.set(_id, kept_id);
      open = documents.map(({ kept_id }) => kept_id).filter((id) => !leads.has(id));
    }
    const follow = (id: string): string => (leads.has(id) ? follow(leads.get(id) as string) : id);
    return new Map(ids.filter((id) => leads.has(id)).map((id) => [id, follow(id)]));
  }

  async find(id: string): Promise<MergedId | null> {
    const document = await this.run((merged) => merged.findOne({ _id: id }));
    return document && { id, keptId: document.kept_id, changeSet: document.change_set, mergedAt: document.merged_at };
  }

  async listLeadingTo(ids: readonly string[]): Promise<string[]> {
    const leading = new Set<string>();
    for (let open = [...ids]; open.length > 0; ) {
      const documents = await this.run((merged) => merged.find({ kept_id: { $in: open } }).toArray());
      open = documents.map(({ _id }) => _id).filter((id) => !leading.has(id));
      for (const id of open) leading.add(id);
    }
    return [...leading].sort();
  }

  /** Which of these ids have a record that others were merged into. */
  async keptOf(ids: readonly string[], session?: ClientSession): Promise<ReadonlySet<string>> {
    const options = { projection: { kept_id: 1 }, ...(session && { session }) };
    const documents = await this.run((merged) => merged.find({ kept_id: { $in: [...ids] } }, options).toArray());
    return new Set(documents.map(({ kept_id }) => kept_id));
  }

  /** The kept record has an id of its own, so no merge can lead back to where it came from. */
  async add(merged: readonly MergedId[], session: ClientSession): Promise<void> {
    if (merged.length === 0) return;
    await this.release(
      merged.map(({ keptId }) => keptId),
      session,
    );
    const writes = merged.map(({ id, keptId: kept_id, changeSet: change_set, mergedAt: merged_at }) => ({
      replaceOne: { filter: { _id: id }, replacement: { kept_id, change_set, merged_at }, upsert: true },
    }));
    await this.collection.bulkWrite(writes, { session });
  }

  /** Makes ids lead nowhere else, because there are records with them again. */
  async release(ids: readonly string[], session: ClientSession): Promise<void> {
    if (ids.length > 0) await this.collection.deleteMany({ _id: { $in: [...ids] } }, { session });
  }
}
