import type { DatabaseSync } from 'node:sqlite';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Condition } from '#search/conditions/conditions.ts';
import type { Meaning } from '#search/meaning/embed.ts';
import type { PlannedQuery } from '#search/plans/plan-query.ts';
import type {
  AlikeOptions,
  AlikeRecords,
  FacetCounts,
  FacetOptions,
  FirstRecord,
  NearRecord,
  SearchResult,
} from '#search/search-index.ts';
import { type Filter, firstPage, type Page, type SearchQuery, withWholeText } from '#search/search-query.ts';
import { type Prepare, preparing } from '../database.ts';
import type { RecordRow } from '../record-row.ts';
import { FacetCounter } from './count-facets.ts';
import { PageFinder } from './find-page.ts';
import { NearestRecords } from './nearest-records.ts';
import { rowsOf, sizeOf } from './record-sets.ts';
import { SearchedRows } from './searched-rows.ts';
import { RowSelector } from './select-rows.ts';
import { StoredRows } from './stored-rows.ts';

/**
 * Answers searches on one read connection, each from one state of the data. It blocks, so it runs in a worker thread. Caches last
 * until the index changes.
 */
export class SearchEngine {
  readonly #database: DatabaseSync;
  readonly #prepare: Prepare;
  readonly #searched: SearchedRows;
  readonly #selector: RowSelector;
  readonly #pages: PageFinder;
  readonly #facets: FacetCounter;
  readonly #stored: StoredRows;
  #nearest: NearestRecords | undefined;
  #edition = -1;

  constructor(database: DatabaseSync, clock?: () => number) {
    this.#database = database;
    this.#prepare = preparing(database);
    this.#searched = new SearchedRows(database, clock);
    this.#selector = new RowSelector(this.#searched);
    this.#pages = new PageFinder(this.#searched, this.#selector, this.#prepare);
    this.#facets = new FacetCounter(this.#searched, this.#selector);
    this.#stored = new StoredRows(this.#prepare);
  }

  search(query: SearchQuery, page: Page, visibility: Visibility): SearchResult {
    return this.#inOneState(() => {
      const readRows = this.#stored.reader(this.#searched.of(query), visibility);
      const { numbers, ...how } = this.#pages.find(query, page, readRows);
      return { records: readRows(numbers), ...how };
    });
  }

  countFacets(query: SearchQuery, options: FacetOptions = {}): FacetCounts {
    return this.#inOneState(() => this.#facets.count(query, options));
  }

  /**
   * All rows of a query, read from SQLite as they are consumed; `read` starts from the first again. The connection keeps
   * seeing the state of this moment, so use it for one scan and then close it.
   */
  scan(query: SearchQuery): { total: number; read: () => Iterator<RecordRow> } {
    this.#begin();
    const rows = rowsOf(this.#selector.select(withWholeText(query)).records);
    return { total: rows.length, read: () => this.#stored.scan(this.#searched.of(query), rows) };
  }

  findMany(ids: readonly string[], visibility: Visibility): MediaRecord[] {
    if (ids.length === 0) return [];
    return this.#inOneState(() => {
      const { records } = this.#selector.select({ text: null, filters: [{ identity: 'id', any: ids, none: [] }] });
      return this.#stored.read(this.#searched.records, [...rowsOf(records)], visibility);
    });
  }

  findFirst(plans: readonly PlannedQuery[], filters: readonly Filter[], visibility: Visibility): FirstRecord[] {
    return this.#inOneState(() => {
      const { records: searched } = this.#searched;
      const { matches } = searched;
      const passing = matches.findPassing(filters);
      const page = firstPage(1);
      return plans.map((plan) => {
        const matching = matches.find(plan.match);
        const records = passing === null ? matching : matches.sets.intersect([matching, passing]);
        const readRows = this.#stored.reader(searched, visibility);
        const [record = null] = readRows(
          this.#pages.rank({ searched, records, plan, sort: page.sort }, page, readRows),
        );
        return { record, total: sizeOf(records) };
      });
    });
  }

  findNearest(meaning: Meaning, filters: readonly Filter[], limit: number, within?: Condition): NearRecord[] {
    return this.#inOneState(() => this.#compared().find(meaning, this.#rowsWithin(filters, within), limit));
  }

  findAlike(
    meaning: Meaning,
    filters: readonly Filter[],
    { limit, minLikeness, within }: AlikeOptions,
    visibility: Visibility,
  ): AlikeRecords {
    return this.#inOneState(() => {
      const { wanted, near } = this.#compared().findAlike(meaning, this.#rowsWithin(filters, within), limit);
      const alike = near.filter(({ likeness }) => likeness >= minLikeness);
      const rows = alike.map(({ row }) => row);
      const records = this.#stored.read(this.#searched.records, rows, visibility);
      return { wanted, near: records.map((record, at) => ({ ...(alike[at] as NearRecord), record })) };
    });
  }

  sharpen(meaning: Meaning): Meaning {
    return this.#inOneState(() => this.#compared().sharpen(meaning));
  }

  /** The records that pass the filters and meet a condition; null if all do. */
  #rowsWithin(filters: readonly Filter[], within?: Condition): Uint32Array | null {
    const { matches } = this.#searched.records;
    const passing = matches.findPassing(filters);
    const among = within === undefined ? passing : matches.findAmong(passing ?? matches.all(), within);
    return among && rowsOf(among);
  }

  #compared(): NearestRecords {
    this.#nearest ??= new NearestRecords(this.#database);
    this.#nearest.follow(this.#edition);
    return this.#nearest;
  }

  /** Runs work in one transaction, so that all statements and caches see the same state of the data. */
  #inOneState<Result>(work: () => Result): Result {
    try {
      this.#begin();
      this.#searched.begin();
      return work();
    } finally {
      if (this.#database.isTransaction) this.#prepare('COMMIT').run();
    }
  }

  #begin(): void {
    this.#prepare('BEGIN').run();
    const edition = Number(this.#prepare('SELECT edition FROM search_index').get()?.edition);
    if (edition === this.#edition) return;
    const ends = this.#prepare(`
      SELECT (SELECT max(record) + 1 FROM documents) AS records, (SELECT max(contact) + 1 FROM contacts) AS contacts`).get();
    this.#searched.renew(edition, { records: Number(ends?.records ?? 0), contacts: Number(ends?.contacts ?? 0) });
    this.#selector.renew();
    this.#facets.renew();
    this.#edition = edition;
  }
}
