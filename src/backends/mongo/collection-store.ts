import type { Collection, Document, Filter, MatchKeysAndValues, WithId } from 'mongodb';
import { isDuplicateKey, runOnMongo, storeUnavailable } from './mongo-faults.ts';

/** What is stored in one collection. While MongoDB cannot work, methods fail with Problem `store_unavailable`. */
export abstract class CollectionStore<Stored extends Document> {
  protected readonly collection: Collection<Stored>;

  constructor(collection: Collection<Stored>) {
    this.collection = collection;
  }

  protected run<Result>(work: (collection: Collection<Stored>) => Promise<Result>): Promise<Result> {
    return runOnMongo(() => work(this.collection));
  }
}

/** The document with this id, inserted if there is none: everybody who does so at once gets the same. */
export async function findOrInsert<Stored extends Document>(
  collection: Collection<Stored>,
  byId: Filter<Stored>,
  fields: MatchKeysAndValues<Stored>,
): Promise<WithId<Stored>> {
  const keep = () =>
    collection.findOneAndUpdate(byId, { $setOnInsert: fields }, { upsert: true, returnDocument: 'after' });
  // If several insert at once, one is told that it came second; by then the first one's document exists.
  const kept = await keep().catch((error: unknown) => (isDuplicateKey(error) ? keep() : Promise.reject(error)));
  if (kept !== null) return kept;
  throw storeUnavailable(new Error(`a document of ${collection.collectionName} vanished while it was stored`));
}

/** The condition that a text starts with this prefix, whatever characters it has; an index on the text supports it. */
export function beginsWith(prefix: string): { $regex: string } {
  return { $regex: `^${prefix.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` };
}
