import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import type { RecordStore } from '#ports/record-store.ts';
import type { SearchIndex } from '#ports/search-index.ts';

/** A store of its own for one run, which is gone once it is closed. */
export interface Scratch {
  records: RecordStore;
  index: SearchIndex;
  /** Returns when searches find all that was saved. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** The embedded store in a temporary folder: what is saved is found at once. */
export async function openScratch(): Promise<Scratch> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-relevance-'));
  const { records, index, close } = openEmbedded({ dataDir });
  return {
    records,
    index,
    async settle() {},
    async close() {
      await close();
      await rm(dataDir, { recursive: true });
    },
  };
}
