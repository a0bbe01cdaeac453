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
import { HistoryLost } from '#search/index-maintenance.ts';
import type { Position } from './mongo-index-journal.ts';
import { type Collections, collectionsOf } from './prepare-collections.ts';
import { idText } from './read-document.ts';

/** One change in the database; a `record`, `suppression` or `mark` says which one it is about. */
export interface StoreEvent {
  token: ResumeToken;
  version: bigint;
  at: Date;
  /** The id of a record that was added, changed or deleted, as text and as stored. */
  record?: { id: string; stored: unknown };
  suppression?: { key: string; isAdded: boolean };
  mark?: string;
}

/** Nothing happened for a while; the history is at the token. */
export interface Idle {
  token: ResumeToken;
  isIdle: true;
}

type Change = Document & { _id: Document; clusterTime: Timestamp };

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

/** Changes of records, of the suppression list and of marks, in the order of the replica set's history. */
export class Changes {
  readonly #stream: ChangeStream<Document, Change>;
  readonly #collections: Collections;

  constructor(collections: Collections, stream: ChangeStream<Document, Change>) {
    this.#stream = stream;
    this.#collections = collections;
  }

  /**
   * The next event, or a report that there was none for a while.
   *
   * @throws HistoryLost
   */
  async next(): Promise<StoreEvent | Idle> {
    const change = await withHistory(() => this.#stream.tryNext());
    if (change !== null) return this.#read(change);
    return { token: this.#stream.resumeToken, isIdle: true };
  }

  async close(): Promise<void> {
    await this.#stream.close();
  }

  #read({ _id, operationType, ns, documentKey, clusterTime, wallTime }: Change): StoreEvent {
    if (documentKey === undefined) {
      throw new HistoryLost(`The collection ${ns?.coll ?? 'of records'} was changed as a whole: ${operationType}.`);
    }
    const id = idText(documentKey._id);
    const event = {
      token: _id,
      version: clusterTime.toBigInt(),
      at: wallTime ?? new Date(clusterTime.getHighBitsUnsigned() * 1000),
    };
    const { records, suppressions } = this.#collections;
    if (ns.coll === records.collectionName) return { ...event, record: { id, stored: documentKey._id } };
    if (ns.coll === suppressions.collectionName) {
      return { ...event, suppression: { key: id, isAdded: operationType !== 'delete' } };
    }
    return { ...event, mark: id };
  }
}

/** Opens a stream of all changes after a token, or from a time on. */
export function openChanges(db: Db, from: { startAfter: ResumeToken } | { startAtOperationTime: Timestamp }): Changes {
  const collections = collectionsOf(db);
  const records = collections.records.collectionName;
  const names = [records, collections.suppressions.collectionName];
  const pipeline = [
    {
      $match: {
        $or: [
          { 'ns.coll': { $in: names }, operationType: { $in: ['insert', 'update', 'replace', 'delete'] } },
          { 'ns.coll': collections.marks.collectionName, operationType: 'insert' },
          { 'ns.coll': records, operationType: { $in: ['drop', 'rename'] } },
          { operationType: { $in: ['dropDatabase', 'invalidate'] } },
        ],
      },
    },
    // Without the documents: large ones would not fit into an event.
    { $project: { operationType: 1, ns: 1, documentKey: 1, clusterTime: 1, wallTime: 1 } },
  ];
  const stream = db.watch<Document, Change>(pipeline, {
    batchSize: eventsARead,
    maxAwaitTimeMS: awaitMs,
    ...from,
  });
  return new Changes(collections, stream);
}

async function withHistory<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MongoServerError) || !lostCodes.has(error.code)) throw error;
    throw new HistoryLost(`MongoDB no longer has all changes since then (${error.codeName ?? error.code}).`);
  }
}

/** Consecutive changes in the history, each record and suppression once. */
export interface ChangeBatch {
  /** The ids of records that were added, changed or deleted, each with the version of its last change. */
  changed: ReadonlyMap<string, bigint>;
  /** The suppressions that were added, by their keys; see records/suppression.ts. */
  suppressed: ReadonlyMap<string, bigint>;
  /** Whether the suppression list changed. */
  hasNewSuppressions: boolean;
  /** The marks that were set. */
  marks: readonly string[];
  /** How many changes there were, counting each of the same record. */
  events: number;
  /** The time of the last change; without changes, a time until which there were none. */
  until: Date;
  /** Whether more changes are waiting: the follower is behind. */
  hasMore: boolean;
  /** The position after the batch. */
  position: Position;
}

/** Groups the events of a change stream into batches; the next event is always being fetched. */
export class BatchReader {
  readonly #changes: Changes;
  #version: bigint;
  #upcoming: Promise<StoreEvent | Idle>;

  constructor(changes: Changes, version: bigint) {
    this.#changes = changes;
    this.#version = version;
    this.#upcoming = this.#readAhead();
  }

  async next(): Promise<GatheredChanges> {
    const first = await this.#upcoming;
    this.#upcoming = this.#readAhead();
    const batch = new GatheredChanges(first.token, this.#version);
    if (!('isIdle' in first)) {
      batch.add(first);
      await this.#gather(batch);
    }
    this.#version = batch.version;
    return batch;
  }

  /** Adds what follows at once, or nearly so. */
  async #gather(batch: GatheredChanges): Promise<void> {
    const end = pause(gatherMs).then(() => null);
    while (batch.events < maxEvents) {
      const event = await Promise.race([this.#upcoming, end]);
      if (event === null || 'isIdle' in event) return;
      batch.add(event);
      this.#upcoming = this.#readAhead();
    }
  }

  #readAhead(): Promise<StoreEvent | Idle> {
    const next = this.#changes.next();
    // A caller that leaves early never awaits it, so its error must not be unhandled.
    next.catch(() => {});
    return next;
  }
}

class GatheredChanges implements ChangeBatch {
  readonly changed = new Map<string, bigint>();
  readonly suppressed = new Map<string, bigint>();
  readonly marks: string[] = [];
  readonly foreignIds = new Map<string, unknown>();
  hasNewSuppressions = false;
  events = 0;
  until = new Date();
  version: bigint;
  #token: ResumeToken;

  constructor(token: ResumeToken, version: bigint) {
    this.#token = token;
    this.version = version;
  }

  get hasMore(): boolean {
    return this.events >= maxEvents;
  }

  get position(): Position {
    return { token: BSON.EJSON.stringify(this.#token as Document), version: this.version };
  }

  add({ token, version, at, record, suppression, mark }: StoreEvent): void {
    this.#token = token;
    this.version = version;
    this.until = at;
    if (mark !== undefined) {
      this.marks.push(mark);
      return;
    }
    this.events += 1;
    if (record !== undefined) {
      this.changed.set(record.id, version);
      if (typeof record.stored !== 'string') this.foreignIds.set(record.id, record.stored);
    }
    if (suppression !== undefined) {
      this.hasNewSuppressions = true;
      if (suppression.isAdded) this.suppressed.set(suppression.key, version);
    }
  }
}
