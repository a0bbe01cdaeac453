import { setImmediate as nextTurn } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { MediaRecord } from '#domain/media-record.ts';
import type { SearchQuery } from '#domain/search/search-query.ts';
import type { RecordScan } from '#ports/search-index.ts';
import { type RecordRow, readRecord } from './record-row.ts';
import type { OpenedScan } from './scan-worker.ts';
import { readAnswer } from './thread-answer.ts';

/**
 * Limit for short-lived objects. By default V8 lets each thread grow to 100 MB over hours, which looks like a leak.
 * Searches are just as fast with this limit.
 */
export const threadLimits = { maxYoungGenerationSizeMb: 16 };

/** All scans share one thread, started by the first: long scans take turns batch by batch and never block searches. */
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
      // A dead thread holds nothing any more.
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
        // Batches that have already arrived would otherwise block the event loop.
        await nextTurn();
        yield rows.map(readRecord);
      }
    } finally {
      await close();
    }
  }

  /** The next batch, requested while the last one is used. The next reader gets its error. */
  #read(id: number): Promise<RecordRow[]> {
    const rows = readAnswer<RecordRow[]>(() => this.#pool.run(id, { name: 'readBatch' }));
    rows.catch(() => {});
    return rows;
  }
}
