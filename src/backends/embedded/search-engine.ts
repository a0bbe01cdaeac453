import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { FacetField } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
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
import { orderByNames, rowsToCompare } from '#search/order-equals.ts';
import { type ChosenPlan, choosePlan, type PlannedQuery, planExclusions } from '#search/plan-query.ts';
import type { FacetCounts, NearRecord, SearchResult } from '#search/search-index.ts';
import {
  type Filter,
  type Page,
  queryAtHost,
  type SearchQuery,
  type Sort,
  type TextQuery,
} from '#search/search-query.ts';
import { atMost, cached } from '#text/memoize.ts';
import { DocumentColumns } from './document-columns.ts';
import { Matches } from './find-matches.ts';
import { NearestRecords } from './nearest-records.ts';
import { type FoundRow, firstRows, orderOf, type PageOrder, sortByKeys } from './page-order.ts';
import { type RecordRow, readRecord } from './record-row.ts';
import { type RecordSet, rowsOf, sizeOf } from './record-sets.ts';

interface Selection {
  /** Null without a text, or if it has only exclusions. */
  plan: PlannedQuery | null;
  records: RecordSet;
  isCorrected: boolean;
}

const rowsOfScan = 200;

/** On one read connection, in a worker thread because it blocks. What it keeps is valid until the index changes. */
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

  /** @param clock milliseconds of work so far */
  constructor(database: DatabaseSync, clock = processorMs) {
    this.#database = database;
    this.#matches = new Matches(database, clock);
    this.#columns = new DocumentColumns(database);
  }

  search(query: SearchQuery, page: Page, visibility: Visibility): SearchResult {
    return this.#inOneState(() => {
      const { plan, records, isCorrected } = this.#select(query);
      const total = sizeOf(records);
      if (plan !== null && page.sort.key === 'relevance') {
        return { records: this.#readBest(plan, records, page, visibility), total, isCorrected };
      }
      // Lists without a text are those that many begin with.
      const sort = () => this.#sort(records, page);
      const rows = query.text === null ? cached(this.#lists, JSON.stringify([query.filters, page]), sort) : sort();
      return { records: this.#read(rows, visibility), total, isCorrected };
    });
  }

  countFacets(query: SearchQuery, withAudiences = false): FacetCounts {
    return this.#inOneState(() => {
      const { text, filters } = query;
      const { records, isCorrected } = this.#select(query);
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
      const facets = { total: sizeOf(records), ...joinFacets(counted), isCorrected };
      return withAudiences ? { ...facets, audiences: this.#countAudiences(query) } : facets;
    });
  }

  /**
   * Every row of a query, as often as it is read, and from SQLite as it is consumed. From then on the connection sees the state of this
   * moment, so it serves this one scan and is closed afterwards.
   */
  scan(query: SearchQuery): { total: number; read: () => Iterator<RecordRow> } {
    this.#begin();
    const rows = rowsOf(this.#select(query).records);
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
      const passing = this.#matches.pass([{ identity: 'id', any: ids, none: [] }]);
      return this.#read([...rowsOf(passing ?? this.#matches.all())], visibility);
    });
  }

  findAtHosts(hosts: readonly string[], visibility: Visibility): MediaRecord[][] {
    return this.#inOneState(() =>
      hosts.map((host) => {
        const { filters, page } = queryAtHost(host);
        return this.#read(this.#sort(this.#select({ text: null, filters }).records, page), visibility);
      }),
    );
  }

  findNearest(meaning: Meaning, filters: readonly Filter[], limit: number): NearRecord[] {
    return this.#inOneState(() => {
      const passing = this.#matches.pass(filters);
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

  /** All statements of one answer see one snapshot of the data, and what is in memory belongs to it. */
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
    const passing = matches.pass(filters);
    if (text === null) return { plan: null, records: passing ?? matches.all(), isCorrected: false };
    const { plan, asTyped } = cached(this.#plans, JSON.stringify(text), () => this.#choose(text));
    const excluded = matches.find({ is: 'any', of: planExclusions(text) });
    const among = (found: RecordSet) => {
      return matches.sets.subtract(passing === null ? found : matches.sets.intersect([found, passing]), excluded);
    };
    const records = among(plan === null ? matches.all() : matches.find(plan.match));
    // All that the strict query finds, the others find too.
    const isCorrected = asTyped !== null && sizeOf(records) > sizeOf(among(matches.find(asTyped.match)));
    return { plan, records, isCorrected };
  }

  /** Over the whole database, regardless of filters. */
  #choose(text: TextQuery): ChosenPlan {
    const choosing = choosePlan(text);
    let step = choosing.next();
    while (!step.done) {
      step = choosing.next(step.value.counts.map(({ condition }) => sizeOf(this.#matches.find(condition))));
    }
    return step.value;
  }

  /** Reads tiers until there are enough records: what is not on the page is not sorted. */
  #readBest(plan: PlannedQuery, records: RecordSet, page: Page, visibility: Visibility): MediaRecord[] {
    const { sort, offset, limit } = page;
    const total = sizeOf(records);
    const end = Math.min(offset + limit, total);
    const compared = rowsToCompare(plan, page);
    const enough = Math.min(compared ?? end, total);
    const order = orderOf(sort, true);
    const found: FoundRow[] = [];
    for (const { own, tier } of sort.reversed
      ? [...this.#tiers(plan, records)].reverse()
      : this.#tiers(plan, records)) {
      if (found.length >= enough) break;
      const rows = firstRows(rowsOf(own), enough - found.length, order, this.#columns);
      found.push(...Array.from(rows, (record) => ({ record, tier })));
    }
    const rows = this.#order(found, order, sort, enough, 0);
    if (compared === null)
      return this.#read(
        rows.slice(offset, end).map(({ record }) => record),
        visibility,
      );
    const byRow = new Map<number, MediaRecord>();
    const read = (some: readonly FoundRow[]) => {
      const missing = some.map(({ record }) => record).filter((record) => !byRow.has(record));
      for (const [place, record] of this.#read(missing, visibility).entries())
        byRow.set(missing[place] as number, record);
    };
    read(rows.filter(({ tier }) => plan.tiers[tier]?.comparesNames));
    const best = orderByNames(plan, rows, ({ record }) => byRow.get(record) ?? { name: '', aliases: [] }).slice(
      offset,
      end,
    );
    read(best);
    return best.flatMap(({ record }) => byRow.get(record) ?? []);
  }

  /** What each tier has of the records that none before it has. */
  *#tiers(plan: PlannedQuery, records: RecordSet): Generator<{ own: RecordSet; tier: number }> {
    let left = records;
    for (const [tier, { condition }] of plan.tiers.entries()) {
      const own = this.#matches.findAmong(left, condition);
      if (sizeOf(own) === 0) continue;
      left = this.#matches.sets.subtract(left, own);
      yield { own, tier };
    }
  }

  #sort(records: RecordSet, { sort, offset, limit }: Page): number[] {
    const order = orderOf(sort, false);
    const rows = firstRows(rowsOf(records), offset + limit, order, this.#columns);
    const found = Array.from(rows, (record) => ({ record, tier: 0 }));
    return this.#order(found, order, sort, limit, offset).map(({ record }) => record);
  }

  #order(rows: readonly FoundRow[], order: PageOrder, sort: Sort, limit: number, offset: number): FoundRow[] {
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
    return records.length === 0 ? [] : this.#readRows(records, visibility).map(readRecord);
  }

  /** These records in this order, as `body` and, if the caller may see it, the address and its source. */
  #readRows(records: readonly number[], visibility: Visibility): RecordRow[] {
    const columns = visibility === 'full' ? 'r.body, r.email, r.email_source' : 'r.body';
    return this.#prepare(
      `SELECT ${columns} FROM json_each(?) AS p CROSS JOIN records AS r ON r.record = p.value ORDER BY p.key`,
    ).all(JSON.stringify(records));
  }

  #prepare(sql: string): StatementSync {
    return cached(this.#statements, sql, () => this.#database.prepare(sql));
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
