import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MediaRecord } from '#domain/media-record.ts';
import { type Backends, openBackends } from '#src/open-backends.ts';

/** A backend with nothing in it, of a test's own. */
export interface TestBackend extends Backends {
  /** Stores the records and returns when searches find them. */
  load(records: readonly MediaRecord[]): Promise<void>;
  /** Whether the engine still holds a moment of the data for somebody. */
  holdsScan(): Promise<boolean>;
  /** Returns when searches see all that the stores hold. */
  settle(): Promise<void>;
}

/** Every backend that the contract and HTTP suites run on. */
export const testBackends: readonly { name: string; open(): Promise<TestBackend> }[] = [
  { name: 'embedded', open: openEmbeddedForTest },
];

async function openEmbeddedForTest(): Promise<TestBackend> {
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-test-'));
  const backends = await openBackends({ dataDir });
  return {
    ...backends,
    async load(records) {
      await backends.records.merge(records);
    },
    async settle() {},
    async holdsScan() {
      const database = new DatabaseSync(join(dataDir, 'masthead.db'));
      try {
        // What a reader still reads of the log keeps it from being emptied.
        return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0;
      } finally {
        database.close();
      }
    },
    async close() {
      await backends.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
