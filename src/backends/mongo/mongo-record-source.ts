import { setTimeout as pause } from 'node:timers/promises';
import {
  BSON,
  type ChangeStream,
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  MongoServerError,
  ObjectId,
  type ResumeToken,
  Timestamp,
} from 'mongodb';
import type { MediaRecord } from '#records/media-record.ts';
import { HistoryLost } from '#search/index-maintenance.ts';
import { runOnMongo } from './mongo-faults.ts';
import type { Position } from './mongo-index-journal.ts';
import { type Collections, collectionsOf } from './prepare-collections.ts';
import { idText, type RecordDocument, readDocument, recordProjection, storedIds } from './read-document.ts';

/** Ids sampled per range when the records are split. */
const samplesPerRange = 50;
/** Maximum number of documents without a text id that a scan names. */
const maxForeign = 100;
const outsideRanges = { $or: [{ _id: '' }, { _id: { $not: { $type: 'string' as const } } }] };

/** A record in its current state: its content, or why it cannot be indexed; the reason quotes nothing from it. */
export type RecordState = { record: MediaRecord } | { unreadable: string };

/** Records with ids after one and up to another, in the order of their ids' UTF-8 bytes; null: to the end. */
export interface IdRange {
  after: string;
  upTo: string | null;
}

/** As an index follows them. Reads see only what a majority has, and at least the changes that were followed. */
export class MongoRecordSource {
  readonly #db: Db;
  /** The cluster time of the newest change that was followed. */
  #newest = 0n;
  readonly #records: Collection<RecordDocument>;

  constructor(db: Db) {
    this.#db = db;
    this.#records = db.collection(collectionsOf(db).records.collectionName, { readConcern: { level: 'majority' } });
  }

  /** The current position, at a mark that the change stream returned: everything before it can be read by then. */
  async now(): Promise<Position> {
    return runOnMongo(async () => {
      const startAtOperationTime = await this.#operationTime();
      const mark = await this.#setMark();
      const changes = new Changes(this.#db, { startAtOperationTime });
      try {
        for (;;) {
          const { marks, position } = await changes.next();
          if (!marks.includes(mark)) continue;
          this.#note(position.version);
          return position;
        }
      } finally {
        await changes.close();
      }
    });
  }

  /** In order, until the signal; empty batches while nothing changes, so the position advances. Throws HistoryLost. */
  async *follow({ token, version }: Position, signal: AbortSignal): AsyncIterable<ChangeBatch> {
    const changes = new Changes(this.#db, { startAfter: BSON.EJSON.parse(token) }, version);
    try {
      while (!signal.aborted) {
        const batch = await runOnMongo(() => changes.next());
        this.#note(batch.position.version);
        yield batch;
      }
    } finally {
      await changes.close();
    }
  }

  #note(clusterTime: bigint): void {
    if (clusterTime > this.#newest) this.#newest = clusterTime;
  }

  /** A server answers only once it has the newest followed change: a deposed primary may lack it (decisions/0034). */
  readFollowed<Answer>(read: (session: ClientSession) => Promise<Answer>): Promise<Answer> {
    return this.#db.client.withSession({ causalConsistency: true }, async (session) => {
      if (this.#newest > 0n) session.advanceOperationTime(new Timestamp(this.#newest));
      return read(session);
    });
  }

  /** Sets a mark after everything written so far; a batch from `follow` will name it. */
  async mark(): Promise<string> {
    return runOnMongo(() => this.#setMark());
  }

  /** In their current state, or one later than the changes from `follow`; absent if they do not exist. */
  async read(ids: readonly string[]): Promise<ReadonlyMap<string, RecordState>> {
    if (ids.length === 0) return new Map();
    return this.#read([{ $match: { _id: { $in: ids.flatMap(storedIds) } } }]);
  }

  /** In id order; fewer than the limit: that is all. The first range also names ids that are empty or not text. */
  async readRange({ after, upTo }: IdRange, limit: number): Promise<ReadonlyMap<string, RecordState>> {
    const foreign =
      after === ''
        ? await this.#read([{ $match: outsideRanges }, { $limit: maxForeign }])
        : new Map<string, RecordState>();
    const within = upTo === null ? { $gt: after } : { $gt: after, $lte: upTo };
    const inOrder = await this.#read([{ $match: { _id: within } }, { $sort: { _id: 1 } }, { $limit: limit }]);
    // The last id is the one after which the next one can be queried.
    return foreign.size === 0 ? inOrder : new Map([...foreign, ...inOrder]);
  }

  /** Ids that split the records into about this many ranges of about the same size, in order. */
  async findBoundaries(ranges: number): Promise<string[]> {
    return runOnMongo(async () => {
      const sample = await this.#records
        .aggregate<{ _id: string }>([
          { $sample: { size: ranges * samplesPerRange } },
          { $match: { _id: { $type: 'string' } } },
          { $project: { _id: 1 } },
          { $sort: { _id: 1 } },
        ])
        .toArray();
      const step = sample.length / ranges;
      const boundaries = Array.from({ length: ranges - 1 }, (_, place) => sample[Math.floor((place + 1) * step)]?._id);
      return [...new Set(boundaries.filter((id) => id !== undefined))];
    });
  }

  /** The number of records, readable or not. */
  async count(): Promise<number> {
    return runOnMongo(() => this.#records.countDocuments({}, { hint: { _id: 1 } }));
  }

  /** A time in the history before everything that is written from now on. */
  async #operationTime(): Promise<Timestamp> {
    return this.#db.client.withSession(async (session) => {
      await this.#db.command({ ping: 1 }, { session });
      if (session.operationTime === undefined) throw new TypeError('the server is not in a replica set');
      return session.operationTime;
    });
  }

