import type { FacetField, OpenFacetField } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Condition } from './conditions/conditions.ts';
import type { RowKind } from './contact-row.ts';
import type { FacetValue } from './facet-groups.ts';
import type { Meaning } from './meaning/embed.ts';
import type { PlannedQuery } from './plans/plan-query.ts';
import type { Filter, Page, Position, SearchQuery } from './search-query.ts';

export interface SearchResult {
  records: MediaRecord[];
  /** Exact, whatever the page. */
  total: number;
  /** Whether some of these records, on any page, were found only by a corrected plan, not by the strict one (docs/search.md). */
  isCorrected: boolean;
  /** The parts of the text that some of these records, on any page, lack: the folded words of each, in the order typed. */
  dropped: readonly (readonly string[])[];
  /** What is near in meaning beside few results, if the query asks for it: at most ten records, counted nowhere. */
  also?: readonly MediaRecord[];
  /** Of a page with `after`: where the next one begins; null after the last row. */
  next?: Position | null;
}

export interface FirstRecord {
  /** Null if there is none. */
  record: MediaRecord | null;
  /** Exact. */
  total: number;
}

/** A record, and the cosine of its meaning and the wanted one: from -1 to 1. */
export interface NearRecord {
  id: string;
  likeness: number;
}

/** The nearest records to a meaning, and that meaning sharpened by the first of them: to it they are like. */
export interface AlikeRecords {
  wanted: Meaning;
  near: readonly (NearRecord & { record: MediaRecord })[];
}

export interface FacetCounts {
  /** Records that match all filters. */
  total: number;
  /** The values of each facet that have records, under all filters but its own; largest count first, then by value. */
  counts: Record<FacetField, FacetValue[]>;
  /** How many values the open facets have besides their 100 largest. */
  more: Record<OpenFacetField, number>;
  /** As in a search of the same query. */
  isCorrected: boolean;
  dropped: readonly (readonly string[])[];
  /** The number of records in each of `audienceSteps`, under all filters except bounds of the audience, if asked for. */
  audiences?: number[];
}

/** The records of one snapshot in batches, in no order. Reads one or two batches ahead: a slow reader slows the engine. */
export interface RecordScan extends AsyncIterable<readonly MediaRecord[]> {
  /** How many records the snapshot has. */
  readonly total: number;
  /**
   * Releases what the engine holds for it. The end of an iteration does so too, whether complete, interrupted or
   * failed, unless the scan is kept; a scan that is kept, or not iterated, must be closed.
   */
  close(): Promise<void>;
}

export interface ScanOptions {
  /** Whether the scan can be iterated repeatedly, until it is closed. */
  isKept?: boolean;
}

export interface AlikeOptions {
  /** How many are compared with the sharpened meaning. */
  limit: number;
  /** From -1 to 1. */
  minLikeness: number;
  within?: Condition | undefined;
}

export interface FacetOptions {
  /** Whether to count the steps of the audience. */
  audiences?: boolean;
}

/**
 * Finds records. With `masked` visibility the engine is never asked for an address: records have the mask made when
 * they were indexed, and no `email_source`. Every method fails with Problem `search_unavailable` if the engine cannot
 * answer completely; partial answers are never returned.
 */
export interface SearchIndex {
  search(query: SearchQuery, page: Page, visibility: Visibility): Promise<SearchResult>;
  countFacets(query: SearchQuery, options?: FacetOptions): Promise<FacetCounts>;
  /** Scans the records that have every part of the query's text (see withWholeText), with full addresses; rows of contacts best first. */
  scan(query: SearchQuery, options?: ScanOptions): Promise<RecordScan>;
  /** The searchable records with these ids, at most 1,000, in no particular order. */
  findMany(ids: readonly string[], visibility: Visibility): Promise<MediaRecord[]>;
  /**
   * For each plan, in the order given and at most 200: how many records it finds among those that pass the filters, and the
   * first of them. Only with full visibility may plans look for addresses.
   */
  findFirst(plans: readonly PlannedQuery[], filters: readonly Filter[], visibility: Visibility): Promise<FirstRecord[]>;
  /** The records that pass the filters, are `within` and are nearest in meaning, at most `limit` (up to 1,000), best first. */
  findNearest(meaning: Meaning, filters: readonly Filter[], limit: number, within?: Condition): Promise<NearRecord[]>;
  /** The same, sharpened by the first of them: only those that are at least so like the sharpened meaning, with what callers see of them. */
  findAlike(
    meaning: Meaning,
    filters: readonly Filter[],
    options: AlikeOptions,
    visibility: Visibility,
  ): Promise<AlikeRecords>;
  /** A meaning between this one and those of the `examples` records nearest to it, which say better what it is about. */
  sharpen(meaning: Meaning): Promise<Meaning>;
  /**
   * Another text after each change that searches for such rows can find; null if that is not known now. Never fails, and never tells the
   * state before the call.
   */
  version(rows: RowKind): Promise<string | null>;
  /** What keeps it from answering now, in words for operators; null if it answers. */
  findFault(): Promise<string | null>;
}
