import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { FacetField } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { AskedPart } from '#search/asked-parts.ts';
import { type ChosenPlan, choosePlan } from '#search/choose-plan.ts';
import {
  audienceSteps,
  type CountedFacet,
  countFacet,
  groupFacets,
  isOpenFacet,
  joinFacets,
  openFacetValues,
  withoutAudience,
} from '#search/facet-groups.ts';
import type { Meaning } from '#search/meaning/embed.ts';
import { orderByNames, rowsToCompare } from '#search/order-by-names.ts';
import { exclusionConditions } from '#search/plan-parts.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import type { FacetCounts, FacetOptions, FirstRecord, NearRecord, SearchResult } from '#search/search-index.ts';
import {
  type Filter,
  firstPage,
  type Page,
  type SearchQuery,
  type Sort,
  type Understanding,
  withWholeText,
} from '#search/search-query.ts';
import { atMost, cached } from '#text/memoize.ts';
import { DocumentColumns } from './document-columns.ts';
import { Matches } from './find-matches.ts';
import { NearestRecords } from './nearest-records.ts';
import { type FoundRow, firstRows, orderOf, type PageOrder, sortByKeys } from './page-order.ts';
import { type RecordRow, readAnswer } from './record-row.ts';
import { type RecordSet, rowsOf, sizeOf } from './record-sets.ts';

interface Selection {
  /** Null if there is no text, or only exclusions. */
  plan: PlannedQuery | null;
  records: RecordSet;
  isCorrected: boolean;
  dropped: SearchResult['dropped'];
}

const rowsOfScan = 200;

/** Answers searches on one read connection. It blocks, so it runs in a worker thread. Caches last until the index changes. */
export class SearchEngine {
  readonly #database: DatabaseSync;
  readonly #matches: Matches;
  readonly #columns: DocumentColumns;
  readonly #statements = new LRUCache<string, StatementSync>(atMost(50));
  readonly #plans = new LRUCache<string, ChosenPlan>(atMost(200));
  readonly #facets = new LRUCache<string, CountedFacet>(atMost(1_000));
  readonly #lists = new LRUCache<string, number[]>(atMost(100));
  #nearest: NearestRecords | undefined;
  #edition = -1;

  constructor(database: DatabaseSync, clock?: () => number) {
    this.#database = database;
    this.#matches = new Matches(database, clock);
    this.#columns = new DocumentColumns(database);
  }