  async #setMark(): Promise<string> {
    const mark = new ObjectId();
    await collectionsOf(this.#db).marks.insertOne({ _id: mark, at: new Date() });
    return idText(mark);
  }

  async #read(stages: Document[]): Promise<Map<string, RecordState>> {
    const all = [...stages, { $project: recordProjection }];
    return runOnMongo(async () => {
      const documents = await this.readFollowed((session) =>
        this.#records.aggregate(all, { batchSize: 100_000, session }).toArray(),
      );
      return new Map(documents.map((document) => [idText(document._id), stateOf(document)]));
    });
  }
}

function stateOf(document: Document): RecordState {
  const read = readDocument(document);
  return 'record' in read ? read : { unreadable: read.reason };
}

type Change = Document & { _id: Document; clusterTime: Timestamp };
/** What a stream had next; null if nothing happened for a while. */
type Next = { token: ResumeToken; change: Change | null };

const maxEvents = 500;
/** How long a partial batch waits for more, in milliseconds: searches show a change within half a second. */
const gatherMs = 15;
const eventsARead = 1_000;
/** How long the server waits for a change before it reports that there is none, in milliseconds. */
const awaitMs = 500;
/** Server errors that mean a change stream cannot resume. */
const lostCodes: ReadonlySet<unknown> = new Set([
  260, // InvalidResumeToken
  280, // ChangeStreamFatalError
  286, // ChangeStreamHistoryLost
  40_585, // the resume token was not found
  40_615, // the resume token is from another kind of stream
]);

/** Consecutive changes in the history, each record and suppression once. */
export interface ChangeBatch {
  /** The ids of records that were added, changed or deleted, each with the version of its last change. */
  changed: Map<string, bigint>;
  /** The suppressions that were added, by their keys; see records/suppression.ts. */
  suppressed: Map<string, bigint>;
  hasNewSuppressions: boolean;
  marks: string[];
  /** How many changes there were, counting each of the same record. */
  events: number;
  /** The time of the last change; without changes, a time until which there were none. */
  until: Date;
  /** Whether more changes are waiting: the follower is behind. */
  hasMore: boolean;
  /** The position after the batch. */
  position: Position;
}

