import type { DatabaseSync } from 'node:sqlite';
import type { Meaning } from '#search/meaning/embed.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { openReader } from '../database.ts';
import { nextRows, type RecordRow } from '../record-row.ts';
import { describeError, isOutage, SqliteAway } from '../sqlite-errors.ts';
import { SearchEngine } from './search-engine.ts';

/* Runs in worker threads: some answer searches, one reads scans. */

/** A thread's answer. Errors lose their code between threads, so the thread says which kind it was. */
export type ThreadAnswer<Value> = { value: Value } | { outage: string; errcode: number | null } | { fault: unknown };

function answerFor<Value>(work: () => Value): ThreadAnswer<Value> {
  try {
    return { value: work() };
  } catch (error) {
    if (!isOutage(error)) return { fault: describeError(error) };
    const { message, errcode = null } = error as Error & { errcode?: number | null };
    return { outage: message, errcode };
  }
}

let opened: { path: string; database: DatabaseSync; engine: SearchEngine } | null = null;

/** The engine of a database. A thread keeps only the last one; if it could not be opened, the next call tries again. */
function openEngine(path: string): SearchEngine {
  if (opened?.path !== path) {
    opened?.database.close();
    opened = null;
    const database = openReader(path);
    opened = { path, database, engine: new SearchEngine(database) };
  }
  return opened.engine;
}

/** When the first answer was ready. It takes longer, because the thread first reads all words: that wait does not count. */
let readyAt: bigint | null = null;

/**
 * A question to the engine. `askedAt`: since when it waits, by the monotonic clock that all threads share. `maxWait`: how long it
 * may wait. Both in nanoseconds.
 */
export interface Question {
  path: string;
  method: 'search' | 'countFacets' | 'findMany' | 'findFirst' | 'findNearest' | 'findAlike' | 'sharpen';
  args: readonly unknown[];
  askedAt: bigint;
  maxWait: bigint;
}

/** Answers with JSON, which copies to another thread in half the time. Refuses questions that waited for too long. */
export function answer({ path, method, args, askedAt, maxWait }: Question): ThreadAnswer<string | Meaning> {
  const threadAnswer = answerFor(() => {
    if (readyAt !== null && process.hrtime.bigint() - (askedAt > readyAt ? askedAt : readyAt) > maxWait)
      throw new SqliteAway('more is asked than the search threads can answer');
    const engine: Record<Question['method'], (...args: never[]) => unknown> = openEngine(path);
    const value = engine[method](...(args as never[]));
    return value instanceof Int8Array ? (value as Meaning) : JSON.stringify(value);
  });
  readyAt ??= process.hrtime.bigint();
  return threadAnswer;
}

/** Rows in a batch of a scan. More make the hops between threads cheaper, fewer keep the waits short. */
const batchSize = 200;
/** The page cache of a scan. It is small because a scan reads each page once. */
const cacheKilobytes = 4_096;

export interface OpenedScan {
  id: number;
  total: number;
}

interface OpenScan {
  read(): Iterator<RecordRow>;
  rows: Iterator<RecordRow>;
  close(): void;
}

const scans = new Map<number, OpenScan>();
let lastId = 0;

/** Opens a scan on its own connection. Its read transaction is its snapshot, and in WAL mode it blocks no writer. */
export function openScan({ path, query }: { path: string; query: SearchQuery }): ThreadAnswer<OpenedScan> {
  return answerFor(() => {
    const database = openReader(path);
    try {
      database.exec(`PRAGMA cache_size = -${cacheKilobytes}`);
      const { total, read } = new SearchEngine(database).scan(query);
      lastId += 1;
      scans.set(lastId, { read, rows: read(), close: () => database.close() });
      return { id: lastId, total };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** The next rows of a scan. An empty batch ends it; after that, it starts again. */
export function readBatch(id: number): ThreadAnswer<RecordRow[]> {
  return answerFor(() => {
    const scan = scans.get(id);
    if (scan === undefined) throw new SqliteAway('this scan is closed, or its thread died');
    const rows = nextRows(scan.rows, batchSize);
    if (rows.length === 0) scan.rows = scan.read();
    return rows;
  });
}

/** Ends a scan, read or not. Does nothing if it is already closed. */
export function closeScan(id: number): void {
  scans.get(id)?.close();
  scans.delete(id);
}
