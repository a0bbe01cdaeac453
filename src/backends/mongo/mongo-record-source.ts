import { BSON, type ClientSession, type Collection, type Db, type Document, ObjectId, Timestamp } from 'mongodb';
import { digestContent } from '#records/changes/record-change.ts';
import type { DatedRecord, RecordState } from '../stores.ts';
import { dateRecords, type VisiblePart } from './date-records.ts';
import { EarlierRecords } from './earlier-records.ts';
import { type ChangeBatch, ChangeBatches } from './mongo-change-stream.ts';
import { runOnMongo } from './mongo-faults.ts';
import type { Position } from './mongo-index-journal.ts';
import { collectionsOf } from './prepare-collections.ts';
import { idText, type RecordDocument, readDocument, recordProjection, storedIds } from './read-document.ts';

/** Ids sampled per range when the records are split. */
const samplesPerRange = 50;
/** Maximum number of documents without a text id that a scan names. */
const maxForeign = 100;
/** Records of a page. */
const pageSize = 500;
const outsideRanges = { $or: [{ _id: '' }, { _id: { $not: { $type: 'string' as const } } }] };

/** Records with ids after one and up to another, in the order of their ids' UTF-8 bytes; null: to the end. */
export interface IdRange {
  after: string;
  upTo: string | null;
}

interface RecordPage {
  range: IdRange;
  states: ReadonlyMap<string, RecordState>;
}

/** The records as an index follows them. Reads see what a majority of servers has, including every change followed so far. */
export class MongoRecordSource {
  readonly #db: Db;
  readonly #onlyReads: boolean;
  /** Those of earlier versions that are not dated yet. */
  readonly earlier: EarlierRecords;
  readonly #records: Collection<RecordDocument>;
  /** The cluster time of the newest change that was followed. */
  #newest = 0n;

  /** @param onlyReads for a store that the earlier version goes on with: then nothing is dated there */
  constructor(db: Db, { onlyReads = false } = {}) {
    this.#db = db;
    this.#onlyReads = onlyReads;
    this.earlier = new EarlierRecords(db, { onlyReads });
    this.#records = db.collection(collectionsOf(db).records.collectionName, { readConcern: { level: 'majority' } });
  }

  /** The current position. It is that of a mark that came back in the change stream, so everything before it can be read. */
  async now(): Promise<Position> {
    return runOnMongo(async () => {
      const startAtOperationTime = await this.#operationTime();
      const mark = await this.mark();
      await using changes = new ChangeBatches(this.#db, { startAtOperationTime });
      for (;;) {
        const { marks, position } = await changes.next();
        if (!marks.includes(mark)) continue;
        this.requireFrom(position.version);
        return position;
      }
    });
  }

  /** Yields batches in order until the signal, empty ones while nothing changes, so that the position advances. Throws HistoryLost. */
  async *follow({ token, version }: Position, signal: AbortSignal): AsyncIterable<ChangeBatch> {
    await using changes = new ChangeBatches(this.#db, { startAfter: BSON.EJSON.parse(token) }, version);
    while (!signal.aborted) {
      const batch = await runOnMongo(() => changes.next());
      this.requireFrom(batch.position.version);
      yield batch;
    }
  }

  /** Lets no later read show a state from before this cluster time, also if no change was followed here. */
  requireFrom(clusterTime: bigint): void {
    if (clusterTime > this.#newest) this.#newest = clusterTime;
  }

  /** Waits until the server has the newest change followed, which a deposed primary may lack (decisions/0034). */
  readFollowed<Answer>(work: (session: ClientSession) => Promise<Answer>): Promise<Answer> {
    return this.#db.client.withSession({ causalConsistency: true }, async (session) => {
      if (this.#newest > 0n) session.advanceOperationTime(new Timestamp(this.#newest));
      return work(session);
    });
  }

  /** Sets a mark after everything written so far; a batch from `follow` will name it. */
  async mark(): Promise<string> {
    const mark = new ObjectId();
    await runOnMongo(() => collectionsOf(this.#db).marks.insertOne({ _id: mark, at: new Date() }));
    return idText(mark);
  }

  /**
   * The states of these records, at least as new as the changes from `follow`. Records that do not exist are absent.
   *
   * @param batch the changes because of which they are read, if it is that
   */
  async read(ids: readonly string[], batch?: ChangeBatch): Promise<ReadonlyMap<string, RecordState>> {
    if (ids.length === 0) return new Map();
    return this.#read([{ $match: { _id: { $in: ids.flatMap(storedIds) } } }], batch);
  }

  /**
   * The states, with a date of now for what another tool has written since it was dated, or of which suppressions leave
   * something else. Who indexes records dates them.
   */
  async dateChanged(
    states: ReadonlyMap<string, RecordState>,
    visiblePart: VisiblePart,
  ): Promise<ReadonlyMap<string, RecordState>> {
    return this.#date(states, visiblePart, ({ record, isDated, shown }) => {
      const visible = visiblePart(record);
      const hidesPart = visible !== null && visible !== record;
      return hidesPart ? shown !== digestContent(visible) : isDated !== undefined;
    });
  }

  /** The states, dated now: of records that are hidden, or shown again. */
  async date(
    states: ReadonlyMap<string, RecordState>,
    visiblePart: VisiblePart,
  ): Promise<ReadonlyMap<string, RecordState>> {
    return this.#date(states, visiblePart, () => true);
  }

  async #date(
    states: ReadonlyMap<string, RecordState>,
    visiblePart: VisiblePart,
    isDue: (state: DatedRecord) => boolean,
  ): Promise<ReadonlyMap<string, RecordState>> {
    if (this.#onlyReads) return states;
    const due = [...states.values()].filter((state) => 'record' in state).filter(isDue);
    if (due.length === 0) return states;
    const dated = await runOnMongo(() => dateRecords(collectionsOf(this.#db), due, { now: new Date(), visiblePart }));
    return new Map<string, RecordState>([...states, ...dated.map((record) => [record.id, { record }] as const)]);
  }

  /** The states of a range in id order; fewer than the limit at its end. The first range also has ids that are empty or not text. */
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

  /**
   * The states of a range page by page, each with the part of the range that it covers, also if that has none. While a page
   * is used, the next one is already read.
   */
  async *readPages({ after, upTo }: IdRange): AsyncGenerator<RecordPage> {
    let next: Promise<ReadonlyMap<string, RecordState>> | null = this.readRange({ after, upTo }, pageSize);
    for (let from = after; next !== null; ) {
      const states: ReadonlyMap<string, RecordState> = await next;
      const last = states.size < pageSize ? undefined : [...states.keys()].at(-1);
      next = last === undefined ? null : this.readRange({ after: last, upTo }, pageSize);
      // If the caller stops early, nobody awaits this page. Its error must not be an unhandled rejection then.
      next?.catch(() => {});
      yield { range: { after: from, upTo: last ?? upTo }, states };
      from = last ?? from;
    }
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

  async #read(stages: Document[], heard?: ChangeBatch): Promise<Map<string, RecordState>> {
    const pipeline = [...stages, { $project: recordProjection }];
    return runOnMongo(async () => {
      const documents = await this.readFollowed((session) =>
        this.#records.aggregate<RecordDocument>(pipeline, { batchSize: 100_000, session }).toArray(),
      );
      const renewed = await this.earlier.renew(documents, { heard });
      return new Map(renewed.map((document) => [idText(document._id), stateOf(document)]));
    });
  }
}

function stateOf(document: Document): RecordState {
  const content = readDocument(document);
  return 'record' in content ? content : { unreadable: content.reason };
}
