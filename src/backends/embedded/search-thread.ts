import type { DatabaseSync } from 'node:sqlite';
import type { Meaning } from '#search/meaning/embed.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { openReader } from './database.ts';
import type { RecordRow } from './record-row.ts';
import { SearchEngine } from './search-engine.ts';
import { describeError, isOutage, SqliteAway } from './sqlite-errors.ts';

/* Runs in worker threads: some answer searches, one reads scans. */

/** A thread's answer. Errors lose their code between threads, so the thread reports the kind. */
export type ThreadAnswer<Value> = { value: Value } | { outage: string } | { fault: unknown };

function answerFor<Value>(work: () => Value): ThreadAnswer<Value> {
  try {
    return { value: work() };
  } catch (error) {
    return isOutage(error) ? { outage: (error as Error).message } : { fault: describeError(error) };
  }
}

let opened: { path: string; database: DatabaseSync; engine: SearchEngine } | null = null;

/** The engine of a database, kept until another one is asked for. One that failed to open is opened again for the next call. */
function openEngine(path: string): SearchEngine {
  if (opened?.path !== path) {
    opened?.database.close();
    opened = null;
    const database = openReader(path);
    opened = { path, database, engine: new SearchEngine(database) };
  }
  return opened.engine;
}

/** A caller gives up after five seconds, of which a search may take two. In nanoseconds. */
const maxWait = 3_000_000_000n;
/** When the first answer was ready, for which a thread reads all words: what was asked before waits for others from then on. */
let readyAt: bigint | null = null;

/** A question to the engine, and since when it waits for a thread, by a clock that all threads share and nobody sets. */
export interface Question {
  path: string;
  method: 'search' | 'countFacets' | 'findMany' | 'findAtHosts' | 'findNearest' | 'sharpen';
  args: readonly unknown[];
  askedAt: bigint;
}

/** Objects as JSON, which is copied in half the time. What waited for too long is not worked on: others wait behind it. */
export function answer({ path, method, args, askedAt }: Question): ThreadAnswer<string | Meaning> {
  const given = answerFor(() => {
    if (readyAt !== null && process.hrtime.bigint() - (askedAt > readyAt ? askedAt : readyAt) > maxWait)
      throw new SqliteAway('more is asked than the search threads can answer');
    const engine: Record<Question['method'], (...args: never[]) => unknown> = openEngine(path);
    const value = engine[method](...(args as never[]));
    return value instanceof Int8Array ? (value as Meaning) : JSON.stringify(value);
  });
  readyAt ??= process.hrtime.bigint();
  return given;
}

/** Rows per answer: enough to make the hop between threads cheap, few enough to keep waits short. */
const batchSize = 200;
/** Pages that one scan caches: it reads each once. */
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

/** Each scan has its own connection whose read transaction is its snapshot; in WAL mode it blocks no writer. */
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

/** The next rows; empty at the end, after which they come again. */
export function readBatch(id: number): ThreadAnswer<RecordRow[]> {
  return answerFor(() => {
    const scan = scans.get(id);
    if (scan === undefined) throw new SqliteAway('this scan is closed, or its thread died');
    const rows: RecordRow[] = [];
    while (rows.length < batchSize) {
      const next = scan.rows.next();
      if (next.done) break;
      rows.push(next.value);
    }
    if (rows.length === 0) scan.rows = scan.read();
    return rows;
  });
}

/** Ends a scan, whether or not it was read completely. Does nothing if it is already closed. */
export function closeScan(id: number): void {
  scans.get(id)?.close();
  scans.delete(id);
}
