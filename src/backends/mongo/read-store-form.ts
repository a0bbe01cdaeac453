import { createMongoClient, explainMongoFault, openDatabase, requestTimeoutMs } from './connect-mongo.ts';
import { migrations } from './store-migrations.ts';
import { readForm, requireKnown } from './upgrade-store.ts';

/** What an upgrade of the store at the URI would do, in words: nothing if it is new, or has this version's form. Changes nothing. */
export async function listPendingSteps(uri: string): Promise<readonly string[]> {
  const client = createMongoClient(uri, requestTimeoutMs);
  try {
    const form = await readForm(openDatabase(client, uri));
    if (form === null) return [];
    requireKnown(form);
    return migrations.filter((migration) => migration.form > form).map(({ name }) => name);
  } catch (error) {
    throw explainMongoFault(error, client);
  } finally {
    await client.close();
  }
}
