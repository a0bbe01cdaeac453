import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Collection, Document, MongoClient } from 'mongodb';
import { primaryAndMajority } from './connect-mongo.ts';
import { isBrokenConnection, isDuplicateKey, runOnMongo, storeUnavailable } from './mongo-faults.ts';

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

/** How often repeatable work is tried again after a duplicate key or a broken connection. */
const maxRaces = 10;

/** Runs work in a transaction, again if another writer came first. Repeatable work also if nobody knows whether it committed. */
export function transact<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
  { timeoutMs = 10_000, isRepeatable = false } = {},
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  let tries = 0;
  const attempt = (session: ClientSession) =>
    session.withTransaction(async () => {
      if (Date.now() > deadline) throw storeUnavailable(new Error('other processes keep changing the same documents'));
      // A random pause, so that writers that met do not meet again.
      if (tries > 0) await pause(Math.random() * Math.min(tries * 5, 50));
      tries += 1;
      return work(session);
    }, primaryAndMajority);
  return runOnMongo(async () => {
    for (let races = isRepeatable ? 0 : maxRaces; ; races += 1) {
      try {
        return await client.withSession(attempt);
      } catch (error) {
        const canPass = isDuplicateKey(error) || isBrokenConnection(error);
        if (!canPass || races >= maxRaces) throw error;
      }
    }
  });
}

/** The condition that a document's `body.email` is this address, in any case. */
export function hasEmail(email: string) {
  return { $expr: { $eq: [{ $toLower: '$body.email' }, { $literal: email.toLowerCase() }] } };
}

/** The condition that a text starts with this prefix, whatever characters it has; an index on the text supports it. */
export function beginsWith(prefix: string): { $regex: string } {
  return { $regex: `^${prefix.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` };
}
