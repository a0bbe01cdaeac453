import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaRecord } from '#domain/media-record.ts';
import { loadSample } from '#indexer/load-sample.ts';
import { Dice } from '#indexer/sample/dice.ts';
import { rebuildIndex } from '#indexer/upkeep/rebuild-index.ts';
import { type BackendSettings, type Backends, openBackends } from '#src/open-backends.ts';
import { allRecords } from '#test/all-records.ts';
import { startSharedEngines } from '#test/engines/shared-engines.ts';
import { issueKey } from '#usecases/issue-key.ts';
import { openBareElasticsearchScan } from './bare-elasticsearch-scan.ts';
import { openBareSqliteScan } from './bare-sqlite-scan.ts';
import { type BareScan, type ExportFigures, measureExport } from './export.ts';
import { startProduct } from './product-server.ts';
import { questionClasses, questionData, toPath } from './search-questions.ts';

export interface ExportRun {
  backend: 'embedded' | 'production';
  records: number;
  rounds: number;
  hangUps: number;
  slowSeconds: number;
}

/** A backend filled for the benchmark. */
interface Filled {
  /** By which the service finds it. */
  settings: Record<string, string>;
  backend: BackendSettings;
  openBare(): BareScan;
  remove(): Promise<void>;
}

const keyCount = 20;
const searchCount = 300;
const indexAlias = 'masthead-bench';

/** Fills a backend of its own with generated records, measures exports from it, and removes it. */
export async function runExport(run: ExportRun): Promise<ExportFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-bench-'));
  const filled = run.backend === 'embedded' ? embedded(dataDir) : await production(dataDir);
  try {
    const pepper = randomBytes(32).toString('hex');
    const { keys, some } = await fill(filled.backend, pepper, run.records);
    const bare = filled.openBare();
    const product = await startProduct({ ...filled.settings, KEY_PEPPER: pepper }, join(dataDir, 'server.log'));
    try {
      const questions = questionData(some, new Dice(1));
      const searches = Array.from({ length: searchCount }, () => toPath(questionClasses['two words'](questions)));
      return await measureExport(product, bare, { ...run, keys, searches });
    } finally {
      await product.stop();
      await bare.close();
    }
  } finally {
    await filled.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function embedded(dataDir: string): Filled {
  return {
    settings: { MASTHEAD_DATA_DIR: dataDir },
    backend: { dataDir },
    openBare: () => openBareSqliteScan(dataDir),
    remove: async () => {},
  };
}

/** On engines that the environment names, or that are started for this (test/engines/). */
async function production(dataDir: string): Promise<Filled> {
  const engines = await startSharedEngines((line) => console.error(line));
  const { mongodb, elasticsearch } = engines.urls;
  if (mongodb === null || elasticsearch === null) {
    await engines.stop();
    throw new Error('no MongoDB or Elasticsearch is to be had');
  }
  const mongoUri = mongodb.replace(/\/?(\?|$)/, '/masthead-bench$1');
  return {
    settings: {
      MONGODB_URI: mongoUri,
      ELASTICSEARCH_URL: elasticsearch,
      INDEX_ALIAS: indexAlias,
      PAYMENTS: 'sandbox',
      MASTHEAD_DATA_DIR: dataDir,
    },
    backend: { dataDir, mongoUri, elasticsearchUrl: elasticsearch, elasticsearchApiKey: null, indexAlias },
    openBare: () => openBareElasticsearchScan(elasticsearch, indexAlias),
    remove: () => engines.stop(),
  };
}

/** Answers Premium keys, and some of the records for making questions. */
async function fill(
  settings: BackendSettings,
  pepper: string,
  count: number,
): Promise<{ keys: string[]; some: MediaRecord[] }> {
  const backends = await openBackends(settings);
  try {
    await backends.whenPrepared();
    await loadSample(backends.records, count);
    await index(backends);
    const some: MediaRecord[] = [];
    for await (const record of allRecords(backends.upkeep.source)) {
      some.push(record);
      if (some.length === 10_000) break;
    }
    const keys: string[] = [];
    while (keys.length < keyCount) {
      const grant = { tier: 'premium', days: 1, email: null } as const;
      keys.push((await issueKey({ ...backends, operator: 'bench' }, pepper, grant, new Date())).key);
    }
    return { keys, some };
  } finally {
    await backends.close();
  }
}

async function index({ kind, upkeep }: Backends): Promise<void> {
  if (kind === 'embedded') return;
  const { deadLetters } = await rebuildIndex(upkeep, { allowsShrink: true });
  if (deadLetters > 0) throw new Error(`${deadLetters} records were not indexed`);
}
