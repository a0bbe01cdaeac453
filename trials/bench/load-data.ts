import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { openIndexer } from '../../indexer/open-indexer.ts';
import { openElasticsearch } from '../../src/backends/elasticsearch/open-elasticsearch.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { loadSample } from '../../src/sample/generate-sample.ts';
import { everything } from '../../src/search/search-query.ts';
import type { BackendSettings } from '../../src/start/open-backends.ts';
import { startSharedEngines } from '../../test/support/engines/start-engine.ts';
import { importRecords } from '../relevance/import-records.ts';

/** The records to search: generated ones, or those of files. */
export type DataSource = { count: number } | { files: readonly string[] };

/** A backend filled for a benchmark. */
export interface Filled {
  dataDir: string;
  backend: BackendSettings;
  /** Settings with which the service can use it, except the pepper. */
  settings: Record<string, string>;
  records: number;
  /** Records from all parts of the store, from which queries are made. */
  some: MediaRecord[];
  remove(): Promise<void>;
}

/** A production backend filled for a benchmark. */
export interface FilledEngines extends Filled {
  mongoUri: string;
  /** The URLs of its nodes, with commas between them. */
  elasticsearchUrl: string;
  alias: string;
}

const alias = 'masthead-bench';
const otherAlias = 'masthead-bench-beside';
/** How many records queries are made from, at most. */
const maxPicked = 20_000;

/** Fills a new embedded store in the temporary folder of the system. */
export async function loadEmbedded(source: DataSource): Promise<Filled> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-bench-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  const backend = { dataDir };
  try {
    return { dataDir, backend, settings: { MASTHEAD_DATA_DIR: dataDir }, ...(await fill(backend, source)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Fills engines: those that the environment names, or new ones (test/support/engines/). `stored` records are not indexed yet. */
export async function loadProduction(
  source: DataSource,
  until: 'stored' | 'indexed' = 'indexed',
): Promise<FilledEngines> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-bench-'));
  const engines = await startSharedEngines((line) => console.error(line), 'figures');
  const { mongodb, elasticsearch } = engines.urls;
  const remove = async () => {
    if (mongodb !== null && elasticsearch !== null) {
      for (const name of [alias, otherAlias]) await clear(databaseUri(mongodb, name), elasticsearch, name);
    }
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    if (mongodb === null || elasticsearch === null) throw new Error('MongoDB or Elasticsearch is not available');
    const mongoUri = databaseUri(mongodb, alias);
    const backend = { dataDir, mongoUri, elasticsearch: { nodes: elasticsearch.split(',') }, indexAlias: alias };
    const settings = {
      MONGODB_URI: mongoUri,
      ELASTICSEARCH_URL: elasticsearch,
      INDEX_ALIAS: alias,
      PAYMENTS: 'sandbox',
      MASTHEAD_DATA_DIR: dataDir,
    };
    const filled = await fill(backend, source, until);
    return { dataDir, backend, settings, ...filled, mongoUri, elasticsearchUrl: elasticsearch, alias, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function databaseUri(uri: string, name: string): string {
  return uri.replace(/\/?(\?|$)/, `/${name}$1`);
}

/** The settings of the same engines with another database and index, which `remove` removes too; none if embedded. */
export function asOther(settings: Readonly<Record<string, string>>): Record<string, string> {
  const { MONGODB_URI: uri } = settings;
  if (uri === undefined) return {};
  return { ...settings, MONGODB_URI: uri.replace(`/${alias}`, `/${otherAlias}`), INDEX_ALIAS: otherAlias };
}

/** Removes the data, because engines that the environment names keep running. */
async function clear(mongoUri: string, elasticsearchUrl: string, name: string): Promise<void> {
  const mongo = await MongoClient.connect(mongoUri);
  const address = { nodes: elasticsearchUrl.split(',') };
  const engine = await openElasticsearch({ address, alias: name, logLine: () => {} });
  await mongo.db().dropDatabase();
  for (const index of await engine.generations.list()) await engine.generations.remove(index);
  await Promise.all([mongo.close(), engine.close()]);
}

/** Stores the records, and indexes them unless a rebuild does that later. */
async function fill(
  backend: BackendSettings,
  source: DataSource,
  until: 'stored' | 'indexed' = 'indexed',
): Promise<Pick<Filled, 'records' | 'some'>> {
  const { records, maintenance, whenPrepared, close } = await openIndexer(backend);
  let count: number;
  try {
    await whenPrepared();
    if ('count' in source) await loadSample(records, source.count);
    else await importRecords(records, source.files);
    count = await records.count();
    if (until === 'stored') return { records: count, some: [] };
    if (backend.mongoUri === undefined) await maintenance.settle(count);
    else await maintenance.rebuild({ allowsShrink: true });
  } finally {
    await close();
  }
  return { records: count, some: await pickRecords(backend, count) };
}

/** Indexed records from all parts of the store, which has `count` of them. */
export async function pickRecords(backend: BackendSettings, count: number): Promise<MediaRecord[]> {
  const { index, close } = await openIndexer(backend);
  const step = Math.ceil(count / maxPicked);
  const some: MediaRecord[] = [];
  let place = 0;
  try {
    for await (const batch of await index.scan(everything)) {
      for (const record of batch) if (place++ % step === 0) some.push(record);
    }
  } finally {
    await close();
  }
  return some;
}
