import { workerData } from 'node:worker_threads';
import type { SearchQuery } from '#domain/search/search-query.ts';
import { openReader } from './database.ts';
import type { RecordRow } from './record-row.ts';
import { SearchEngine } from './search-engine.ts';
import { SqliteAway } from './sqlite-errors.ts';
import { answerFor, type ThreadAnswer } from './thread-answer.ts';

/** Rows of one answer: enough that the way between the threads costs little, few enough that nobody waits for them. */
const batchSize = 200;
/** Pages that one scan keeps: it reads each once. */
const cacheKilobytes = 4_096;

/** A scan that was begun: by which number to go on, and how many records it will give. */
export interface OpenedScan {
  id: number;
  total: number;
}

interface OpenScan {
  rows: Iterator<RecordRow>;
  close(): void;
}

const scans = new Map<number, OpenScan>();
let lastId = 0;

/*
 * Runs in the worker thread. Each scan has a connection of its own, whose read transaction is its one moment of the data;
 * in WAL mode it holds back no writer.
 */

export function openScan(query: SearchQuery): ThreadAnswer<OpenedScan> {
  return answerFor(() => {
    const database = openReader(String(workerData));
    try {
      database.exec(`PRAGMA cache_size = -${cacheKilobytes}`);
      const { total, rows } = new SearchEngine(database).scan(query);
      lastId += 1;
      scans.set(lastId, { rows, close: () => database.close() });
      return { id: lastId, total };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** The next rows; none at the end. */
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
    return rows;
  });
}

/** Ends a scan, whether read to its end or not. Nothing happens where it is closed. */
export function closeScan(id: number): void {
  scans.get(id)?.close();
  scans.delete(id);
}
