import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Condition } from '#search/conditions.ts';
import type { Meaning } from '#search/meaning/embed.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import type {
  AlikeOptions,
  AlikeRecords,
  FacetCounts,
  FacetOptions,
  FirstRecord,
  NearRecord,
  RecordScan,
  ScanOptions,
  SearchIndex,
  SearchResult,
} from '#search/search-index.ts';
import { everything, type Filter, firstPage, type Page, type SearchQuery } from '#search/search-query.ts';
import { isAvailable } from '../with-outage.ts';
import { openReader } from './database.ts';
import { type RecordRow, readAnswer } from './record-row.ts';
import type { OpenedScan, Question, ThreadAnswer } from './search-thread.ts';
import { runOnIndex, SqliteAway } from './sqlite-errors.ts';

/** Searches run concurrently, so a slow one does not block all others. */
const searchThreads = 2;

/** Questions that wait in one thread. Without them it would fall asleep, and waking it costs a fifth of a search. */
const questionsAtOnce = 4;

/** By default, V8 lets each thread grow to 100 MB over hours. Searches are just as fast with this limit. */
const threadLimits = { maxYoungGenerationSizeMb: 16 };

/** The threads of one index, or of all indexes that are open in a process. */
export class SearchThreads {
  /** Set in a process that opens many stores, such as a test run: all of them use these threads. */
  static shared: SearchThreads | null = null;
  readonly maxWait: bigint;
  readonly searches = startThreads(searchThreads);
  /** All scans share one thread: long ones take turns batch by batch and never block searches. */
  readonly scans = startThreads(1);
  /** One thread, because it holds the meanings of all records in its memory. */
  readonly meanings = startThreads(1);

  /** @param maxWaitSeconds how long a question may wait: a caller gives up after five seconds, and a search may take two of them */
  constructor(maxWaitSeconds = 3) {
    this.maxWait = BigInt(maxWaitSeconds) * 1_000_000_000n;
  }

  async close(): Promise<void> {
    await this.scans.destroy();
    await this.meanings.close();
    await this.searches.close();
  }
}

function startThreads(maxThreads: number): Piscina {
  return new Piscina({
    filename: new URL('./search-thread.ts', import.meta.url).href,
    // Threads start with the first search, because imports need none.
    minThreads: 0,
    maxThreads,
    concurrentTasksPerWorker: questionsAtOnce,
    // A thread gets a second question only when all threads have started.
    loadBalancer(_task, threads) {
      const most = threads.length < maxThreads ? 1 : questionsAtOnce;
      const [idlest = null] = threads.toSorted((a, b) => a.currentUsage - b.currentUsage);
      return idlest !== null && idlest.currentUsage < most ? idlest : null;
    },
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: threadLimits,
  });
}

/** The search index of the embedded store: SearchEngine in worker threads, so no query blocks the event loop. */
export class WorkerSearchIndex implements SearchIndex {
  readonly #path: string;
  readonly #threads = SearchThreads.shared ?? new SearchThreads();
  #isClosed = false;
  #reader: DatabaseSync | null = null;
  #edition: StatementSync | null = null;

  constructor(databasePath: string) {
    this.#path = databasePath;
  }

  async search(query: SearchQuery, page: Page, visibility: Visibility): Promise<SearchResult> {
    return this.#answer(this.#threads.searches, 'search', [query, page, visibility]);
  }

  async countFacets(query: SearchQuery, options: FacetOptions = {}): Promise<FacetCounts> {
    return this.#answer(this.#threads.searches, 'countFacets', [query, options]);
  }

