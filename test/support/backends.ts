import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { contactsOf } from '#backends/elasticsearch/contact-document.ts';
import { readState } from '#backends/embedded/record-row.ts';
import { generationKind } from '#backends/mongo/mongo-index-journal.ts';
import type { MongoRecordSource } from '#backends/mongo/mongo-record-source.ts';
import type { Stores } from '#backends/stores.ts';
import { type Maintained, openIndexer } from '#indexer/open-indexer.ts';
import { GenerationWriter } from '#indexer/syncing/generation-writer.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { engines } from '#testing/engines.ts';
import { readFolder } from '#testing/folder-files.ts';
import { emptyDatabase, newTestDatabase } from '#testing/mongo-database.ts';
import { allRecords, openProduction, type Production } from '#testing/open-production.ts';

/** Whether this run has MongoDB and Elasticsearch. */
export const hasEngines = engines.mongodb !== null && engines.elasticsearch !== null;

/** A production backend for one test, on the engines of the run. */
export const openOnEngines = () =>
  openProduction({ mongodb: engines.mongodb ?? '', elasticsearch: engines.elasticsearch ?? '' });

/** An empty backend for one test. */
export interface TestBackend extends Maintained {
  /** Stores the records, and resolves when searches find them. */
  load(records: readonly MediaRecord[]): Promise<void>;
  /** Where its records are stored. */
  stored: Stored;
  /** Settings with which a command can use it. */
  settings: Record<string, string>;
  /** Whether the engine still keeps a snapshot for a scan. */
  holdsScan(): Promise<boolean>;
  /** Whether the text is anywhere in the files or documents of the stores. */
  holdsText(text: string): Promise<boolean>;
  /** Resolves when searches find everything in the stores. */
  settle(): Promise<void>;
  /** Makes the live index look as if another version of Masthead had built it. */
  ageIndex(): Promise<void>;
  /** Replaces the masked address of every record in search results. */
  replaceMasks(mask: string): Promise<void>;
}

export type ProductionTestBackend = TestBackend & Production;

/** The production backend if its engines are available; otherwise the run says so once (test/support/engines/). */
export const productionBackends: readonly { name: string; open(): Promise<ProductionTestBackend> }[] = listProduction();

/** Every backend that the contract and HTTP suites run on. */
export const testBackends: readonly { name: string; open(): Promise<TestBackend> }[] = [
  { name: 'embedded', open: openEmbeddedForTest },
  ...productionBackends,
];

/** Empty stores for one test. */
export type TestStores = Stores & Pick<TestBackend, 'stored' | 'close'>;

/** Every implementation of the stores. Their suites run on each. */
export const testStores: readonly { name: string; open(): Promise<TestStores> }[] = [
  { name: 'embedded', open: openEmbeddedForTest },
  ...listMongo(),
];

/** Skipped if an engine is unavailable; the run says so once (test/support/engines/). */
function listProduction() {
  const { mongodb, elasticsearch } = engines;
  if (!mongodb || !elasticsearch) return [];
  return [{ name: 'MongoDB and Elasticsearch', open: () => openProductionForTest(mongodb, elasticsearch) }];
}

/** Backends that tests of this thread emptied instead of closing. Opening a new one takes longer than most tests. */
const emptied = { productions: [] as ProductionTestBackend[], stores: [] as TestStores[] };

