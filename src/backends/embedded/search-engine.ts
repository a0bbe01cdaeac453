import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { FacetField } from '#domain/fields.ts';
import type { Visibility } from '#domain/masking.ts';
import type { MediaRecord } from '#domain/media-record.ts';
import { cached } from '#domain/memoize.ts';
import { minStrictMatches, planExclusions, planFuzzy, planStrict, planWholeName } from '#domain/search/plan-query.ts';
import type { SimilarPlan } from '#domain/search/plan-similar.ts';
import { type Filter, type Page, queryAtHost, type SearchQuery, type TextQuery } from '#domain/search/search-query.ts';
import type { FacetCounts, FacetValue, SearchResult } from '#ports/search-index.ts';
import {
  buildCount,
  buildFacet,
  buildMatched,
  buildScan,
  buildSearch,
  facetKeys,
  type ResolvedText,
  type Statement,
} from './build-statements.ts';
import { type RecordRow, readRecord } from './record-row.ts';
import { type RenderedQuery, renderCondition, renderQuery } from './render-match.ts';
import { findSimilarRows } from './similar-records.ts';
import { Vocabulary } from './vocabulary.ts';

/**
 * Answers searches on one read connection. It blocks while it works, so it runs in a worker thread. Its caches (words,
 * totals, facets) are valid until a writer commits.
 */
