import type { MediaRecord } from '../../src/records/media-record.ts';
import { importRecords } from '../relevance/import-records.ts';
import { openScratch } from '../relevance/open-scratch.ts';

/** The records of files, as an import leaves them. */
export async function* readRecords(files: readonly string[]): AsyncGenerator<MediaRecord> {
  const scratch = await openScratch();
  try {
    await importRecords(scratch.records, files);
    for await (const batch of await scratch.index.scan({ text: null, filters: [] })) yield* batch;
  } finally {
    await scratch.close();
  }
}
