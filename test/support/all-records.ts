import type { MongoRecordSource } from '#backends/mongo/mongo-record-source.ts';
import { readPages } from '#indexer/syncing/rebuild-index.ts';
import type { MediaRecord } from '#records/media-record.ts';

/** Every record in MongoDB that can be read, in the order of their ids. */
export async function* allRecords(source: MongoRecordSource): AsyncGenerator<MediaRecord> {
  for await (const page of readPages(source, { after: '', upTo: null })) {
    for (const state of page.values()) if ('record' in state) yield state.record;
  }
}
