import { type MissedSearch, type MissedSearches, maxMissedSearches } from '#ports/missed-searches.ts';
import { CollectionStore } from './collection-store.ts';

/** A query as `_id`, with what is known of it. */
export interface MissedSearchDocument {
  _id: string;
  count: number;
  last_at: string;
}

/** Searches that found nothing, in a MongoDB collection: one document a query. */
export class MongoMissedSearches extends CollectionStore<MissedSearchDocument> implements MissedSearches {
  async add(searches: readonly MissedSearch[]): Promise<void> {
    if (searches.length === 0) return;
    const updates = searches.map(({ query: _id, count, lastAt: last_at }) => ({
      updateOne: { filter: { _id }, update: { $inc: { count }, $max: { last_at } }, upsert: true },
    }));
    await this.run(async (collection) => {
      await collection.bulkWrite(updates, { ordered: false });
      const latestFirst = { sort: { last_at: -1, _id: 1 }, skip: maxMissedSearches, projection: { _id: 1 } } as const;
      const old = await collection.find({}, latestFirst).toArray();
      if (old.length > 0) await collection.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
    });
  }

  async list(limit: number): Promise<MissedSearch[]> {
    const documents = await this.run((collection) =>
      collection.find({}, { sort: { count: -1, _id: 1 }, limit }).toArray(),
    );
    return documents.map(({ _id: query, count, last_at: lastAt }) => ({ query, count, lastAt }));
  }

  async purge(before: string): Promise<number> {
    return (await this.run((collection) => collection.deleteMany({ last_at: { $lt: before } }))).deletedCount;
  }
}
