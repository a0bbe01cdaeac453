import type { FacetField } from '#domain/fields.ts';
import type { Visibility } from '#domain/masking.ts';
import type { MediaRecord } from '#domain/media-record.ts';
import type { Page, SearchQuery } from '#domain/search/search-query.ts';

export interface SearchResult {
  records: MediaRecord[];
  /** Exact, whatever the page. */
  total: number;
}

export interface FacetValue {
  value: string;
  count: number;
}

export interface FacetCounts {
  /** Records under all filters. */
  total: number;
  /**
   * Each list counted under all filters but its own (disjunctive), largest count first, then by value;
   * only values that a record has.
   */
  counts: Record<FacetField, FacetValue[]>;
}

/**
 * All records of a query, in batches, in no promised order: those of one moment, however long the reading takes. Only
 * a batch or two are read ahead, so that a slow reader slows the engine.
 */
export interface RecordScan extends AsyncIterable<readonly MediaRecord[]> {
  /** How many records it gives, at that moment. */
  readonly total: number;
  /**
   * Frees what the engine holds for it. The end of an iteration does so too, whether whole, broken off or failed; a
   * scan that is not iterated has to be closed.
   */
  close(): Promise<void>;
}

/**
 * Finds records. With `masked` visibility the engine is never asked for an address: records come with the mask made
 * when they were indexed, and without `email_source`.
 * Every method fails with Problem `search_unavailable` when the engine cannot answer wholly; a partial answer is never
 * given for a whole one.
 */
export interface SearchIndex {
  search(query: SearchQuery, page: Page, visibility: Visibility): Promise<SearchResult>;
  countFacets(query: SearchQuery): Promise<FacetCounts>;
  /** The set that a search for the same query finds, with whole addresses. It can be iterated once. */
  scan(query: SearchQuery): Promise<RecordScan>;
  find(id: string, visibility: Visibility): Promise<MediaRecord | null>;
  /** The records with these ids that a search could find, at most 1,000 of them, in no promised order. */
  findMany(ids: readonly string[], visibility: Visibility): Promise<MediaRecord[]>;
  /** Whether searches can be answered now. */
  isReady(): Promise<boolean>;
}