/** Changes of records, of the suppression list and of marks, in the order of the replica set's history. */
class Changes {
  readonly #stream: ChangeStream<Document, Change>;
  readonly #collections: Collections;
  #version: bigint;
  #upcoming: Promise<Next>;

  /** All changes after a token, or from a time on. */
  constructor(db: Db, from: { startAfter: ResumeToken } | { startAtOperationTime: Timestamp }, version = 0n) {
    this.#collections = collectionsOf(db);
    this.#version = version;
    const { records, suppressions, marks } = this.#collections;
    const names = [records.collectionName, suppressions.collectionName];
    const pipeline = [
      {
        $match: {
          $or: [
            { 'ns.coll': { $in: names }, operationType: { $in: ['insert', 'update', 'replace', 'delete'] } },
            { 'ns.coll': marks.collectionName, operationType: 'insert' },
            { 'ns.coll': records.collectionName, operationType: { $in: ['drop', 'rename'] } },
            { operationType: { $in: ['dropDatabase', 'invalidate'] } },
          ],
        },
      },
      // Without the documents: large ones would not fit into an event.
      { $project: { operationType: 1, ns: 1, documentKey: 1, clusterTime: 1, wallTime: 1 } },
    ];
    this.#stream = db.watch<Document, Change>(pipeline, { batchSize: eventsARead, maxAwaitTimeMS: awaitMs, ...from });
    this.#upcoming = this.#readAhead();
  }

  /** The changes that follow each other at once, or nearly so; none if nothing happened for a while. Throws HistoryLost. */
  async next(): Promise<ChangeBatch> {
    let next: Next | null = await this.#upcoming;
    const batch: ChangeBatch = {
      changed: new Map(),
      suppressed: new Map(),
      hasNewSuppressions: false,
      marks: [],
      events: 0,
      until: new Date(),
      hasMore: false,
      position: this.#positionAt(next),
    };
    if (next.change === null) this.#upcoming = this.#readAhead();
    const end = pause(gatherMs).then(() => null);
    while (next?.change) {
      this.#upcoming = this.#readAhead();
      this.#add(batch, next.change);
      batch.position = this.#positionAt(next);
      batch.hasMore = batch.events >= maxEvents;
      next = batch.hasMore ? null : await Promise.race([this.#upcoming, end]);
    }
    return batch;
  }

  async close(): Promise<void> {
    await this.#stream.close();
  }

  #positionAt({ token, change }: Next): Position {
    if (change !== null) this.#version = change.clusterTime.toBigInt();
    return { token: BSON.EJSON.stringify(token as Document), version: this.#version };
  }

  #add(batch: ChangeBatch, { operationType, ns, documentKey, clusterTime, wallTime }: Change): void {
    if (documentKey === undefined) {
      throw new HistoryLost(`The collection ${ns?.coll ?? 'of records'} was changed as a whole: ${operationType}.`);
    }
    const id = idText(documentKey._id);
    const version = clusterTime.toBigInt();
    batch.until = wallTime ?? new Date(clusterTime.getHighBitsUnsigned() * 1000);
    if (ns.coll === this.#collections.marks.collectionName) {
      batch.marks.push(id);
      return;
    }
    batch.events += 1;
    if (ns.coll === this.#collections.records.collectionName) {
      batch.changed.set(id, version);
    } else {
      batch.hasNewSuppressions = true;
      if (operationType !== 'delete') batch.suppressed.set(id, version);
    }
  }

  #readAhead(): Promise<Next> {
    const next = this.#read();
    // A caller that leaves early never awaits it, so its error must not be unhandled.
    next.catch(() => {});
    return next;
  }

  async #read(): Promise<Next> {
    try {
      const change = await this.#stream.tryNext();
      return { token: change?._id ?? this.#stream.resumeToken, change };
    } catch (error) {
      if (!(error instanceof MongoServerError) || !lostCodes.has(error.code)) throw error;
      throw new HistoryLost(`MongoDB no longer has all changes since then (${error.codeName ?? error.code}).`);
    }
  }
}