  async scan(query: SearchQuery, { isKept = false }: ScanOptions = {}): Promise<RecordScan> {
    const { id, total } = await this.#ask<OpenedScan>(this.#threads.scans, 'openScan', { path: this.#path, query });
    const close = async () => {
      // If the thread died, there is nothing to close.
      await this.#threads.scans.run(id, { name: 'closeScan' }).catch(() => {});
    };
    return { total, close, [Symbol.asyncIterator]: () => this.#readAll(id, isKept ? async () => {} : close) };
  }

  async findMany(ids: readonly string[], visibility: Visibility): Promise<MediaRecord[]> {
    return this.#answer(this.#threads.searches, 'findMany', [ids, visibility]);
  }

  async findFirst(
    plans: readonly PlannedQuery[],
    filters: readonly Filter[],
    visibility: Visibility,
  ): Promise<FirstRecord[]> {
    return this.#answer(this.#threads.searches, 'findFirst', [plans, filters, visibility]);
  }

  async findNearest(
    meaning: Meaning,
    filters: readonly Filter[],
    limit: number,
    within?: Condition,
  ): Promise<NearRecord[]> {
    return this.#answer(this.#threads.meanings, 'findNearest', [meaning, filters, limit, within]);
  }

  async findAlike(
    meaning: Meaning,
    filters: readonly Filter[],
    options: AlikeOptions,
    visibility: Visibility,
  ): Promise<AlikeRecords> {
    const alike = await this.#answer<AlikeRecords>(this.#threads.meanings, 'findAlike', [
      meaning,
      filters,
      options,
      visibility,
    ]);
    return { ...alike, wanted: Int8Array.from(Object.values(alike.wanted)) };
  }

  async sharpen(meaning: Meaning): Promise<Meaning> {
    return this.#answer(this.#threads.meanings, 'sharpen', [meaning]);
  }

  /** Read in this thread: that takes a tenth of what a question to another one does. */
  async version(): Promise<string | null> {
    try {
      if (this.#isClosed) return null;
      this.#reader ??= openReader(this.#path);
      this.#edition ??= this.#reader.prepare('SELECT edition FROM search_index');
      return String(this.#edition.get()?.edition);
    } catch {
      return null;
    }
  }

  async findFault(): Promise<string | null> {
    return (await isAvailable(() => this.search(everything, firstPage(1), 'masked'))) ? null : 'search index';
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reader?.close();
    if (this.#threads !== SearchThreads.shared) await this.#threads.close();
  }

  async *#readAll(id: number, end: () => Promise<void>): AsyncGenerator<readonly MediaRecord[]> {
    try {
      let next = this.#readBatch(id);
      for (;;) {
        const rows = await next;
        if (rows.length === 0) return;
        next = this.#readBatch(id);
        // Lets other requests run, even if the next batches have already arrived.
        await nextTurn();
        yield rows.map(readAnswer);
      }
    } finally {
      await end();
    }
  }

  /** Requests the next batch ahead. Awaiting it throws its error. */
  #readBatch(id: number): Promise<RecordRow[]> {
    const rows = this.#ask<RecordRow[]>(this.#threads.scans, 'readBatch', id);
    rows.catch(() => {});
    return rows;
  }

  async #answer<Answer>(threads: Piscina, method: Question['method'], args: readonly unknown[]): Promise<Answer> {
    const { maxWait } = this.#threads;
    const question: Question = { path: this.#path, method, args, askedAt: process.hrtime.bigint(), maxWait };
    const answer = await this.#ask<string | Answer>(threads, 'answer', question);
    return typeof answer === 'string' ? JSON.parse(answer) : answer;
  }

  /** Runs a function of search-thread.ts. Throws its error, or Problem `search_unavailable` for an outage or a dead thread. */
  #ask<Answer>(threads: Piscina, name: string, args: unknown): Promise<Answer> {
    return runOnIndex(async () => {
      // A question would start new threads that nobody ends.
      if (this.#isClosed) throw new SqliteAway('the search index was closed');
      const pending: Promise<ThreadAnswer<Answer>> = threads.run(args, { name });
      const answer = await pending.catch((error: unknown) => {
        throw isThreadLost(error) ? new SqliteAway(`a thread died: ${error.message}`) : error;
      });
      if ('value' in answer) return answer.value;
      throw 'outage' in answer ? new SqliteAway(answer.outage, answer.errcode) : answer.fault;
    });
  }
}

/** The pool throws plain errors if a thread ends before it answers; our own errors have their own classes. */
function isThreadLost(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error;
}
