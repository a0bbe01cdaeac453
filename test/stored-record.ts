import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readState } from '#backends/embedded/record-row.ts';
import type { MongoRecordSource } from '#backends/mongo/mongo-record-source.ts';
import type { MediaRecord } from '#records/media-record.ts';

/** Where records are stored, whether or not a search finds them: in MongoDB, or in the file of a data folder. */
export type Stored = { syncDeps: { source: Pick<MongoRecordSource, 'read'> } } | { dataDir: string };

/** The record that a store holds under an id; null if there is none, or none that is readable. */
export async function storedRecord(stored: Stored, id: string): Promise<MediaRecord | null> {
  const state =
    'dataDir' in stored ? readFromFile(stored.dataDir, id) : (await stored.syncDeps.source.read([id])).get(id);
  return state !== undefined && 'record' in state ? state.record : null;
}

function readFromFile(dataDir: string, id: string) {
  const database = new DatabaseSync(join(dataDir, 'masthead.db'), { readOnly: true });
  try {
    const row = database.prepare('SELECT id, body, email, email_source FROM records WHERE id = ?').get(id);
    return row && readState(row);
  } finally {
    database.close();
  }
}
