import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BSON, type Db, type Document } from 'mongodb';
import { parseJson } from '#text/json.ts';
import { identityKey, identityKind, identityOfCopy } from '../store-identity.ts';
import { type BackupDocument, type BackupHeading, listCollections } from './back-up.ts';
import type { KeyedDocument } from './mongo-keyed-store.ts';

/** Documents that are written together. */
const batchSize = 1_000;

/** How many documents each collection has now. */
export type RestoredCounts = Record<string, number>;

/**
 * Fills an empty database from a backup. Throws an Error with what to do, before anything is written, if the database is not
 * empty or the file is not a whole backup. Indexes are made by the next start of the service.
 */
export async function restore(db: Db, file: string): Promise<RestoredCounts> {
  await requireEmpty(db);
  const { heading, counts } = await readEnds(file);
  for await (const { collection, documents } of readBatches(file)) {
    await db.collection(collection).insertMany(documents, { ordered: false });
  }
  await markAsCopy(db, new Date(heading.at));
  return counts;
}

/** Reads the whole file for its first and its last line. */
async function readEnds(file: string): Promise<{ heading: BackupHeading; counts: RestoredCounts }> {
  let first: string | null = null;
  let last = '';
  for await (const line of readLines(file)) {
    first ??= line;
    last = line;
  }
  const heading: Partial<BackupHeading> | null = parseJson(first ?? '');
  if (heading?.masthead_backup !== 1 || heading.at === undefined)
    throw new Error(describeFault(file, 'its first line is another'));
  const end: { counts?: RestoredCounts } | null = parseJson(last);
  if (end?.counts === undefined) throw new Error(describeFault(file, 'its last line is missing'));
  return { heading: { masthead_backup: 1, at: heading.at }, counts: end.counts };
}

interface Batch {
  collection: string;
  documents: Document[];
}

/** The documents of a whole backup, in batches of one collection. */
async function* readBatches(file: string): AsyncGenerator<Batch> {
  let batch: Batch | null = null;
  for await (const text of readLines(file)) {
    const line: Partial<BackupDocument> = BSON.EJSON.parse(text, { relaxed: false });
    if (line.collection === undefined || line.document === undefined) continue;
    if (batch !== null && (line.collection !== batch.collection || batch.documents.length === batchSize)) {
      yield batch;
      batch = null;
    }
    batch ??= { collection: line.collection, documents: [] };
    batch.documents.push(line.document);
  }
  if (batch !== null) yield batch;
}

/** Nothing is ever replaced. Collections that a start of the service made are empty. */
async function requireEmpty(db: Db): Promise<void> {
  for (const name of await listCollections(db)) {
    if ((await db.collection(name).findOne({}, { projection: { _id: 1 } })) === null) continue;
    throw new Error(
      `the database ${db.databaseName} is not empty: ${name} has documents. Name an empty one in MONGODB_URI, such as ${db.databaseName}2.`,
    );
  }
}

async function markAsCopy(db: Db, at: Date): Promise<void> {
  const body = identityOfCopy(at);
  const document: KeyedDocument = {
    _id: identityKey,
    version: 'first',
    owner: null,
    order: '',
    expires_at: null,
    body,
  };
  await db.collection<KeyedDocument>(identityKind.name).replaceOne({ _id: identityKey }, document, { upsert: true });
}

function describeFault(file: string, reason: string): string {
  return `${file} is cut off, damaged or no backup that \`admin backup\` made of MongoDB (${reason}). Nothing was changed.`;
}

/** The lines of a gzipped file; fails with the error of the file or of gzip. */
async function* readLines(file: string): AsyncGenerator<string> {
  const text = createGunzip();
  // Its error also ends the text below.
  pipeline(createReadStream(file), text).catch(() => {});
  text.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of text) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) throw new Error(describeFault(file, message));
    throw code === '' ? error : new Error(`${file} cannot be read (${code}).`);
  }
}
