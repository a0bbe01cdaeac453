import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { audienceSteps } from '#search/audience-steps.ts';
import { type Count, choosePlan } from '#search/choose-plan.ts';
import { orderByNames, rowsToCompare } from '#search/compare-names.ts';
import {
  type CountedFacet,
  countFacet,
  type FacetGroup,
  type FacetValue,
  groupFacets,
  joinFacets,
} from '#search/facet-groups.ts';
import type { Meaning } from '#search/meaning/embed.ts';
import { type PlannedQuery, planExclusions } from '#search/plan-query.ts';
import type { FacetCounts, NearRecord, SearchResult } from '#search/search-index.ts';
import { type Filter, type Page, queryAtHost, type SearchQuery, type TextQuery } from '#search/search-query.ts';
import { atMost, cached } from '#text/memoize.ts';
import {
  buildAudiences,
  buildCount,
  buildFacet,
  buildIdsOf,
  buildList,
  buildMatched,
  buildPage,
  buildRecords,
  buildRows,
  buildScan,
  buildTier,
  buildTierOf,
  createMatched,
  type ResolvedText,
  type Selection,
  type Statement,
  selectFew,
  selectMany,
  selectMatched,
} from './build-statements.ts';
import { NearestRecords } from './nearest-records.ts';
import { type RecordRow, readRecord } from './record-row.ts';
import { type RenderedTier, renderCondition, renderQuery } from './render-match.ts';
import { renderToken, Vocabulary } from './vocabulary.ts';

/** The rows of a page, best first, and what is said about all that was found. */
interface FoundPage extends Omit<SearchResult, 'records'> {
  records: readonly number[];
}

/** A found record, and the place of its tier in the plan. */
interface FoundRow {
  record: number;
  tier: number;
}

/** Records that are listed before they are sorted. */
const maxListed = 100;

/** Reading this part of the records one by one takes as long as reading all of them in sequence. */
const fewShare = 1 / 4;

/**
 * Answers searches on one read connection. It blocks while it works, so it runs in a worker thread. Its caches (words,
 * totals, pages, facets) are valid until the index changes; other writes, such as the use of keys, leave them.
 */