export class SearchEngine {
  readonly #database: DatabaseSync;
  readonly #vocabulary: Vocabulary;
  readonly #statements = new LRUCache<string, StatementSync>({ max: 200 });
  readonly #texts = new LRUCache<string, ResolvedText>({ max: 200 });
  readonly #totals = new LRUCache<string, number>({ max: 5_000 });
  readonly #facets = new LRUCache<string, FacetCounts>({ max: 200 });
  #dataVersion: unknown;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#vocabulary = new Vocabulary(database);
    database.exec('CREATE TEMP TABLE matched (record INTEGER PRIMARY KEY)');
  }

  search({ text, filters }: SearchQuery, page: Page, visibility: Visibility): SearchResult {
    return this.#inOneState(() => {
      const resolved = text && this.#resolve(text);
      const rows = this.#all(buildSearch(resolved, filters, page, visibility));
      const isLastPage = rows.length > 0 && rows.length < page.limit;
      const total = isLastPage ? page.offset + rows.length : this.#count(buildCount(resolved, filters));
      return { records: rows.map(readRecord), total, isCorrected: this.#isCorrected(resolved, filters, total) };
    });
  }

  countFacets({ text, filters }: SearchQuery): FacetCounts {
    return this.#inOneState(() => {
      return cached(this.#facets, JSON.stringify([text, filters]), () => {
        const resolved = text && this.#resolve(text);
        if (resolved) this.#keepMatched(resolved);
        const counts = Object.fromEntries(
          facetKeys.map((field) => [field, this.#all(buildFacet(field, filters, resolved !== null))]),
        ) as unknown as Record<FacetField, FacetValue[]>;
        const total = this.#count(buildCount(resolved, filters));
        return { total, counts, isCorrected: this.#isCorrected(resolved, filters, total) };
      });
    });
  }

  /**
   * Every row of a query, read from SQLite as it is consumed. From then on the connection sees the state of this
   * moment, so it serves this one scan and is closed afterwards.
   */
  scan({ text, filters }: SearchQuery): { total: number; rows: Iterator<RecordRow> } {
    this.#database.exec('BEGIN');
    const resolved = text && this.#resolve(text);
    const total = this.#count(buildCount(resolved, filters));
    const { sql, values } = buildScan(resolved, filters);
    return { total, rows: this.#prepare(sql).iterate(...values) };
  }

  findMany(ids: readonly string[], visibility: Visibility): MediaRecord[] {
    const columns = visibility === 'full' ? 'body, email, email_source' : 'body';
    // A suppressed record has no document.
    const sql = `SELECT ${columns} FROM records WHERE id IN (SELECT value FROM json_each(?)) AND record IN (SELECT record FROM documents)`;
    return this.#prepare(sql).all(JSON.stringify(ids)).map(readRecord);
  }

  findAtHosts(hosts: readonly string[], visibility: Visibility): MediaRecord[][] {
    return this.#inOneState(() =>
      hosts.map((host) => {
        const { filters, page } = queryAtHost(host);
        return this.#all(buildSearch(null, filters, page, visibility)).map(readRecord);
      }),
    );
  }

  findSimilar(plan: SimilarPlan, limit: number, visibility: Visibility): MediaRecord[] {
    return this.#inOneState(() => {
      const total = this.#count(buildCount(null, []));
      return findSimilarRows((statement) => this.#all(statement), plan, total, limit, visibility).map(readRecord);
    });
  }

  /** All statements of one answer see one snapshot of the data, and the caches belong to it. */
  #inOneState<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN');
    try {
      const version = this.#prepare('PRAGMA data_version').get()?.data_version;
      if (version !== this.#dataVersion) this.#forget();
      this.#dataVersion = version;
      return work();
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  #forget(): void {
    this.#vocabulary.clear();
    this.#texts.clear();
    this.#totals.clear();
    this.#facets.clear();
  }

  /** The strict query if it finds enough, otherwise the fuzzy one: over the whole database, regardless of filters. */
  #resolve(text: TextQuery): ResolvedText {
    return cached(this.#texts, JSON.stringify(text), () => this.#chooseForm(text));
  }

  #chooseForm(text: TextQuery): ResolvedText {
    const { nameKey } = text;
    const known = this.#vocabulary;
    const exclusion = renderCondition({ is: 'any', of: planExclusions(text) }, known);
    const planned = planStrict(text);
    const strict = planned && renderQuery(planned, known);
    // Only exclusions: all other records.
    if (strict === null) return { nameKey, match: null, exclusion, ranks: [] };
    const resolve = ({ match, ranks }: RenderedQuery): ResolvedText => {
      return { nameKey, match: exclusion === null ? match : `${match} NOT ${exclusion}`, exclusion: null, ranks };
    };
    const name = renderCondition(planWholeName(text), known);
    if (this.#finds(name, 1) || this.#finds(strict.match, minStrictMatches(text))) return resolve(strict);
    const corrected = planFuzzy(text);
    const fuzzy = corrected && renderQuery(corrected, known);
    return fuzzy === null ? resolve(strict) : { ...resolve(fuzzy), asTyped: resolve(strict) };
  }

  /** All that the strict query finds, the fuzzy one finds too. */
  #isCorrected(text: ResolvedText | null, filters: readonly Filter[], total: number): boolean {
    const asTyped = text?.asTyped;
    return asTyped !== undefined && total > 0 && total > this.#count(buildCount(asTyped, filters));
  }

  #finds(match: string | null, atLeast: number): boolean {
    if (match === null) return false;
    const sql = 'SELECT count(*) AS count FROM (SELECT 1 FROM search_text WHERE search_text MATCH ? LIMIT ?)';
    return Number(this.#prepare(sql).get(match, atLeast)?.count) >= atLeast;
  }

  #count(statement: Statement): number {
    // By hash, because a statement has more than a kilobyte.
    const key = hash('sha1', JSON.stringify(statement), 'base64url');
    return cached(this.#totals, key, () => Number(this.#prepare(statement.sql).get(...statement.values)?.count));
  }

  #keepMatched(text: ResolvedText): void {
    const { sql, values } = buildMatched(text);
    this.#database.exec('DELETE FROM temp.matched');
    this.#prepare(`INSERT INTO temp.matched ${sql}`).run(...values);
  }

  #all({ sql, values }: Statement) {
    return this.#prepare(sql).all(...values);
  }

  #prepare(sql: string): StatementSync {
    return cached(this.#statements, sql, () => this.#database.prepare(sql));
  }
}
