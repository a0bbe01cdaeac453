import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { MediaRecord } from '#records/media-record.ts';
import type { AlikeRecords, RecordScan, ScanOptions, SearchIndex } from '#search/search-index.ts';
import { everything, firstPage, type SearchQuery } from '#search/search-query.ts';
import { isAvailable } from '../../with-outage.ts';
import { openReader } from '../database.ts';
import { type RecordRow, readAnswer } from '../record-row.ts';
import { runOnIndex, SqliteAway } from '../sqlite-errors.ts';
import type { SearchEngine } from './search-engine.ts';
import type { OpenedScan, Question, ThreadAnswer } from './search-thread.ts';

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

type AnsweringThreads = 'searches' | 'meanings';

/** The search index of the embedded store: SearchEngine in worker threads, so no query blocks the event loop. */
export class WorkerSearchIndex implements SearchIndex {
  readonly #path: string;
  readonly #threads = SearchThreads.shared ?? new SearchThreads();
  #isClosed = false;
  #reader: DatabaseSync | null = null;
  #edition: StatementSync | null = null;
  readonly search = this.#answering('searches', 'search');
  readonly countFacets = this.#answering('searches', 'countFacets');
  readonly findMany = this.#answering('searches', 'findMany');
  readonly findFirst = this.#answering('searches', 'findFirst');
  readonly findNearest = this.#answering('meanings', 'findNearest');
  readonly sharpen = this.#answering('meanings', 'sharpen');

  constructor(databasePath: string) {
    this.#path = databasePath;
  }

  async scan(query: SearchQuery, { isKept = false }: ScanOptions = {}): Promise<RecordScan> {
    const { id, total } = await this.#ask<OpenedScan>(this.#threads.scans, 'openScan', { path: this.#path, query });
    const close = async () => {
      // If the thread died, there is nothing to close.
      await this.#threads.scans.run(id, { name: 'closeScan' }).catch(() => {});
    };
    return { total, close, [Symbol.asyncIterator]: () => this.#readAll(id, isKept ? async () => {} : close) };
  }

  async findAlike(...question: Parameters<SearchEngine['findAlike']>): Promise<AlikeRecords> {
    const alike = await this.#answer('meanings', 'findAlike', question);
    return { ...alike, wanted: Int8Array.from(Object.values(alike.wanted)) };
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

  /** A method of the engine, which some of the threads answer. */
  #answering<Method extends Question['method']>(threads: AnsweringThreads, method: Method) {
    return (...args: Parameters<SearchEngine[Method]>) => this.#answer(threads, method, args);
  }

  async #answer<Method extends Question['method']>(
    threads: AnsweringThreads,
    method: Method,
    args: Parameters<SearchEngine[Method]>,
  ): Promise<ReturnType<SearchEngine[Method]>> {
    const { maxWait } = this.#threads;
    const question: Question = { path: this.#path, method, args, askedAt: process.hrtime.bigint(), maxWait };
    const answer = await this.#ask<string | ReturnType<SearchEngine[Method]>>(
      this.#threads[threads],
      'answer',
      question,
    );
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
