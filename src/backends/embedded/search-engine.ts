import { hash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { audienceSteps } from '#search/audience-steps.ts';
import {
  type CountedFacet,
  countFacet,
  type FacetGroup,
  type FacetValue,
  groupFacets,
  joinFacets,
} from '#search/facet-groups.ts';
import type { Meaning } from '#search/meaning/embed.ts';
import {
  minStrictMatches,
  planExclusions,
  planFuzzy,
  planLast,
  planStrict,
  planWholeName,
} from '#search/plan-query.ts';
import type { FacetCounts, NearRecord, SearchResult } from '#search/search-index.ts';
import { type Filter, type Page, queryAtHost, type SearchQuery, type TextQuery } from '#search/search-query.ts';
import { countEdits } from '#text/edit-distance.ts';
import { nameKey } from '#text/fold.ts';
import { atMost, cached } from '#text/memoize.ts';
import {
  buildAudiences,
  buildCount,
  buildFacet,
  buildIdsOf,
  buildList,
  buildMatched,
  buildNearest,
  buildPage,
  buildRecords,
  buildRows,
  buildScan,
  buildTier,
  buildTierOf,
  createMatched,
  maxCompared,
  type ResolvedText,
  type Selection,
  type Statement,
  selectFew,
  selectMany,
  selectMatched,
} from './build-statements.ts';
import { NearestRecords } from './nearest-records.ts';
import { type RecordRow, readRecord } from './record-row.ts';
import { nothing, type RenderedQuery, renderCondition, renderQuery, type Tier } from './render-match.ts';
import { Vocabulary } from './vocabulary.ts';

/** The rows of a page, best first, and what is said about all that was found. */
interface FoundPage extends Omit<SearchResult, 'records'> {
  records: readonly number[];
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
    database.function('name_edits', { deterministic: true }, editsToName);
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

  countFacets({ text, filters }: SearchQuery): FacetCounts {
    return this.#inOneState(() => {
      const resolved = this.#resolve({ text, filters });
      const counted = groupFacets(filters).flatMap((group) =>
        cached(this.#facets, JSON.stringify([text, group]), () => this.#countGroup(resolved, group)),
      );
      const total = this.#count(buildCount(resolved, filters));
      return { total, ...joinFacets(counted), isCorrected: this.#isCorrected(resolved, filters, total) };
    });
  }

  countAudiences({ text, filters }: SearchQuery): number[] {
    return this.#inOneState(() => {
      return cached(this.#audiences, JSON.stringify([text, filters]), () => {
        const rows = this.#all(buildAudiences(this.#resolve({ text, filters }), filters));
        const counts = new Map(rows.map(({ step, count }) => [Number(step), Number(count)]));
        return audienceSteps.map((_, step) => counts.get(step) ?? 0);
      });
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

  /**
   * The strict query if it finds enough or nothing else is asked for, otherwise the fuzzy one, or the last one if that finds
   * nothing: over the whole database, regardless of filters.
   */
  #resolve({ text, filters }: SearchQuery): ResolvedText | null {
    return text && cached(this.#texts, JSON.stringify(text), () => this.#chooseForm(text, filters.length === 0));
  }

  /** @param isAlone whether the text is searched for without filters, so that what it finds is counted anyway */
  #chooseForm(text: TextQuery, isAlone: boolean): ResolvedText {
    const { nameKey } = text;
    const known = this.#vocabulary;
    const exclusion = renderCondition({ is: 'any', of: planExclusions(text) }, known);
    const planned = planStrict(text);
    const strict = planned && (renderQuery(planned, known) ?? nothing);
    // Only exclusions: all other records.
    if (strict === null) return { nameKey, match: null, exclusion, tiers: [] };
    const resolve = ({ match, tiers }: RenderedQuery): ResolvedText => {
      const narrowed = (found: string) => (exclusion === null ? found : `${found} NOT ${exclusion}`);
      return {
        nameKey,
        match: narrowed(match),
        exclusion: null,
        tiers: tiers.map(({ match, ...tier }) => ({ ...tier, match: narrowed(match) })),
      };
    };
    if (text.isStrict || renderCondition(planWholeName(text), known) !== null) return resolve(strict);
    const count = (match: string, limit: number) => {
      const isCounted = isAlone && exclusion === null;
      return isCounted ? this.#count(buildCount({ match, exclusion }, [])) : this.#countUpTo(match, limit);
    };
    const enough = minStrictMatches(text);
    const foundAsTyped = count(strict.match, enough);
    if (foundAsTyped >= enough) return resolve(strict);
    const corrected = planFuzzy(text);
    const fuzzy = corrected && renderQuery(corrected, known);
    const farthest = fuzzy === null || count(fuzzy.match, 1) === 0 ? planLast(text) : null;
    const used = (farthest && renderQuery(farthest, known)) ?? fuzzy;
    if (used === null) return resolve(strict);
    const asTyped = new Set(strict.tiers.map(({ match }) => match));
    const tiers = used.tiers.map((tier) => ({ ...tier, isAsTyped: asTyped.has(tier.match) }));
    return { ...resolve({ ...used, tiers }), asTyped: { ...resolve(strict), foundAsTyped } };
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
  #findBest(text: ResolvedText, filters: readonly Filter[], { sort, offset, limit }: Page) {
    const few = filters.length > 0 ? this.#listFew(text, filters) : null;
    const total = few?.length ?? this.#count(buildCount(text, filters));
    const end = Math.min(offset + limit, total);
    const found = new Set<number>();
    const foundAsTyped = new Set<number>();
    const add = (statement: Statement, { isAsTyped }: Tier) => {
      const records = this.#recordsOf(statement);
      for (const record of records) found.add(record);
      if (isAsTyped) for (const record of records) foundAsTyped.add(record);
      return records.length;
    };
    /** Whether all that the tier can have was found in tiers before it. */
    const isExhausted = ({ isAsTyped }: Tier) => isAsTyped && foundAsTyped.size === text.asTyped?.foundAsTyped;
    for (const tier of sort.reversed ? text.tiers.map(withoutEarlier).toReversed() : text.tiers) {
      if (found.size >= end) break;
      if (isExhausted(tier)) continue;
      if (few !== null && tier.match === text.match && !tier.comparesNames) {
        const rest = few.filter((record) => !found.has(record));
        add(buildTierOf(text, rest, sort), tier);
        continue;
      }
      const isRead = tier.comparesNames && add(buildNearest(text, tier, filters, sort), tier) < maxCompared;
      if (!isRead && found.size < end) add(buildTier(text, tier, filters, sort, end), tier);
    }
    return { records: [...found].slice(offset, end), total };
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

  /** All that the strict query finds, the fuzzy one finds too. */
  #isCorrected(text: ResolvedText | null, filters: readonly Filter[], total: number): boolean {
    const asTyped = text?.asTyped;
    if (asTyped === undefined || total === 0) return false;
    return total > asTyped.foundAsTyped || total > this.#count(buildCount(asTyped, filters));
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
    return fields.map((field) => countFacet(field, this.#all(buildFacet(field, selection)) as unknown as FacetValue[]));
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

/** What one tier has and none before it. */
function withoutEarlier(tier: Tier, place: number, tiers: readonly Tier[]): Tier {
  if (place === 0) return tier;
  const before = tiers.slice(0, place).map(({ match }) => `(${match})`);
  return { ...tier, match: `(${tier.match}) NOT (${before.join(' OR ')})` };
}

/** How far the name of a record, or the nearest of its aliases, is from the typed name; all that are far are alike. */
function editsToName(typed: SQLOutputValue, name: SQLOutputValue, body: SQLOutputValue): number {
  const wanted = String(typed);
  const { aliases } = JSON.parse(String(body)) as MediaRecord;
  const keys = [String(name), ...aliases.map(nameKey)];
  return Math.min(...keys.map((key) => countEdits(wanted, key, wanted.length >> 1)));
}