async function openProductionForTest(mongodb: string, elasticsearch: string): Promise<ProductionTestBackend> {
  const open = emptied.productions.pop();
  if (open !== undefined) return open;
  const database = newTestDatabase(mongodb);
  const production = await openProduction({ mongodb, elasticsearch }, undefined, database);
  const { records, syncDeps, engine, alias, client, collection } = production;
  const { generations } = syncDeps;
  let isAged = false;
  let reached = await syncDeps.source.now();
  /* As a sync does: comparing index and store would take twice as long. */
  const settle = async () => {
    const writer = await GenerationWriter.open(syncDeps, (await generations.findServed()) ?? '');
    reached = await writer.catchUp(reached, new AbortController().signal);
    await generations.refresh(writer.index);
    for await (const { id, reason } of syncDeps.deadLetters.scan()) throw new Error(`${id} was not indexed: ${reason}`);
  };
  // Without any index, searches are unavailable. So a test begins with an empty index.
  const { index: first } = await production.reindex(true);
  const backend: ProductionTestBackend = {
    ...production,
    stored: { syncDeps },
    settle,
    async load(given) {
      await records.merge(given);
      await settle();
    },
    async ageIndex() {
      isAged = true;
      const served = await generations.findLive();
      await engine.indices.putMapping({ index: served?.index ?? '', _meta: { version: 0 } });
      // The digest of each document depends on the version of the index.
      await collection.updateMany({}, { $set: { digest: 'of another version' } });
    },
    async replaceMasks(mask) {
      for await (const record of allRecords(syncDeps.source)) {
        if (record.email === null) continue;
        const { document } = generations.prepare({ id: record.id, version: 0n, record });
        const given = JSON.parse(Buffer.from(document ?? []).toString());
        given.record.contacts[0].email = mask;
        await engine.index({ index: alias, id: record.id, document: given, refresh: true });
      }
    },
    async holdsScan() {
      const { _all } = await engine.indices.stats({ index: `${alias}-*`, metric: 'search' });
      return (_all.total?.search?.open_contexts ?? 0) > 0;
    },
    async holdsText(text) {
      const db = client.db(collection.dbName);
      const collections = await db.collections();
      const stored = await Promise.all(collections.map((collection) => collection.find().toArray()));
      const indexed = await engine.search({ index: `${alias}-*`, size: 10_000 });
      return JSON.stringify([stored, indexed]).includes(text);
    },
    async close() {
      // A scan that a test left open would look like one of the next test.
      const isAsOpened = !isAged && (await generations.list()).join() === first && !(await backend.holdsScan());
      if (!isAsOpened || !(await emptyDatabase(database, generationKind.name))) return production.close();
      const all = { query: { match_all: {} }, refresh: true, conflicts: 'proceed' } as const;
      await engine.deleteByQuery({ index: [alias, contactsOf(alias)], ...all });
      reached = await syncDeps.source.now();
      emptied.productions.push(backend);
    },
  };
  return backend;
}

function listMongo() {
  const url = engines.mongodb;
  return url ? [{ name: 'MongoDB', open: () => openMongoForTest(url) }] : [];
}

async function openMongoForTest(url: string): Promise<TestStores> {
  const open = emptied.stores.pop();
  if (open !== undefined) return open;
  const database = newTestDatabase(url);
  const store = await database.open();
  const stores: TestStores = {
    ...store,
    stored: store,
    async close() {
      if (await emptyDatabase(database)) return void emptied.stores.push(stores);
      await database.close();
    },
  };
  return stores;
}

/** For tests of what does not depend on the backend. */
export async function openEmbeddedForTest(): Promise<TestBackend & { stored: { dataDir: string } }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-test-'));
  const backends = await openIndexer({ dataDir });
  const database = new DatabaseSync(join(dataDir, 'masthead.db'));
  return {
    ...backends,
    stored: { dataDir },
    settings: { MASTHEAD_DATA_DIR: dataDir },
    async load(records) {
      await backends.records.merge(records);
    },
    async settle() {},
    async ageIndex() {
      database.exec(`UPDATE search_index SET version = 0`);
    },
    async replaceMasks(mask) {
      database.exec(
        `UPDATE records SET body = json_set(body, '$.contacts[0].email', '${mask}') WHERE secret ->> '$.contacts' IS NOT NULL;
         UPDATE search_index SET edition = edition + 1`,
      );
    },
    async holdsScan() {
      // SQLite cannot empty its log while somebody still reads the state before the last write.
      const version = database.prepare('PRAGMA user_version').get()?.user_version;
      database.exec(`PRAGMA user_version = ${version}`);
      return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0;
    },
    async holdsText(text) {
      // Files of rejected rows are below it. They are the operator's own to delete.
      const files = [...(await readFolder(dataDir))].filter(([path]) => dirname(path) === dataDir);
      return files.some(([, file]) => file.includes(text));
    },
    async close() {
      database.close();
      await backends.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Where records are stored: in MongoDB, or in the database file of a data folder. */
export type Stored = { syncDeps: { source: Pick<MongoRecordSource, 'read'> } } | { dataDir: string };

/** Reads a record from the store, not from the index. Null if there is none that can be read. */
export async function storedRecord(stored: Stored, id: string): Promise<MediaRecord | null> {
  const state =
    'dataDir' in stored ? readFromFile(stored.dataDir, id) : (await stored.syncDeps.source.read([id])).get(id);
  return state !== undefined && 'record' in state ? state.record : null;
}

function readFromFile(dataDir: string, id: string) {
  using database = new DatabaseSync(join(dataDir, 'masthead.db'), { readOnly: true });
  const row = database.prepare('SELECT id, body, secret FROM records WHERE id = ?').get(id);
  return row && readState(row);
}
