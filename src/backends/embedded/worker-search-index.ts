import { Piscina } from 'piscina';
import type { Visibility } from '#domain/masking.ts';
import type { MediaRecord } from '#domain/media-record.ts';
import { Problem } from '#domain/problem.ts';
import type { Page, SearchQuery } from '#domain/search/search-query.ts';
import type { FacetCounts, RecordScan, SearchIndex, SearchResult } from '#ports/search-index.ts';
import { RecordScanner, threadLimits } from './record-scanner.ts';
import type { SearchCall } from './search-worker.ts';
import { runOnIndex, SqliteAway } from './sqlite-errors.ts';
import { readAnswer } from './thread-answer.ts';

/** Searches run concurrently, so a slow one does not block all others. */
const workers = 2;

/** The query that checks whether searches work. */
const firstRow: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 1 };

/** The search index of the embedded store: SearchEngine in worker threads, so no query blocks the event loop. */
export class WorkerSearchIndex implements SearchIndex {
  readonly #pool: Piscina;
  readonly #scanner: RecordScanner;
  #isClosed = false;

  constructor(databasePath: string) {
    this.#pool = new Piscina({
      filename: new URL('./search-worker.ts', import.meta.url).href,
      name: 'answer',
      workerData: databasePath,
      // Threads start with the first searches and stay: imports need none.
      minThreads: 0,
      maxThreads: workers,
      idleTimeout: Number.POSITIVE_INFINITY,
      resourceLimits: threadLimits,
    });
    this.#scanner = new RecordScanner(databasePath);
  }

  async search(query: SearchQuery, page: Page, visibility: Visibility): Promise<SearchResult> {
    return this.#ask({ method: 'search', args: [query, page, visibility] });
  }

  async countFacets(query: SearchQuery): Promise<FacetCounts> {
    return this.#ask({ method: 'countFacets', args: [query] });
  }

  async scan(query: SearchQuery): Promise<RecordScan> {
    return runOnIndex(() => {
      this.#requireOpen();
      return this.#scanner.scan(query);
    });
  }

  async find(id: string, visibility: Visibility): Promise<MediaRecord | null> {
    const [record] = await this.findMany([id], visibility);
    return record ?? null;
  }

  async findMany(ids: readonly string[], visibility: Visibility): Promise<MediaRecord[]> {
    return this.#ask({ method: 'findMany', args: [ids, visibility] });
  }

  async isReady(): Promise<boolean> {
    try {
      await this.search({ text: null, filters: [] }, firstRow, 'masked');
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#scanner.close();
    await this.#pool.close();
  }

  /** A closed pool would start new threads that nobody ends. */
  #requireOpen(): void {
    if (this.#isClosed) throw new SqliteAway('the search index was closed');
  }

  #ask<Answer>(call: SearchCall): Promise<Answer> {
    return readAnswer<Answer>(async () => {
      this.#requireOpen();
      return this.#pool.run(call);
    });
  }
}
