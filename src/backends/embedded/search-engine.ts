import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { isContactField } from '#records/contacts/contact-fields.ts';
import type { FacetField } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { AskedPart } from '#search/asked-parts.ts';
import type { Condition } from '#search/conditions.ts';
import { splitFilters } from '#search/contact-filters.ts';
import {
  audienceSteps,
  type CountedFacet,
  countFacet,
  type FacetValue,
  groupFacets,
  isOpenFacet,
  joinFacets,
  openFacetValues,
  withoutAudience,
} from '#search/facet-groups.ts';
import type { Meaning } from '#search/meaning/embed.ts';
import { orderByNames, rowsToCompare } from '#search/order-by-names.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import { planningOf } from '#search/planning.ts';
import type {
  AlikeOptions,
  AlikeRecords,
  FacetCounts,
  FacetOptions,
  FirstRecord,
  NearRecord,
  SearchResult,
} from '#search/search-index.ts';
import {
  type Filter,
  firstPage,
  type Page,
  type Position,
  type SearchQuery,
  type Sort,
  type Understanding,
  withWholeText,
} from '#search/search-query.ts';
import { chooseKnowing, type KnownChoice, pageOf, takingAllNear } from '#search/walk.ts';
import { atMost, cached, once } from '#text/memoize.ts';
import { NearestRecords } from './nearest-records.ts';
import { contactIdsAsJson } from './own-matches.ts';
import {
  type FoundRow,
  firstRows,
  isBehind,
  orderBy,
  orderOf,
  type PageOrder,
  rowsBehind,
  sortInMemory,
  valuesOf,
} from './page-order.ts';
import { type RecordRow, readAnswer } from './record-row.ts';
import { type RecordSet, rowsOf, sizeOf } from './record-sets.ts';
import { type Searched, SearchedRows } from './searched-rows.ts';

interface Selection {
  /** Null if there is no text, or only exclusions. */
  plan: PlannedQuery | null;
  records: RecordSet;
  isCorrected: boolean;
  dropped: SearchResult['dropped'];
  counted: Position['counted'];
}

/** A page by the numbers of its rows. */
type FoundPage = Omit<SearchResult, 'records'> & { numbers: readonly number[] };

type ReadRows = (rows: readonly number[]) => MediaRecord[];

const rowsOfScan = 200;

/** Answers searches on one read connection. It blocks, so it runs in a worker thread. Caches last until the index changes. */
export class SearchEngine {
  readonly #database: DatabaseSync;
  readonly #searched: SearchedRows;
  readonly #statements = new LRUCache<string, StatementSync>(atMost(50));
  readonly #plans = new LRUCache<string, KnownChoice>(atMost(200));
  readonly #facets = new LRUCache<string, CountedFacet>(atMost(1_000));
  readonly #counts = new LRUCache<string, FacetCounts>(atMost(1_000));
  readonly #pages = new LRUCache<string, FoundPage>(atMost(2_000));
  readonly #alike = new LRUCache<string, ReturnType<NearestRecords['findAlike']>>(atMost(500));
  #nearest: NearestRecords | undefined;
  #edition = -1;

  constructor(database: DatabaseSync, clock?: () => number) {
    this.#database = database;
    this.#searched = new SearchedRows(database, clock);
  }

