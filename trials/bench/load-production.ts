import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { openIndexer } from '../../indexer/open-indexer.ts';
import { openElasticsearch } from '../../src/backends/elasticsearch/open-elasticsearch.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { loadSample } from '../../src/sample/generate-sample.ts';
import type { BackendSettings } from '../../src/start/open-backends.ts';
import type { LogLine } from '../../test/support/engines/engine.ts';
import { type SharedEngines, startSharedEngines } from '../../test/support/engines/start-engine.ts';
import { importRecords } from '../relevance/import-records.ts';
import { type DataSource, pickSome } from './load-data.ts';

/** MongoDB and Elasticsearch filled for a benchmark. */
export interface ProductionData extends FilledEngines {
  /** Spread evenly over the store, for making questions. */
  some: MediaRecord[];
}

/** MongoDB filled, and an Elasticsearch without an index. */
export interface FilledEngines {
  /** By which the service finds them, but for the pepper. */
  settings: Record<string, string>;
  dataDir: string;
  backend: BackendSettings;
  mongoUri: string;
  /** Its nodes, with commas between them. */
  elasticsearchUrl: string;
  alias: string;
  records: number;
  remove(): Promise<void>;
}

const alias = 'masthead-bench';
const otherAlias = 'masthead-bench-beside';

/** Fills engines and indexes the records: the engines in the environment, or ones started for this (test/support/engines/). */
export async function loadProduction(source: DataSource): Promise<ProductionData> {
  const filled = await fillEngines(source, (log) => startSharedEngines(log, 'figures'));
  try {
    await index(filled.backend);
    return { ...filled, some: await pickSomeOf(filled) };
  } catch (error) {
    await filled.remove();
    throw error;
  }
}

/** Stores the records without indexing them. */
export async function fillEngines(
  source: DataSource,
  startEngines: (logLine: LogLine) => Promise<SharedEngines>,
): Promise<FilledEngines> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-bench-'));
  const engines = await startEngines((line) => console.error(line));
  const { mongodb, elasticsearch } = engines.urls;
  const remove = async () => {
    if (mongodb !== null && elasticsearch !== null) {
      for (const name of [alias, otherAlias]) await clear(databaseUri(mongodb, name), elasticsearch, name);
    }
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    if (mongodb === null || elasticsearch === null) throw new Error('no MongoDB or Elasticsearch is to be had');
    const mongoUri = databaseUri(mongodb, alias);
    const nodes = elasticsearch.split(',');
    const backend = { dataDir, mongoUri, elasticsearch: { nodes }, indexAlias: alias };
    return {
      settings: {
        MONGODB_URI: mongoUri,
        ELASTICSEARCH_URL: elasticsearch,
        INDEX_ALIAS: alias,
        PAYMENTS: 'sandbox',
        MASTHEAD_DATA_DIR: dataDir,
      },
      dataDir,
      backend,
      mongoUri,
      elasticsearchUrl: elasticsearch,
      alias,
      records: await fill(backend, source),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function databaseUri(uri: string, name: string): string {
  return uri.replace(/\/?(\?|$)/, `/${name}$1`);
}

/** The same engines with another database and index, which `remove` removes too; none for the embedded backend. */
export function asOther(settings: Readonly<Record<string, string>>): Record<string, string> {
  const { MONGODB_URI: uri } = settings;
  return uri === undefined
    ? {}
    : { ...settings, MONGODB_URI: uri.replace(`/${alias}`, `/${otherAlias}`), INDEX_ALIAS: otherAlias };
}

/** Engines that the environment names live on. */
async function clear(mongoUri: string, elasticsearchUrl: string, name: string): Promise<void> {
  const mongo = await MongoClient.connect(mongoUri);
  const engine = await openElasticsearch({
    address: { nodes: elasticsearchUrl.split(',') },
    alias: name,
    logLine: () => {},
  });
  try {
    await mongo.db().dropDatabase();
    for (const index of await engine.generations.list()) await engine.generations.remove(index, true);
  } finally {
    await Promise.all([mongo.close(), engine.close()]);
  }
}

async function fill(settings: BackendSettings, source: DataSource): Promise<number> {
  const backends = await openIndexer(settings);
  try {
    await backends.whenPrepared();
    if ('count' in source) await loadSample(backends.records, source.count);
    else await importRecords(backends.records, source.files);
    return await backends.records.count();
  } finally {
    await backends.close();
  }
}

async function index(settings: BackendSettings): Promise<void> {
  const backends = await openIndexer(settings);
  try {
    const { deadLetters } = await backends.maintenance.rebuild({ allowsShrink: true });
    if (deadLetters > 0) throw new Error(`${deadLetters} records were not indexed`);
  } finally {
    await backends.close();
  }
}

/** Needs the index. */
export async function pickSomeOf({ backend, records }: FilledEngines): Promise<MediaRecord[]> {
  const backends = await openIndexer(backend);
  try {
    return await pickSome(backends.index, records);
  } finally {
    await backends.close();
  }
}
