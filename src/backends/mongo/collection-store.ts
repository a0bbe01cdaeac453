import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Collection, Document, MongoClient } from 'mongodb';
import { primaryAndMajority } from './connect-mongo.ts';
import { runOnMongo, storeUnavailable } from './mongo-faults.ts';

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

/** How long a transaction is tried again, in milliseconds; the driver itself would go on for two minutes. */
const transactionTimeoutMs = 10_000;

/** Does the work in one transaction: again if another one came first, and not at all if it throws. */
export function transact<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + transactionTimeoutMs;
  let tries = 0;
  return runOnMongo(() =>
    client.withSession((session) =>
      session.withTransaction(async () => {
        if (Date.now() > deadline)
          throw storeUnavailable(new Error('other processes keep changing the same documents'));
        // Those that disturbed each other do not start over at the same moment.
        if (tries > 0) await pause(Math.random() * Math.min(tries * 5, 50));
        tries += 1;
        return work(session);
      }, primaryAndMajority),
    ),
  );
}

/** The condition that a text starts with this prefix, whatever characters it has; an index on the text supports it. */
export function beginsWith(prefix: string): { $regex: string } {
  return { $regex: `^${prefix.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` };
}
