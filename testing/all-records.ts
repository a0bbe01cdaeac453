import type { MediaRecord } from '#domain/media-record.ts';
import type { RecordSource } from '#ports/record-source.ts';
import { readPages } from '#src/syncing/read-pages.ts';

/** Every record of a store that can be read, in the order of their ids. */
export async function* allRecords(source: RecordSource): AsyncGenerator<MediaRecord> {
  for await (const page of readPages(source, { after: '', upTo: null })) {
    for (const state of page.values()) if ('record' in state) yield state.record;
  }
}