  search(query: SearchQuery, page: Page, visibility: Visibility): SearchResult {
    return this.#inOneState(() => {
      const read = this.#reader(this.#rowsOf(query), visibility);
      const find = () => this.#findPage(query, page, read);
      // What is asked is often asked again: by the next visitor, for the next page's sake, or by a program every minute.
      const { numbers, ...how } =
        page.after === undefined
          ? cached(this.#pages, JSON.stringify([keyOf(query), page]), find)
          : this.#walk(query, page, page.after);
      return { records: read(numbers), ...how };
    });
  }

  countFacets(query: SearchQuery, { audiences = false }: FacetOptions): FacetCounts {
    return this.#inOneState(() =>
      cached(this.#counts, `${audiences} ${keyOf(query)}`, () => {
        const counts = this.#countGroups(query);
        return audiences ? { ...counts, audiences: this.#countAudiences(query) } : counts;
      }),
    );
  }

  #countGroups(query: SearchQuery): FacetCounts {
    const { filters } = query;
    const { records, isCorrected, dropped } = this.#select(query);
    const counted = groupFacets(filters).flatMap((group) => {
      const asked = { ...query, filters: group.filters };
      const key = keyOf(asked);
      const found = once(() => (group.filters === filters ? records : this.#select(asked).records));
      const rows = once(() => rowsOf(found()));
      return group.fields.map((field) =>
        cached(this.#facets, `${field} ${key}`, () => this.#countFacet(field, asked, found(), rows)),
      );
    });
    return { total: sizeOf(records), ...joinFacets(counted), isCorrected, dropped };
  }

  /**
   * All rows of a query, read from SQLite as they are consumed; `read` starts from the first again. The connection keeps
   * seeing the state of this moment, so use it for one scan and then close it.
   */
  scan(query: SearchQuery): { total: number; read: () => Iterator<RecordRow> } {
    this.#begin();
    const searched = this.#rowsOf(query);
    const rows = rowsOf(this.#select(withWholeText(query)).records);
    const read = function* (this: SearchEngine) {
      for (let done = 0; done < rows.length; done += rowsOfScan) {
        yield* this.#readRows(searched, [...rows.subarray(done, done + rowsOfScan)], 'full');
      }
    };
    return { total: rows.length, read: () => read.call(this) };
  }

  findMany(ids: readonly string[], visibility: Visibility): MediaRecord[] {
    if (ids.length === 0) return [];
    return this.#inOneState(() => {
      const { records } = this.#select({ text: null, filters: [{ identity: 'id', any: ids, none: [] }] });
      return this.#read(this.#searched.records, [...rowsOf(records)], visibility);
    });
  }

  findFirst(plans: readonly PlannedQuery[], filters: readonly Filter[], visibility: Visibility): FirstRecord[] {
    return this.#inOneState(() => {
      const { matches } = this.#searched.records;
      const passing = matches.findPassing(filters);
      return plans.map((plan) => {
        const matching = matches.find(plan.match);
        const records = passing === null ? matching : matches.sets.intersect([matching, passing]);
        const { records: searched } = this.#searched;
        const read = this.#reader(searched, visibility);
        const [record = null] = read(this.#rank(searched, plan, records, firstPage(1), read));
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
      const { wanted, near } = cached(this.#alike, JSON.stringify([Array.from(meaning), filters, limit, within]), () =>
        this.#compared().findAlike(meaning, this.#rowsWithin(filters, within), limit),
      );
      const alike = near.filter(({ likeness }) => likeness >= minLikeness);
      const rows = alike.map(({ row }) => row);
      const records = this.#read(this.#searched.records, rows, visibility);
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
    this.#plans.clear();
    this.#facets.clear();
    this.#counts.clear();
    this.#pages.clear();
    this.#alike.clear();
    this.#edition = edition;
  }

  #rowsOf({ rows }: SearchQuery): Searched {
    return this.#searched[rows ?? 'records'];
  }

  /** @param after set for a page that begins behind it */
  #select(query: SearchQuery, after?: Position | null): Selection {
    const { text } = query;
    const { matches } = this.#rowsOf(query);
    const passing = this.#findPassing(query);
    if (text === null)
      return { plan: null, records: passing ?? matches.all(), isCorrected: false, dropped: [], counted: [] };
    const { chosen, counted } = cached(this.#plans, JSON.stringify([query.rows, text, after?.counted]), () =>
      this.#choose(query, text, after?.counted),
    );
    const { asTyped, asked } = chosen;
    const plan = after === undefined || chosen.plan === null ? chosen.plan : takingAllNear(chosen.plan);
    const excluded = matches.find({ is: 'any', of: planningOf(query).excluded(text) });
    const among = (found: RecordSet) => {
      return matches.sets.subtract(passing === null ? found : matches.sets.intersect([found, passing]), excluded);
    };
    const records = among(plan === null ? matches.all() : matches.find(plan.match));
    // Every corrected plan also finds what the strict one finds.
    const isCorrected = asTyped !== null && sizeOf(records) > sizeOf(among(matches.find(asTyped.match)));
    const lacks = ({ condition }: AskedPart) => sizeOf(matches.findAmong(records, condition)) < sizeOf(records);
    return { plan, records, isCorrected, dropped: asked.filter(lacks).map(({ words }) => words), counted };
  }

  /** The rows that pass the filters and the list of a query; null if all do. */
  #findPassing(query: SearchQuery): RecordSet | null {
    const { rows, matches } = this.#rowsOf(query);
    const passing = matches.findPassing(query.filters);
    if (rows === 'records') return passing;
    const { people } = this.#searched;
    const unlisted = [
      ...(query.listedContacts ? [people.findNamed(query.listedContacts, 'NOT IN')] : []),
      ...(query.unlistedContacts ? [people.findNamed(query.unlistedContacts, 'IN')] : []),
    ];
    return unlisted.reduce((left, some) => matches.sets.subtract(left ?? matches.all(), some), passing);
  }

  /** Chooses the plan of a text over the whole database, regardless of filters. */
  #choose(query: SearchQuery, text: Understanding, known?: Position['counted']): KnownChoice {
    const { matches } = this.#rowsOf(query);
    const choosing = chooseKnowing(planningOf(query).choose(text), known);
    let step = choosing.next();
    while (!step.done) {
      const sizes = new Map(step.value.counts.map((count) => [count, sizeOf(matches.find(count.condition))]));
      step = choosing.next((count) => sizes.get(count) ?? 0);
    }
    return step.value;
  }

  #findPage(query: SearchQuery, page: Page, read: ReadRows): FoundPage {
    const searched = this.#rowsOf(query);
    const { plan, records, isCorrected, dropped } = this.#select(query);
    const isRanked = plan !== null && page.sort.key === 'relevance';
    const find = () =>
      isRanked ? this.#rank(searched, plan, records, page, read) : this.#sort(searched, records, page);
    return { numbers: page.limit === 0 ? [] : find(), total: sizeOf(records), isCorrected, dropped };
  }

  /** The rows of a ranked page. Names are compared among its first rows. */
  #rank(searched: Searched, plan: PlannedQuery, records: RecordSet, page: Page, read: ReadRows): number[] {
    const end = page.offset + page.limit;
    const compared = rowsToCompare(plan, page);
    const rows = this.#findBest(searched, plan, records, page.sort, compared ?? end);
    if (compared === null) return numbersOf(rows.slice(page.offset, end));
    const named = numbersOf(rows.filter(({ tier }) => plan.tiers[tier]?.comparesNames));
    const byRow = new Map(read(named).map((record, place) => [named[place], record]));
    const ordered = orderByNames(plan, rows, ({ record }) => byRow.get(record) ?? { name: '', aliases: [] });
    return numbersOf(ordered.slice(page.offset, end));
  }

  /** A page of the rows behind a position. */
  #walk(query: SearchQuery, { sort, limit }: Page, after: Position | null): FoundPage {
    const searched = this.#rowsOf(query);
    const { plan, records, counted, isCorrected, dropped } = this.#select(query, after);
    const ranking = sort.key === 'relevance' ? plan : null;
    const found = this.#findBest(searched, ranking, records, sort, limit + 1, after?.values);
    const { rows, next } = pageOf(found, limit, ({ record, tier }) => {
      const values = valuesOf(orderOf(sort, ranking !== null, searched.rows));
      const select = this.#prepare(`SELECT ${values} AS list FROM json_each(?) AS p ${searched.ordered}`);
      return { counted, values: [tier, ...JSON.parse(String(select.get(`[[${record}]]`)?.list))] };
    });
    return { numbers: numbersOf(rows), total: sizeOf(records), isCorrected, dropped, next };
  }

  /**
   * The first rows by tier and order, or those behind a position. Stops at the tier that completes them, so that the rest is never
   * sorted. @param plan null if no text ranks the rows
   */
  #findBest(
    searched: Searched,
    plan: PlannedQuery | null,
    records: RecordSet,
    sort: Sort,
    most: number,
    [lastTier, ...values]: Position['values'] = [],
  ): FoundRow[] {
    const count = Math.min(most, sizeOf(records));
    const order = orderOf(sort, plan !== null, searched.rows);
    const tiers = plan === null ? [{ own: records, tier: 0 }] : this.#tiers(searched, plan, records);
    const isBefore = (tier: number) =>
      lastTier != null && (sort.reversed ? tier > Number(lastTier) : tier < Number(lastTier));
    const found: FoundRow[] = [];
    for (const { own, tier } of sort.reversed ? [...tiers].reverse() : tiers) {
      if (found.length >= count) break;
      if (isBefore(tier)) continue;
      const open = tier === lastTier ? this.#rowsBehind(searched, rowsOf(own), order, values) : rowsOf(own);
      const rows = firstRows(open, count - found.length, order, searched.columns);
      found.push(...Array.from(rows, (record) => ({ record, tier })));
    }
    return this.#order(searched, found, order, sort, count);
  }

  /** Those of the rows that are behind one with these values. */
  #rowsBehind(searched: Searched, rows: Uint32Array, order: PageOrder, values: Position['values']): Uint32Array {
    const { behind, equal } = rowsBehind(rows, values, order, searched.columns);
    if (equal.length === 0) return behind;
    const select = this.#prepare(
      `SELECT p.value ->> 0 AS record FROM json_each(?1) AS p ${searched.ordered} WHERE ${isBehind(order)}`,
    );
    const exact = select.all(JSON.stringify(Array.from(equal, (row) => [row])), ...values);
    return Uint32Array.of(...behind, ...exact.map(({ record }) => Number(record)));
  }

  /** The records of each tier, without those of the tiers before it. */
  *#tiers({ matches }: Searched, plan: PlannedQuery, records: RecordSet): Generator<{ own: RecordSet; tier: number }> {
    let left = records;
    for (const [tier, { condition }] of plan.tiers.entries()) {
      const own = matches.findAmong(left, condition);
      if (sizeOf(own) === 0) continue;
      left = matches.sets.subtract(left, own);
      yield { own, tier };
    }
  }

  /** The rows of a page that no text ranks. */
  #sort(searched: Searched, records: RecordSet, page: Page): number[] {
    const rows = this.#findBest(searched, null, records, page.sort, page.offset + page.limit);
    return numbersOf(rows.slice(page.offset));
  }

  /** The first of rows, sorted in memory, or by SQLite where the values in memory do not decide the order. */
  #order(searched: Searched, rows: readonly FoundRow[], order: PageOrder, sort: Sort, most: number): FoundRow[] {
    const sorted = sortInMemory(rows, order, sort, searched.columns);
    if (sorted !== null) return sorted.slice(0, most);
    const select = this.#prepare(`
      SELECT p.value ->> 0 AS record, p.value ->> 1 AS tier FROM json_each(?) AS p ${searched.ordered}
      ORDER BY tier ${sort.reversed ? 'DESC' : 'ASC'}, ${orderBy(order)} LIMIT ?`);
    const pairs = JSON.stringify(rows.map(({ record, tier }) => [record, tier]));
    return select.all(pairs, most).map(({ record, tier }) => ({ record: Number(record), tier: Number(tier) }));
  }

  #countAudiences(query: SearchQuery): number[] {
    const counts = audienceSteps.map(() => 0);
    const audiences = this.#rowsOf(query).columns.sorted('audience');
    for (const row of rowsOf(this.#select({ ...query, filters: withoutAudience(query.filters) }).records)) {
      const step = audienceSteps.findLastIndex((least) => (audiences[row] as number) >= least);
      if (step >= 0) counts[step] = (counts[step] ?? 0) + 1;
    }
    return counts;
  }

  #countFacet(field: FacetField, query: SearchQuery, found: RecordSet, rows: () => Uint32Array): CountedFacet {
    const isOfContacts = isContactField(field) && query.rows === undefined;
    const counted = isOfContacts
      ? this.#countOfContacts(field, query, found)
      : this.#rowsOf(query).columns.count(field, rows());
    return countFacet(field, isOpenFacet(field) ? counted.slice(0, openFacetValues) : counted, counted.length);
  }

  /** How many of the records have each value in a contact that passes the filters of contacts. */
  #countOfContacts(field: FacetField, { filters }: SearchQuery, records: RecordSet): FacetValue[] {
    const { people, contacts } = this.#searched;
    const { ofContact } = splitFilters(filters);
    const all = people.contactsOf(records);
    const passing = ofContact.length === 0 ? all : people.sets.intersect([all, people.findPassing(ofContact)]);
    return contacts.columns.countByRecord(field, rowsOf(passing));
  }

  #read(searched: Searched, rows: readonly number[], visibility: Visibility): MediaRecord[] {
    return rows.length === 0 ? [] : this.#readRows(searched, rows, visibility).map(readAnswer);
  }

  /** Reads rows in their order, each only once: names are compared before a page is read. */
  #reader(searched: Searched, visibility: Visibility): ReadRows {
    const byRow = new Map<number, MediaRecord>();
    return (rows) => {
      const missing = rows.filter((row) => !byRow.has(row));
      for (const [place, record] of this.#read(searched, missing, visibility).entries())
        byRow.set(missing[place] as number, record);
      return rows.flatMap((row) => byRow.get(row) ?? []);
    };
  }

  /** What is stored of these rows in this order: the body, and the secret if the caller may see it. */
  #readRows({ read, besides }: Searched, rows: readonly number[], visibility: Visibility): RecordRow[] {
    const columns = visibility === 'full' ? 'r.body, r.secret' : 'r.body';
    return this.#prepare(`SELECT ${columns}${besides} FROM json_each(?) AS p ${read} ORDER BY p.key`).all(
      JSON.stringify(rows),
    );
  }

  #prepare(sql: string): StatementSync {
    return cached(this.#statements, sql, () => this.#database.prepare(sql));
  }
}

const numbersOf = (rows: readonly FoundRow[]) => rows.map(({ record }) => record);

/** Queries with the same key have the same rows. */
function keyOf({ rows, text, filters, listedContacts, unlistedContacts }: SearchQuery): string {
  return JSON.stringify([rows, text, filters, ...[listedContacts, unlistedContacts].map(contactIdsAsJson)]);
}
