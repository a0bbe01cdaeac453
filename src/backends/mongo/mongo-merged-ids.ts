import type { ClientSession, Collection } from 'mongodb';
import type { MergedId, MergedIds } from '#records/record-store.ts';
import { runOnMongo } from './mongo-faults.ts';

/** A merged id as a document. */
export interface MergedIdDocument {
  _id: string;
  kept_id: string;
  change_set: string;
  merged_at: string;
}

/** Merged ids in a MongoDB collection. Writes belong into a transaction of the records. */
export class MongoMergedIds implements MergedIds {
  readonly #mergedIds: Collection<MergedIdDocument>;

  constructor(mergedIds: Collection<MergedIdDocument>) {
    this.#mergedIds = mergedIds;
  }

  /** One query for each merge in a row, hardly ever more than two. */
  async resolve(ids: readonly string[], session?: ClientSession): Promise<ReadonlyMap<string, string>> {
    const leads = new Map<string, string>();
    const options = session ? { session } : {};
    if ((await runOnMongo(() => this.#mergedIds.findOne({}, options))) === null) return leads;
    for (let open = [...new Set(ids)]; open.length > 0; ) {
      const found = await runOnMongo(() => this.#mergedIds.find({ _id: { $in: open } }, options).toArray());
      for (const { _id, kept_id } of found) leads.set(_id, kept_id);
      open = found.map(({ kept_id }) => kept_id).filter((id) => !leads.has(id));
    }
    const follow = (id: string): string => {
      const next = leads.get(id);
      return next === undefined ? id : follow(next);
    };
    return new Map(ids.filter((id) => leads.has(id)).map((id) => [id, follow(id)]));
  }

  async find(id: string): Promise<MergedId | null> {
    const document = await runOnMongo(() => this.#mergedIds.findOne({ _id: id }));
    return document && toMergedId(document);
  }

  async listLeadingTo(ids: readonly string[]): Promise<string[]> {
    const leading = new Set<string>();
    for (let open = [...ids]; open.length > 0; ) {
      const found = await runOnMongo(() => this.#mergedIds.find({ kept_id: { $in: open } }).toArray());
      open = found.map(({ _id }) => _id).filter((id) => !leading.has(id));
      for (const id of open) leading.add(id);
    }
    return [...leading].sort();
  }

  /** Those of these ids whose records others were merged into. */
  async keptOf(ids: readonly string[], session?: ClientSession): Promise<ReadonlySet<string>> {
    const options = { projection: { kept_id: 1 }, ...(session && { session }) };
    const found = () => this.#mergedIds.find({ kept_id: { $in: [...ids] } }, options).toArray();
    return new Set((await runOnMongo(found)).map(({ kept_id }) => kept_id));
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
    await this.#mergedIds.bulkWrite(writes, { session });
  }

  /** Ends that ids lead elsewhere, as there are records with them. */
  async release(ids: readonly string[], session: ClientSession): Promise<void> {
    if (ids.length > 0) await this.#mergedIds.deleteMany({ _id: { $in: [...ids] } }, { session });
  }
}

function toMergedId({
  _id: id,
  kept_id: keptId,
  change_set: changeSet,
  merged_at: mergedAt,
}: MergedIdDocument): MergedId {
  return { id, keptId, changeSet, mergedAt };
}
