import { setTimeout as pause } from 'node:timers/promises';
import {
  BSON,
  type ChangeStream,
  type Db,
  type Document,
  MongoServerError,
  type ResumeToken,
  type Timestamp,
} from 'mongodb';
import { HistoryLost } from '#search/indexed/index-maintenance.ts';
import type { Position } from './mongo-index-journal.ts';
import { type Collections, collectionsOf } from './prepare-collections.ts';
import { idText } from './read-document.ts';

type Change = Document & { _id: Document; clusterTime: Timestamp };
/** What came next in the stream; `change` is null if nothing happened for a while. */
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
export type ChangeBatch = ReturnType<typeof emptyBatch>;

/** @param position the position after the batch */
function emptyBatch(position: Position) {
  return {
    /** The ids of records that were added, changed or deleted, each with the version of its last change. */
    changed: new Map<string, bigint>(),
    /** Those of them that were added. */
    inserted: new Set<string>(),
    /** The suppressions that were added, by their keys; see records/suppression.ts. */
    suppressed: new Map<string, bigint>(),
    /** Whether the suppression list changed: something was added or released. */
    hasOtherSuppressions: false,
    marks: [] as string[],
    /** How many changes there were, counting each of the same record. */
    events: 0,
    /** The time of the last change; without changes, a time until which there were none. */
    until: new Date(),
    /** Whether more changes are waiting: the follower is behind. */
    hasMore: false,
    position,
  };
}

/** Reads the changes of records, suppressions and marks, in the order of the replica set's history. */
export class ChangeBatches {
  readonly #stream: ChangeStream<Document, Change>;
  readonly #collections: Collections;
  #version: bigint;
  #upcoming: Promise<Next>;

  /** Starts after a token, or at a time. */
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

  /** The changes that come within a few milliseconds; an empty batch if nothing happens for a while. Throws HistoryLost. */
  async next(): Promise<ChangeBatch> {
    let next: Next | null = await this.#upcoming;
    const batch = emptyBatch(this.#positionAt(next));
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

  async [Symbol.asyncDispose](): Promise<void> {
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
      if (operationType === 'insert') batch.inserted.add(id);
    } else {
      batch.hasOtherSuppressions = true;
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
