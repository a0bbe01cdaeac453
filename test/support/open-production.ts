import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import type { Collection, Document, MongoClient } from 'mongodb';
import { aliasOfForm } from '#backends/elasticsearch/alias-generations.ts';
import type { MongoRecordSource } from '#backends/mongo/mongo-record-source.ts';
import { type Maintained, maintained } from '#indexer/open-indexer.ts';
import { verifyIndex } from '#indexer/syncing/compare-index.ts';
import { followChanges } from '#indexer/syncing/follow-changes.ts';
import { rebuildIndex } from '#indexer/syncing/rebuild-index.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { everything } from '#search/search-query.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { jobTimeoutMs, openProduction as openEngines, type ProductionBackends } from '#src/start/open-backends.ts';
import { newTestDatabase, ownPrefix, type TestDatabase } from './mongo-database.ts';

/** A production backend for one test, with direct access to its stores, as other tools have it. */
export interface Production extends Maintained<ProductionBackends> {
  /** The collection of records, through a plain MongoDB client. */
  collection: Collection<Document & { _id: string }>;
  client: MongoClient;
  engine: Client;
  alias: string;
  /** Settings with which another process can use it. */
  settings: Record<string, string>;
  reindex: (allowsShrink?: boolean) => ReturnType<typeof rebuildIndex>;
  /** Starts a sync in this process. */
  follow: () => Following;
  /** The differences that verify finds, such as `missing x`. */
  differences: () => Promise<string[]>;
  /** The ids of all records that a search finds. */
  found: () => Promise<string[]>;
}

/** A sync that runs in the process of a test. */
export interface Following {
  /** Every line it logged. */
  said: string[];
  /** How many times it has retried. */
  retries(): number;
  /** Resolves when the sync has ended; rejects if it failed. */
  ended: Promise<void>;
  /** Ends the sync and waits for `ended`. */
  stop(): Promise<void>;
}

const page = { sort: { key: 'name', reversed: false }, offset: 0, limit: 1_000 } as const;

/** Options of openProduction, and the INDEX_ALIAS; by default a new one. */
type OpenOptions = Parameters<typeof openEngines>[1] & { alias?: string | undefined };

/**
 * @param options of openProduction; by default those of a command of data staff
 * @param database by default a new one; it is dropped at the end
 */
export async function openProduction(
  engines: { mongodb: string; elasticsearch: string },
  { alias = `${ownPrefix}${randomUUID().slice(0, 8)}`, ...options }: OpenOptions = { timeoutMs: jobTimeoutMs },
  database: TestDatabase = newTestDatabase(engines.mongodb),
): Promise<Production> {
  const engine = new Client({ nodes: engines.elasticsearch.split(',') });
  const elasticsearch = { nodes: engines.elasticsearch.split(',') };
  const place = { mongoUri: database.uri, elasticsearch, indexAlias: alias };
  const backends = await maintained(await openEngines(place, options));
  const { syncDeps, index } = backends;
  return {
    ...backends,
    collection: database.collection('records'),
    client: database.client,
    engine,
    alias: aliasOfForm(alias),
    settings: {
      MONGODB_URI: database.uri,
      ELASTICSEARCH_URL: engines.elasticsearch,
      INDEX_ALIAS: alias,
      KEY_PEPPER: 'only for tests, and long enough for one',
      PAYMENTS: 'sandbox',
    },
    reindex: (allowsShrink = false) => rebuildIndex(syncDeps, { allowsShrink }),
    follow: () => startFollowing(syncDeps),
    async differences() {
      const { examples } = await verifyIndex(syncDeps, { repairs: false });
      return examples.map(({ id, is }) => `${is} ${id}`);
    },
    async found() {
      const { records } = await index.search(everything, page, 'masked');
      return records.map(({ id }) => id).toSorted();
    },
    async close() {
      for (const name of await syncDeps.generations.list()) await syncDeps.generations.remove(name);
      await backends.close();
      await database.close();
      await engine.close();
    },
  };
}

function startFollowing(syncDeps: SyncDeps): Following {
  const said: string[] = [];
  const stop = new AbortController();
  let retries = 0;
  const ended = followChanges({
    syncDeps,
    signal: stop.signal,
    rebuild: (signal) => rebuildIndex(syncDeps, { allowsShrink: false, signal }),
    logLine: (line) => said.push(line),
    onRetry: () => {
      retries += 1;
    },
    onWritten: () => {},
  });
  // Stopping it throws the error. Until then it must not be an unhandled rejection.
  ended.catch(() => {});
  return {
    said,
    retries: () => retries,
    ended,
    async stop() {
      stop.abort();
      await ended;
    },
  };
}

/** All readable records in MongoDB, in the order of their ids. */
export async function* allRecords(source: MongoRecordSource): AsyncGenerator<MediaRecord> {
  for await (const { states } of source.readPages({ after: '', upTo: null })) {
    for (const state of states.values()) if ('record' in state) yield state.record;
  }
}

/** Removes the indexes that the tests of this process left on the server at `url`. */
export async function removeTestIndexes(url: string): Promise<void> {
  const engine = new Client({ node: url });
  const left = Object.keys(await engine.indices.get({ index: `${ownPrefix}*` }));
  if (left.length > 0) await engine.indices.delete({ index: left });
  await engine.close();
}
