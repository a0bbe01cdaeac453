import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../../indexer/importing/run-import.ts';
import type { RecordStore } from '../../src/records/record-store.ts';

/**
 * Imports whole files, as data staff do. Prints rejected rows on standard error.
 *
 * @throws Error if a file cannot be read completely: figures for part of the data would mislead.
 */
export async function importRecords(records: RecordStore, files: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'masthead-rejects-'));
  try {
    const summary = await importFiles(files, {
      records,
      dryRun: false,
      removesSample: false,
      kind: 'outlet',
      rejectsFolder: folder,
    });
    for (const { file, refused, broken, stopped } of summary.files) {
      const fault = refused?.reason ?? broken ?? stopped;
      if (fault !== null) throw new Error(`${file}: ${fault}`);
    }
    if (summary.rejected > 0) console.error(`${summary.rejected} of ${summary.read} rows were rejected`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
