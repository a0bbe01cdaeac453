import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/backends/embedded/open-embedded.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { loadSample } from '../../src/sample/generate-sample.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { importRecords } from '../relevance/import-records.ts';

/** The records to search: generated ones, or those of files. */
export type DataSource = { count: number } | { files: readonly string[] };

/** An embedded store filled for a benchmark. */
export interface LoadedData {
  dataDir: string;
  records: number;
  /** Spread evenly over the store, for making questions. */
  some: MediaRecord[];
  remove(): Promise<void>;
}

const maxPicked = 20_000;

/** Fills a new store in the temporary folder of the system. */
export async function loadEmbedded(source: DataSource): Promise<LoadedData> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-bench-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  const store = openEmbedded({ dataDir, logLine: () => {} });
  try {
    if ('count' in source) await loadSample(store.records, source.count);
    else await importRecords(store.records, source.files);
    const records = await store.records.count();
    await store.maintenance.settle(records);
    return { dataDir, records, some: await pickSome(store.index, records), remove };
  } catch (error) {
    await remove();
    throw error;
  } finally {
    await store.close();
  }
}

/** At most 20,000 records, spread evenly over the store. */
export async function pickSome(index: SearchIndex, count: number): Promise<MediaRecord[]> {
  const step = Math.ceil(count / maxPicked);
  const picked: MediaRecord[] = [];
  let place = 0;
  for await (const batch of await index.scan({ text: null, filters: [] })) {
    for (const record of batch) {
      if (place % step === 0) picked.push(record);
      place += 1;
    }
  }
  return picked;
}
