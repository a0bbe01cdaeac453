import type { Client } from '@elastic/elasticsearch';
import { type MongoClient, Timestamp } from 'mongodb';
import { documentLine, indexDocument } from '../../src/backends/elasticsearch/index-document.ts';
import type { Position } from '../../src/backends/mongo/mongo-index-journal.ts';
import { readDocument } from '../../src/backends/mongo/read-document.ts';

const eventsARead = 1_000;
const changesABulk = 1_000;

/** The cost of only reading the change stream, with the records' current state: changes per second. */
export async function drainBarely(mongo: MongoClient, from: Position, changes: number): Promise<number> {
  const stream = openStream(mongo, from);
  const start = performance.now();
  for (let read = 0; read < changes; read += 1) await stream.next();
  const rate = (changes * 1_000) / (performance.now() - start);
  await stream.close();
  return rate;
}

/**
 * The same reader, which hands over to the engine what was made before the clock ran, two requests at a time: what a sync
 * would do that had nothing to read, to compute or to check. Changes a second.
 *
 * @param bulks as makeBulks gives them
 */
export async function drainReadyMade(
  { mongo, engine, index }: { mongo: MongoClient; engine: Client; index: string },
  from: Position,
  bulks: readonly Buffer[],
): Promise<number> {
  const stream = openStream(mongo, from);
  let [earlier, latest]: Promise<void>[] = [Promise.resolve(), Promise.resolve()];
  const start = performance.now();
  for (const bulk of bulks) {
    for (let read = 0; read < changesABulk; read += 1) await stream.next();
    await earlier;
    [earlier, latest] = [latest, sendBulk(engine, index, bulk)];
  }
  await Promise.all([earlier, latest]);
  const rate = (bulks.length * changesABulk * 1_000) / (performance.now() - start);
  await stream.close();
  return rate;
}

/** The current state of the records with these ids as bodies of bulk requests. */
export async function makeBulks(mongo: MongoClient, ids: readonly string[], version: bigint): Promise<Buffer[]> {
  const records = mongo.db().collection<{ _id: string }>('records');
  const bulks: Buffer[] = [];
  for (let end = changesABulk; end <= ids.length; end += changesABulk) {
    const documents = await records.find({ _id: { $in: ids.slice(end - changesABulk, end) } }).toArray();
    const lines = documents.flatMap((document) => {
      const read = readDocument(document);
      if (!('record' in read)) throw new Error(read.reason);
      const target = { _id: document._id, version: String(version), version_type: 'external_gte' };
      return [Buffer.from(`${JSON.stringify({ index: target })}\n`), documentLine(indexDocument(read.record))];
    });
    bulks.push(Buffer.concat(lines));
  }
  return bulks;
}

async function sendBulk(engine: Client, index: string, bulk: Buffer): Promise<void> {
  const { errors } = await engine.bulk({ index, operations: bulk as unknown as [], filter_path: 'errors' });
  if (errors) throw new Error('Elasticsearch refused documents');
}

function openStream(mongo: MongoClient, { version }: Position) {
  return mongo
    .db()
    .collection('records')
    .watch([], {
      fullDocument: 'updateLookup',
      startAtOperationTime: new Timestamp({ t: Number(version >> 32n), i: Number(version & 0xffff_ffffn) }),
      batchSize: eventsARead,
    });
}
