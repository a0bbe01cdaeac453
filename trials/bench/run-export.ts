import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openIndexer } from '../../indexer/open-indexer.ts';
import { issueKey } from '../../src/accounts/keys.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import type { BackendSettings } from '../../src/start/open-backends.ts';
import { openBareElasticsearchScan } from './bare-elasticsearch-scan.ts';
import { openBareSqliteScan } from './bare-sqlite-scan.ts';
import { type BareScan, type ExportFigures, type ExportPlan, measureExport } from './export.ts';
import type { LoadedData } from './load-data.ts';
import type { ProductionData } from './load-production.ts';
import { startProduct } from './product-server.ts';
import { questionClasses, questionData, toPath } from './search-questions.ts';

export type ExportRun = Pick<ExportPlan, 'rounds' | 'formats' | 'hangUps' | 'slowSeconds'>;

const keyCount = 20;
const searchCount = 300;

/** Measures exports from an embedded store. */
export async function runEmbeddedExport({ dataDir, some }: LoadedData, run: ExportRun): Promise<ExportFigures> {
  const filled = { dataDir, some, settings: { MASTHEAD_DATA_DIR: dataDir }, backend: { dataDir } };
  return runExport(filled, openBareSqliteScan(dataDir), run);
}

/** Measures exports from the engines. */
export async function runProductionExport(data: ProductionData, run: ExportRun): Promise<ExportFigures> {
  return runExport(data, openBareElasticsearchScan(data.elasticsearchUrl, data.alias), run);
}

/** A backend that is filled. */
interface Filled {
  dataDir: string;
  /** By which the service finds it. */
  settings: Record<string, string>;
  backend: BackendSettings;
  some: readonly MediaRecord[];
}

async function runExport(filled: Filled, bare: BareScan, run: ExportRun): Promise<ExportFigures> {
  const pepper = randomBytes(32).toString('hex');
  const keys = await issueKeys(filled.backend, pepper);
  const product = await startProduct({ ...filled.settings, KEY_PEPPER: pepper }, join(filled.dataDir, 'server.log'));
  try {
    const questions = questionData(filled.some, new Dice(1));
    const searches = Array.from({ length: searchCount }, () => toPath(questionClasses['two words'](questions)));
    return await measureExport(product, bare, { ...run, keys, searches });
  } finally {
    await product.stop();
    await bare.close();
  }
}

/** Premium keys, since each may run only two exports at once. */
export async function issueKeys(settings: BackendSettings, pepper: string): Promise<string[]> {
  const backends = await openIndexer(settings);
  try {
    await backends.whenPrepared();
    const keys: string[] = [];
    while (keys.length < keyCount) {
      const grant = { tier: 'premium', days: 1, email: null } as const;
      keys.push((await issueKey({ ...backends, operator: 'bench' }, pepper, grant, new Date())).key);
    }
    return keys;
  } finally {
    await backends.close();
  }
}
