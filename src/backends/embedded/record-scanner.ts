import { setImmediate as nextTurn } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { MediaRecord } from '#domain/media-record.ts';
import type { SearchQuery } from '#domain/search/search-query.ts';
import type { RecordScan } from '#ports/search-index.ts';
import { type RecordRow, readRecord } from './record-row.ts';
import type { OpenedScan } from './scan-worker.ts';
import { readAnswer } from './thread-answer.ts';

/**
 * Room for what lives shortly. Left to itself V8 gives each thread up to 100 MB of it, little by little over hours: the
 * process looks as if it leaked. Searches are as fast with this.
 */
export const threadLimits = { maxYoungGenerationSizeMb: 16 };

/** Scans run in one thread of their own, started by the first: long ones take turns batch by batch and hold up no search. */
export class RecordScanner {
  readonly #pool: Piscina;

  constructor(databasePath: string) {
    this.#pool = new Piscina({
      filename: new URL('./scan-worker.ts', import.meta.url).href,
      workerData: databasePath,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      resourceLimits: threadLimits,
    });
  }

  async scan(query: SearchQuery): Promise<RecordScan> {
    const { id, total } = await readAnswer<OpenedScan>(() => this.#pool.run(query, { name: 'openScan' }));
    const close = async () => {
      // A thread that is lost holds nothing any more.
      await this.#pool.run(id, { name: 'closeScan' }).catch(() => {});
    };
    return { total, close, [Symbol.asyncIterator]: () => this.#readAll(id, close) };
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async *#readAll(id: number, close: () => Promise<void>): AsyncGenerator<readonly MediaRecord[]> {
    try {
      let next = this.#read(id);
      for (;;) {
        const rows = await next;
        if (rows.length === 0) return;
        next = this.#read(id);
        // Batches that are there already would keep the event loop from everything else.
        await nextTurn();
        yield rows.map(readRecord);
      }
    } finally {
      await close();
    }
  }

  /** The next batch, asked for while the last one is still being used. Who reads it meets its failure. */
  #read(id: number): Promise<RecordRow[]> {
    const rows = readAnswer<RecordRow[]>(() => this.#pool.run(id, { name: 'readBatch' }));
    rows.catch(() => {});
    return rows;
  }
}
