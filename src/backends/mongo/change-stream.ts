import { type ChangeStream, type Db, type Document, MongoServerError, type ResumeToken, type Timestamp } from 'mongodb';
import { type Collections, collectionsOf } from './prepare-collections.ts';
import { idText } from './read-document.ts';

/** MongoDB can no longer tell what happened since a position: only a rebuild makes an index equal to it again. */
export class HistoryLost extends Error {
  override readonly name = 'HistoryLost';
}

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
