import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BSON, type ClientSession, type Db, type Document, MongoServerError } from 'mongodb';
import { backupKey, backupKind } from '../backups.ts';
import { lockKind, slotKind } from '../leases.ts';
import { identityKind } from '../store-identity.ts';
import { probeKind } from './mongo-health.ts';
import { generationKind } from './mongo-index-journal.ts';
import { MongoKeyedStore } from './mongo-keyed-store.ts';

/**
 * What a backup leaves out, because it is true only of the running service: who holds what, counts of this minute, how far an
 * index has come, and which store this is.
 */
const passing: ReadonlySet<string> = new Set([
  ...[lockKind, slotKind, probeKind, generationKind, identityKind].map(({ name }) => name),
  'rate_limits',
  'sync_marks',
]);

/** The first line of a backup. */
export interface BackupHeading {
  masthead_backup: 1;
  /** When the snapshot was taken, in ISO 8601. */
  at: string;
}

/** A line of a backup. The last one is `{"counts":{…}}`: how many documents of each collection there are. */
export interface BackupDocument {
  collection: string;
  document: Document;
}

/** The server forgets a snapshot after this parameter's time, by default five minutes. */
const snapshotTooOld = 239;

/**
 * Everything of a database as it was at one moment: gzipped lines of MongoDB's extended JSON. The service and the sync may be
 * running. `onCounts` gets how many documents of each collection were read.
 */
export function streamBackup(db: Db, at: Date, onCounts: (counts: Record<string, number>) => void): Readable {
  const gzip = createGzip();
  // An error of the lines also ends the file.
  pipeline(readLines(db, at, onCounts), gzip).catch(() => {});
  return gzip;
}

/** Notes in the store when it was last backed up. */
export async function noteBackup(db: Db, at: Date): Promise<void> {
  await new MongoKeyedStore(db, backupKind).change(backupKey, () => ({ at: at.toISOString() }));
}

async function* readLines(
  db: Db,
  at: Date,
  onCounts: (counts: Record<string, number>) => void,
): AsyncGenerator<string> {
  const heading: BackupHeading = { masthead_backup: 1, at: at.toISOString() };
  yield `${JSON.stringify(heading)}\n`;
  const counts: Record<string, number> = {};
  // All reads of this session see the state at the time of its first one.
  await using session = db.client.startSession({ snapshot: true });
  try {
    for (const collection of await listCollections(db)) {
      let count = 0;
      for await (const document of readAll(db, collection, session)) {
        count += 1;
        yield `${BSON.EJSON.stringify({ collection, document }, { relaxed: false })}\n`;
      }
      counts[collection] = count;
    }
  } catch (error) {
    throw explain(error);
  }
  yield `${JSON.stringify({ counts })}\n`;
  onCounts(counts);
}

/** The collections that a backup holds. */
export async function listCollections(db: Db): Promise<string[]> {
  const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !passing.has(name) && !name.startsWith('system.'));
}

/** Numbers keep their type: 64 bits, or 32. */
function readAll(db: Db, collection: string, session: ClientSession): AsyncIterable<Document> {
  return db.collection(collection).find({}, { session, promoteLongs: false, promoteValues: false, batchSize: 1_000 });
}

function explain(error: unknown): unknown {
  if (!(error instanceof MongoServerError)) return error;
  if (error.code === snapshotTooOld) {
    return new Error(
      'the backup took longer than MongoDB keeps a snapshot. Raise minSnapshotHistoryWindowInSeconds (300 by default) and run it again.',
    );
  }
  return error;
}