export class SearchEngine {
  readonly #database: DatabaseSync;
  readonly #vocabulary: Vocabulary;
  readonly #statements = new LRUCache<string, StatementSync>(atMost(200));
  readonly #texts = new LRUCache<string, ResolvedText>(atMost(200));
  readonly #totals = new LRUCache<string, number>(atMost(5_000));
  readonly #pages = new LRUCache<string, FoundPage>(atMost(500));
  readonly #facets = new LRUCache<string, CountedFacet[]>(atMost(200));
  readonly #audiences = new LRUCache<string, number[]>(atMost(200));
  /** The places in #nearest of the records that pass filters. */
  readonly #passing = new LRUCache<string, Uint8Array>(atMost(20));
  #nearest: NearestRecords | undefined;
  #edition: unknown;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#vocabulary = new Vocabulary(database);
    database.exec(createMatched);
  }

  search({ text, filters }: SearchQuery, page: Page, visibility: Visibility): SearchResult {
    return this.#inOneState(() => {
      const { records, ...counts } = cached(this.#pages, JSON.stringify([text, filters, page]), () => {
        return this.#findPage(this.#resolve({ text, filters }), filters, page);
      });
      return { records: this.#all(buildRows(records, visibility)).map(readRecord), ...counts };
    });
  }

  countFacets({ text, filters }: SearchQuery, withAudiences = false): FacetCounts {
    return this.#inOneState(() => {
      const resolved = this.#resolve({ text, filters });
      const counted = groupFacets(filters).flatMap((group) =>
        cached(this.#facets, JSON.stringify([text, group]), () => this.#countGroup(resolved, group)),
      );
      const total = this.#count(buildCount(resolved, filters));
      const isCorrected = this.#isCorrected(resolved, filters, total);
      const facets = { total, ...joinFacets(counted), isCorrected };
      return withAudiences ? { ...facets, audiences: this.#countAudiences(resolved, { text, filters }) } : facets;
    });
  }

  #countAudiences(resolved: ResolvedText | null, { text, filters }: SearchQuery): number[] {
    return cached(this.#audiences, JSON.stringify([text, filters]), () => {
      const rows = this.#all(buildAudiences(resolved, filters));
      const counts = new Map(rows.map(({ step, count }) => [Number(step), Number(count)]));
      return audienceSteps.map((_, step) => counts.get(step) ?? 0);
    });
  }

  /**
   * Every row of a query, as often as it is read, and from SQLite as it is consumed. From then on the connection sees the state of this
   * moment, so it serves this one scan and is closed afterwards.
   */
  scan({ text, filters }: SearchQuery): { total: number; read: () => Iterator<RecordRow> } {
    this.#database.exec('BEGIN');
    const resolved = this.#resolve({ text, filters });
    const total = this.#count(buildCount(resolved, filters));
    const { sql, values } = buildScan(resolved, filters);
    return { total, read: () => this.#prepare(sql).iterate(...values) };
  }

  findMany(ids: readonly string[], visibility: Visibility): MediaRecord[] {
    const columns = visibility === 'full' ? 'r.body, r.email, r.email_source' : 'r.body';
    // A suppressed record has no document. Ids come first: with IN, SQLite lists all documents.
    const sql = `SELECT ${columns} FROM (SELECT DISTINCT value FROM json_each(?)) AS p CROSS JOIN records AS r ON r.id = p.value WHERE EXISTS (SELECT 1 FROM documents AS d WHERE d.record = r.record)`;
    return this.#prepare(sql).all(JSON.stringify(ids)).map(readRecord);
  }

  findAtHosts(hosts: readonly string[], visibility: Visibility): MediaRecord[][] {
    return this.#inOneState(() =>
      hosts.map((host) => {
        const { filters, page } = queryAtHost(host);
        const records = this.#recordsOf(buildPage(null, filters, page));
        return this.#all(buildRows(records, visibility)).map(readRecord);
      }),
    );
  }

  findNearest(meaning: Meaning, filters: readonly Filter[], limit: number): NearRecord[] {
    return this.#inOneState(() => {
      const nearest = this.#nearest ?? new NearestRecords(this.#database);
      this.#nearest = nearest;
      nearest.follow(Number(this.#edition));
      const among =
        filters.length === 0
          ? null
          : cached(this.#passing, JSON.stringify(filters), () =>
              nearest.placesOf(this.#recordsOf(buildRecords(filters))),
            );
      const near = nearest.find(meaning, among, limit);
      const ids = this.#all(buildIdsOf(near.map(({ record }) => record)));
      return ids.map(({ place, id }) => ({ id: String(id), likeness: near[Number(place)]?.likeness ?? 0 }));
    });
  }

  /** All statements of one answer see one snapshot of the data, and the caches belong to it. */
  #inOneState<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN');
    try {
      const edition = this.#prepare('SELECT edition FROM search_index').get()?.edition;
      if (edition !== this.#edition) this.#forget();
      this.#edition = edition;
      return work();
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  #forget(): void {
    this.#vocabulary.clear();
    this.#texts.clear();
    this.#totals.clear();
    this.#pages.clear();
    this.#facets.clear();
    this.#audiences.clear();
    this.#passing.clear();
  }

  /** Over the whole database, regardless of filters. */
  #resolve({ text }: SearchQuery): ResolvedText | null {
    return text && cached(this.#texts, JSON.stringify(text), () => this.#choose(text));
  }

  #choose(text: TextQuery): ResolvedText {
    const known = this.#vocabulary;
    const exclusion = renderCondition({ is: 'any', of: planExclusions(text) }, known);
    const count = ({ condition, limit }: Count) => {
      const match = renderCondition(condition, known);
      return match === null ? 0 : this.#countUpTo(match, limit);
    };
    const choosing = choosePlan(text);
    let step = choosing.next();
    while (!step.done) step = choosing.next(step.value.counts.map(count));
    const { plan, asTyped } = step.value;
    // Only exclusions: all other records.
    if (plan === null) return { plan, match: null, exclusion, tiers: [], asTyped: null };
    const narrowed = (match: string) => (exclusion === null ? match : `(${match}) NOT ${exclusion}`);
    const { match, tiers } = renderQuery(plan, known) ?? nothing;
    const strict = asTyped && (renderQuery(asTyped, known) ?? nothing);
    return {
      plan,
      match: narrowed(match),
      exclusion: null,
      tiers: tiers.map(({ match, tier }) => ({ match: narrowed(match), tier })),
      asTyped: strict && narrowed(strict.match),
    };
  }

  #findPage(text: ResolvedText | null, filters: readonly Filter[], page: Page): FoundPage {
    const { records, total } =
      page.sort.key === 'relevance' && text?.match != null
        ? this.#findBest(text, filters, page)
        : this.#findSorted(text, filters, page);
    return { records, total, isCorrected: this.#isCorrected(text, filters, total) };
  }

  #findSorted(text: ResolvedText | null, filters: readonly Filter[], page: Page): { records: number[]; total: number } {
    const records = this.#recordsOf(buildPage(text, filters, page));
    const isLastPage = records.length > 0 && records.length < page.limit;
    return { records, total: isLastPage ? page.offset + records.length : this.#count(buildCount(text, filters)) };
  }

  /** Reads tiers until there are enough records: what is not on the page is not sorted. */
  #findBest(text: ResolvedText, filters: readonly Filter[], page: Page) {
    const { sort, offset, limit } = page;
    const few = filters.length > 0 ? this.#listFew(text, filters) : null;
    const total = few?.length ?? this.#count(buildCount(text, filters));
    const end = Math.min(offset + limit, total);
    const compared = text.plan && rowsToCompare(text.plan, page);
    const enough = Math.min(compared ?? end, total);
    const found = new Map<number, number>();
    for (const { match, tier } of sort.reversed ? text.tiers.map(withoutEarlier).toReversed() : text.tiers) {
      if (found.size >= enough) break;
      const rest = few !== null && match === text.match ? few.filter((record) => !found.has(record)) : null;
      const statement = rest === null ? buildTier(match, filters, sort, enough) : buildTierOf(rest, sort);
      for (const record of this.#recordsOf(statement)) if (!found.has(record)) found.set(record, tier);
    }
    const rows = Array.from(found, ([record, tier]) => ({ record, tier })).slice(0, enough);
    const ordered = text.plan !== null && compared !== null ? this.#orderByNames(text.plan, rows) : rows;
    return { records: ordered.slice(offset, end).map(({ record }) => record), total };
  }

  #orderByNames(plan: PlannedQuery, rows: readonly FoundRow[]): readonly FoundRow[] {
    const compared = rows.filter(({ tier }) => plan.tiers[tier]?.comparesNames);
    if (compared.length < 2) return rows;
    const records = compared.map(({ record }) => record);
    const bodies = this.#all(buildRows(records, 'masked')).map(readRecord);
    const byRow = new Map(records.map((record, place) => [record, bodies[place]]));
    return orderByNames(plan, rows, ({ record }) => byRow.get(record) ?? { name: '', aliases: [] });
  }

  /** What a text finds under filters, if that is few records: it needs no count then, and is the last tier. */
  #listFew(text: ResolvedText, filters: readonly Filter[]): number[] | null {
    const total = keyOf(buildCount(text, filters));
    if ((this.#totals.get(total) ?? 0) > maxListed) return null;
    const records = this.#recordsOf(buildList(text, filters, maxListed + 1));
    if (records.length > maxListed) return null;
    this.#totals.set(total, records.length);
    return records;
  }

  #recordsOf(statement: Statement): number[] {
    return this.#all(statement).map(({ record }) => Number(record));
  }

  /** All that the strict query finds, the others find too. */
  #isCorrected(text: ResolvedText | null, filters: readonly Filter[], total: number): boolean {
    if (text?.asTyped == null || total === 0) return false;
    return total > this.#count(buildCount({ match: text.asTyped, exclusion: null }, filters));
  }

  #countUpTo(match: string, limit: number): number {
    const sql = 'SELECT count(*) AS count FROM (SELECT 1 FROM search_text WHERE search_text MATCH ? LIMIT ?)';
    return Number(this.#prepare(sql).get(match, limit)?.count);
  }

  #count(statement: Statement): number {
    return cached(this.#totals, keyOf(statement), () =>
      Number(this.#prepare(statement.sql).get(...statement.values)?.count),
    );
  }

  #countGroup(text: ResolvedText | null, { fields, filters }: FacetGroup): CountedFacet[] {
    const selection = this.#select(text, filters, fields.length);
    return fields.map((field) => {
      const rows = this.#all(buildFacet(field, selection)) as unknown as (FacetValue & { distinct_values?: number })[];
      const values = rows.map(({ value, count }) => ({ value, count }));
      return countFacet(field, values, rows[0]?.distinct_values);
    });
  }

  /** The records of a query, for so many statements. */
  #select(text: ResolvedText | null, filters: readonly Filter[], statements: number): Selection {
    if (text === null && this.#count(buildCount(null, filters)) > this.#count(buildCount(null, [])) * fewShare) {
      return selectMany(text, filters);
    }
    const selection = selectFew(text, filters);
    if (statements < 2) return selection;
    const { sql, values } = buildMatched(selection);
    this.#database.exec('DELETE FROM temp.matched');
    const { changes } = this.#prepare(sql).run(...values);
    this.#totals.set(keyOf(buildCount(text, filters)), Number(changes));
    return selectMatched;
  }

  #all({ sql, values }: Statement) {
    return this.#prepare(sql).all(...values);
  }

  #prepare(sql: string): StatementSync {
    return cached(this.#statements, sql, () => this.#database.prepare(sql));
  }
}

/** A hash, because a statement has more than a kilobyte. */
function keyOf(statement: Statement): string {
  return hash('sha1', JSON.stringify(statement), 'base64url');
}

/** A query that finds no record: no name has this token. */
const nothing = { match: renderToken('_'), tiers: [] };

/** What one tier has and none before it. */
function withoutEarlier({ match, tier }: RenderedTier, place: number, tiers: readonly RenderedTier[]): RenderedTier {
  const before = tiers.slice(0, place).map((earlier) => earlier.match);
  return place === 0 ? { match, tier } : { match: `(${match}) NOT (${before.join(' OR ')})`, tier };
}
