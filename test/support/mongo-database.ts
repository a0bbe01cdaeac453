import { randomUUID } from 'node:crypto';
import { type Collection, MongoClient } from 'mongodb';
import { type MongoStore, openMongo } from '#backends/mongo/open-mongo.ts';
import { formsOf, storeForm } from '#backends/mongo/store-form.ts';

/** A database for one test, on a MongoDB that other tests use too. */
export interface TestDatabase {
  uri: string;
  name: string;
  /** A plain MongoDB client, such as another tool would use. */
  client: MongoClient;
  /** One of its collections, as that client sees it. */
  collection<Document extends object = { _id: string; [name: string]: unknown }>(name: string): Collection<Document>;
  /** Opens our stores on it. */
  open(): Promise<MongoStore>;
  /** Closes those stores and drops the database. */
  close(): Promise<void>;
}

/** All names that this process creates on a server begin with this. Its threads share the process id. */
export const ownPrefix = `masthead-test-${process.pid}-`;

/** Chooses a new database on the server at `url`. MongoDB creates it with its first document. */
export function newTestDatabase(url: string, name = `${ownPrefix}${randomUUID().slice(0, 8)}`): TestDatabase {
  const uri = url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, `$1/${name}`);
  const client = new MongoClient(uri);
  const stores: MongoStore[] = [];
  return {
    uri,
    name,
    client,
    collection: (name) => client.db().collection(name),
    async open() {
      const store = await openMongo({ uri, logLine: () => {}, sharesServer: true });
      stores.push(store);
      return store;
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await client.db(name).dropDatabase();
      await client.close();
    },
  };
}

/** Dropping a database is faster than deleting more documents than this. */
const maxDeleted = 2_000;

/** Empties all collections of a database except `kept`. Returns false, and deletes nothing, if dropping it would be faster. */
export async function emptyDatabase({ client, name }: TestDatabase, kept?: string): Promise<boolean> {
  const collections = (await client.db(name).collections()).filter((one) => one.collectionName !== kept);
  const counts = await Promise.all(collections.map((collection) => collection.estimatedDocumentCount()));
  if (counts.reduce((sum, count) => sum + count, 0) > maxDeleted) return false;
  await Promise.all(collections.map((collection) => collection.deleteMany()));
  // Without its form, the next process takes it for a store of 1.1 and upgrades it.
  await formsOf(client.db(name)).insertOne({ _id: 'form', number: storeForm });
  return true;
}

/** Drops the databases that the tests of this process left on the server at `url`. */
export async function dropTestDatabases(url: string): Promise<void> {
  const client = new MongoClient(url);
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  const own = databases.filter(({ name }) => name.startsWith(ownPrefix));
  await Promise.all(own.map(({ name }) => client.db(name).dropDatabase()));
  await client.close();
}
