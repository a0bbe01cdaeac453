import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../src/backends/embedded/open-embedded.ts';
import type { RecordStore } from '../../src/records/record-store.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { startSharedEngines } from '../../test/support/engines/start-engine.ts';
import { openProduction } from '../../test/support/open-production.ts';

/** A separate store for one run, deleted when it is closed. */
export interface Scratch {
  records: RecordStore;
  index: SearchIndex;
  /** Resolves when searches find everything that was saved. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** An embedded store in a temporary folder, or an existing one, which is not deleted. Writes are searchable at once. */
export async function openScratch(store?: string): Promise<Scratch> {
  const dataDir = store ?? (await mkdtemp(join(tmpdir(), 'masthead-relevance-')));
  const { records, index, maintenance, close } = openEmbedded(dataDir);
  return {
    records,
    index,
    settle: async () => maintenance.settle(await records.count()),
    async close() {
      await close();
      if (store === undefined) await rm(dataDir, { recursive: true });
    },
  };
}

/** A store on MongoDB and Elasticsearch: those that the environment names, or new ones (test/support/engines/). */
export async function openProductionScratch(): Promise<Scratch> {
  const engines = await startSharedEngines((line) => console.error(line));
  const { mongodb, elasticsearch } = engines.urls;
  if (mongodb === null || elasticsearch === null) throw new Error('MongoDB or Elasticsearch is not available.');
  const scratch = await openScratchOn(mongodb, elasticsearch);
  return {
    ...scratch,
    async close() {
      await scratch.close();
      await engines.stop();
    },
  };
}

/** The same on engines that already run. */
export async function openScratchOn(mongodb: string, elasticsearch: string): Promise<Scratch> {
  const { records, index, reindex, whenPrepared, close } = await openProduction({ mongodb, elasticsearch });
  await whenPrepared();
  return {
    records,
    index,
    close,
    async settle() {
      const { deadLetters } = await reindex(true);
      if (deadLetters > 0) throw new Error(`${deadLetters} records were not indexed`);
    },
  };
}
