import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** A database of a test's own on a MongoDB that others use too. */
export interface TestDatabase {
  uri: string;
  name: string;
  /** A client that knows nothing of Masthead, as another tool would have. */
  client: MongoClient;
  drop(): Promise<void>;
}

/** Names a new database on the server under `url`; it comes to be with its first document. */
export function newTestDatabase(url: string): TestDatabase {
  const name = `masthead-test-${randomUUID().slice(0, 8)}`;
  const uri = url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, `$1/${name}`);
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  return {
    uri,
    name,
    client,
    async drop() {
      await client.db(name).dropDatabase();
      await client.close();
    },
  };
}
