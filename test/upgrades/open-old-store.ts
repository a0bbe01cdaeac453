import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BSON, type Document } from 'mongodb';
import { type IndexerBackends, openIndexer } from '#indexer/open-indexer.ts';
import { jobTimeoutMs } from '#src/start/open-backends.ts';
import type { Stored } from '#testing/backends.ts';
import { engines } from '#testing/engines.ts';
import { newTestDatabase, type TestDatabase } from '#testing/mongo-database.ts';
import { openProduction } from '#testing/open-production.ts';
import type { KnownFacts } from './live-in-old-store.ts';
import { oldVersions } from './old-version.ts';

const stores = join(import.meta.dirname, 'stores');
const unpack = (name: string) => gunzipSync(readFileSync(join(stores, name)));

/** What is known of the store that a version made on a backend. */
export function readFacts(version: string, backend: 'embedded' | 'mongodb'): KnownFacts {
  return { people: null, ...JSON.parse(readFileSync(join(stores, `${version}-${backend}.facts.json`), 'utf8')) };
}

/** Puts the embedded store that a version made into a data folder. */
export function putOldStore(version: string, dataDir: string): void {
  writeFileSync(join(dataDir, 'masthead.db'), unpack(`${version}-embedded.db.gz`));
}

/** The documents that a version left in MongoDB, by their collections. */
export function oldDocuments(version: string): Record<string, Document[]> {
  return BSON.EJSON.parse(unpack(`${version}-mongodb.json.gz`).toString(), { relaxed: false });
}

/** Puts them into a database that is empty. */
export async function putOldDocuments(version: string, { client, name }: TestDatabase): Promise<void> {
  for (const [collection, documents] of Object.entries(oldDocuments(version))) {
    if (documents.length > 0)
      await client.db(name).collection(collection).insertMany(documents, { promoteLongs: false });
  }
}

/** A store that an old version made, opened by this one with its index made again. */
export type UpgradedStore = Omit<IndexerBackends, 'operator'> & {
  facts: KnownFacts;
  stored: Stored;
  settle(): Promise<void>;
};

export interface OldStore {
  version: string;
  backend: 'embedded' | 'mongodb';
  open(): Promise<UpgradedStore>;
}

/** Each old store on each backend that is available. */
export const oldStores: readonly OldStore[] = oldVersions.flatMap(({ name: version }) => [
  { version, backend: 'embedded', open: () => openEmbedded(version) },
  ...listProduction(version),
]);

async function openEmbedded(version: string): Promise<UpgradedStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-test-'));
  putOldStore(version, dataDir);
  const backends = await openIndexer({ dataDir });
  await backends.maintenance.rebuild({ allowsShrink: false });
  return {
    ...backends,
    facts: readFacts(version, 'embedded'),
    stored: { dataDir },
    async settle() {},
    async close() {
      await backends.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

function listProduction(version: string): OldStore[] {
  const { mongodb, elasticsearch } = engines;
  if (!mongodb || !elasticsearch) return [];
  const open = async (): Promise<UpgradedStore> => {
    const database = newTestDatabase(mongodb);
    await putOldDocuments(version, database);
    const production = await openProduction(
      { mongodb, elasticsearch },
      { timeoutMs: jobTimeoutMs, sharesServer: true },
      database,
    );
    await production.reindex();
    return {
      ...production,
      facts: readFacts(version, 'mongodb'),
      stored: { syncDeps: production.syncDeps },
      settle: async () => void (await production.maintenance.verify({ repairs: true })),
    };
  };
  return [{ version, backend: 'mongodb', open }];
}