  search(query: SearchQuery, page: Page, visibility: Visibility): SearchResult {
    return this.#inOneState(() => {
      const { plan, records, ...how } = this.#select(query);
      const total = sizeOf(records);
      if (plan !== null && page.sort.key === 'relevance') {
        return { records: this.#readBest(plan, records, page, visibility), total, ...how };
      }
      // Many visits begin with a list without a text, so only those are kept.
      const sort = () => this.#sort(records, page);
      const rows = query.text === null ? cached(this.#lists, JSON.stringify([query.filters, page]), sort) : sort();
      return { records: this.#read(rows, visibility), total, ...how };
    });
  }

  countFacets(query: SearchQuery, { audiences }: FacetOptions): FacetCounts {
    return this.#inOneState(() => {
      const { text, filters } = query;
      const { records, isCorrected, dropped } = this.#select(query);
      const counted = groupFacets(filters).flatMap((group) => {
        const key = JSON.stringify([text, group.filters]);
        let rows: Uint32Array | undefined;
        return group.fields.map((field) =>
          cached(this.#facets, `${field} ${key}`, () => {
            rows ??= rowsOf(
              group.filters === filters ? records : this.#select({ text, filters: group.filters }).records,
            );
            return this.#countFacet(field, rows);
          }),
        );
      });
      const facets = { total: sizeOf(records), ...joinFacets(counted), isCorrected, dropped };
      return audiences ? { ...facets, audiences: this.#countAudiences(query) } : facets;
    });
  }

  /**
   * All rows of a query, read from SQLite as they are consumed; `read` starts from the first again. The connection keeps
   * seeing the state of this moment, so use it for one scan and then close it.
   */
  scan(query: SearchQuery): { total: number; read: () => Iterator<RecordRow> } {
    this.#begin();
    const rows = rowsOf(this.#select(withWholeText(query)).records);
    const read = function* (this: SearchEngine) {
      for (let done = 0; done < rows.length; done += rowsOfScan) {
        yield* this.#readRows([...rows.subarray(done, done + rowsOfScan)], 'full');
      }
    };
    return { total: rows.length, read: () => read.call(this) };
  }

  findMany(ids: readonly string[], visibility: Visibility): MediaRecord[] {
    if (ids.length === 0) return [];
    return this.#inOneState(() => {
      const { records } = this.#select({ text: null, filters: [{ identity: 'id', any: ids, none: [] }] });
      return this.#read([...rowsOf(records)], visibility);
    });
  }

  findFirst(plans: readonly PlannedQuery[], filters: readonly Filter[], visibility: Visibility): FirstRecord[] {
    return this.#inOneState(() => {
      const passing = this.#matches.findPassing(filters);
      return plans.map((plan) => {
        const matching = this.#matches.find(plan.match);
        const records = passing === null ? matching : this.#matches.sets.intersect([matching, passing]);
        const [record = null] = this.#readBest(plan, records, firstPage(1), visibility);
        return { record, total: sizeOf(records) };
      });
    });
  }

  findNearest(meaning: Meaning, filters: readonly Filter[], limit: number): NearRecord[] {
    return this.#inOneState(() => {
      const passing = this.#matches.findPassing(filters);
      return this.#compared().find(meaning, passing && rowsOf(passing), limit);
    });
  }

  sharpen(meaning: Meaning): Meaning {
    return this.#inOneState(() => this.#compared().sharpen(meaning));
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
      this.#matches.begin();
      return work();
    } finally {
      if (this.#database.isTransaction) this.#prepare('COMMIT').run();
    }
  }

  #begin(): void {
    this.#prepare('BEGIN').run();
    const state = this.#prepare(
      'SELECT edition, (SELECT max(record) + 1 FROM documents) AS size FROM search_index',
    ).get();
    const edition = Number(state?.edition);
    if (edition === this.#edition) return;
    const end = Number(state?.size ?? 0);
    this.#matches.renew(end);
    this.#columns.follow(edition, end);
    this.#plans.clear();
    this.#facets.clear();
    this.#lists.clear();
    this.#edition = edition;
  }

  #select({ text, filters }: SearchQuery): Selection {
    const matches = this.#matches;
    const passing = matches.findPassing(filters);
    if (text === null) return { plan: null, records: passing ?? matches.all(), isCorrected: false, dropped: [] };
    const { plan, asTyped, asked } = cached(this.#plans, JSON.stringify(text), () => this.#choose(text));
    const excluded = matches.find({ is: 'any', of: exclusionConditions(text) });
    const among = (found: RecordSet) => {
      return matches.sets.subtract(passing === null ? found : matches.sets.intersect([found, passing]), excluded);
    };
    const records = among(plan === null ? matches.all() : matches.find(plan.match));
    // Every corrected plan also finds what the strict one finds.
    const isCorrected = asTyped !== null && sizeOf(records) > sizeOf(among(matches.find(asTyped.match)));
    const lacks = ({ condition }: AskedPart) => sizeOf(matches.findAmong(records, condition)) < sizeOf(records);
    return { plan, records, isCorrected, dropped: asked.filter(lacks).map(({ words }) => words) };
  }

  /** Chooses the plan of a text over the whole database, regardless of filters. */
  #choose(text: Understanding): ChosenPlan {
    const choosing = choosePlan(text);
    let step = choosing.next();
    while (!step.done) {
      const sizes = new Map(step.value.counts.map((count) => [count, sizeOf(this.#matches.find(count.condition))]));
      step = choosing.next((count) => sizes.get(count) ?? 0);
    }
    return step.value;
  }

  /** The records of a ranked page. Names are compared among its first rows. */
  #readBest(plan: PlannedQuery, records: RecordSet, page: Page, visibility: Visibility): MediaRecord[] {
    const end = page.offset + page.limit;
    const compared = rowsToCompare(plan, page);
    const rows = this.#findBest(plan, records, page.sort, compared ?? end);
    if (compared === null) return this.#read(numbersOf(rows.slice(page.offset, end)), visibility);
    const byRow = new Map<number, MediaRecord>();
    const read = (some: readonly FoundRow[]) => {
      const missing = numbersOf(some).filter((record) => !byRow.has(record));
      for (const [place, record] of this.#read(missing, visibility).entries())
        byRow.set(missing[place] as number, record);
    };
    read(rows.filter(({ tier }) => plan.tiers[tier]?.comparesNames));
    const ordered = orderByNames(plan, rows, ({ record }) => byRow.get(record) ?? { name: '', aliases: [] });
    const best = ordered.slice(page.offset, end);
    read(best);
    return best.flatMap(({ record }) => byRow.get(record) ?? []);
  }

  /** The first rows by tier and order. Stops at the tier that completes them, so that the rest is never sorted. */
  #findBest(plan: PlannedQuery, records: RecordSet, sort: Sort, most: number): FoundRow[] {
    const count = Math.min(most, sizeOf(records));
    const order = orderOf(sort, true);
    const tiers = this.#tiers(plan, records);
    const found: FoundRow[] = [];
    for (const { own, tier } of sort.reversed ? [...tiers].reverse() : tiers) {
      if (found.length >= count) break;
      const rows = firstRows(rowsOf(own), count - found.length, order, this.#columns);
      found.push(...Array.from(rows, (record) => ({ record, tier })));
    }
    return this.#order(found, order, { sort, offset: 0, limit: count });
  }

  /** The records of each tier, without those of the tiers before it. */
  *#tiers(plan: PlannedQuery, records: RecordSet): Generator<{ own: RecordSet; tier: number }> {
    let left = records;
    for (const [tier, { condition }] of plan.tiers.entries()) {
      const own = this.#matches.findAmong(left, condition);
      if (sizeOf(own) === 0) continue;
      left = this.#matches.sets.subtract(left, own);
      yield { own, tier };
    }
  }

  /** The rows of a page that no text ranks. */
  #sort(records: RecordSet, page: Page): number[] {
    const order = orderOf(page.sort, false);
    const rows = firstRows(rowsOf(records), page.offset + page.limit, order, this.#columns);
    const found = Array.from(rows, (record) => ({ record, tier: 0 }));
    return numbersOf(this.#order(found, order, page));
  }

  /** A page of rows, sorted in memory, or by SQLite where the values in memory do not decide the order. */
  #order(rows: readonly FoundRow[], order: PageOrder, { sort, offset, limit }: Page): FoundRow[] {
    const sorted = sortByKeys(rows, order, sort, this.#columns);
    if (sorted !== null) return sorted.slice(offset, offset + limit);
    const select = this.#prepare(`
      SELECT d.record, p.value ->> 1 AS tier FROM json_each(?) AS p CROSS JOIN documents AS d ON d.record = p.value ->> 0
      ORDER BY tier ${sort.reversed ? 'DESC' : 'ASC'}, ${order.sql} LIMIT ? OFFSET ?`);
    const pairs = JSON.stringify(rows.map(({ record, tier }) => [record, tier]));
    return select.all(pairs, limit, offset).map(({ record, tier }) => ({ record: Number(record), tier: Number(tier) }));
  }

  #countAudiences({ text, filters }: SearchQuery): number[] {
    const counts = audienceSteps.map(() => 0);
    const audiences = this.#columns.sorted('audience');
    for (const row of rowsOf(this.#select({ text, filters: withoutAudience(filters) }).records)) {
      const step = audienceSteps.findLastIndex((least) => (audiences[row] as number) >= least);
      if (step >= 0) counts[step] = (counts[step] ?? 0) + 1;
    }
    return counts;
  }

  #countFacet(field: FacetField, rows: Uint32Array): CountedFacet {
    const counted = this.#columns.count(field, rows);
    return countFacet(field, isOpenFacet(field) ? counted.slice(0, openFacetValues) : counted, counted.length);
  }

  #read(records: readonly number[], visibility: Visibility): MediaRecord[] {
    return records.length === 0 ? [] : this.#readRows(records, visibility).map(readAnswer);
  }

  /** The rows of these records in this order: the body, and the secret if the caller may see it. */
  #readRows(records: readonly number[], visibility: Visibility): RecordRow[] {
    const columns = visibility === 'full' ? 'r.body, r.secret' : 'r.body';
    return this.#prepare(
      `SELECT ${columns} FROM json_each(?) AS p CROSS JOIN records AS r ON r.record = p.value ORDER BY p.key`,
    ).all(JSON.stringify(records));
  }

  #prepare(sql: string): StatementSync {
    return cached(this.#statements, sql, () => this.#database.prepare(sql));
  }
}

const numbersOf = (rows: readonly FoundRow[]) => rows.map(({ record }) => record);
