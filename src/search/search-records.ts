import { type Caller, visibilityFor } from '#accounts/stored-key.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { SearchIndex, SearchResult } from './search-index.ts';
import {
  onlyTotal,
  type Position,
  type SearchQuery,
  type Sort,
  type Understanding,
  withWholeText,
} from './search-query.ts';

/** One page of a search. Pages count from 1. */
export interface SearchRequest {
  query: SearchQuery;
  sort: Sort;
  page: number;
  perPage: number;
  /** Set in place of `page` to walk through all rows (see Page). */
  after?: Position | null;
}

export interface PageNumbers {
  /** Exact, over all pages. */
  total: number;
  page: number;
  perPage: number;
  totalPages: number;
  /** Whether the records have masks instead of addresses. */
  isMasked: boolean;
}

export interface SearchPage extends PageNumbers {
  records: readonly MediaRecord[];
  /** What was typed to find them. */
  text: Understanding | null;
  isCorrected: boolean;
  dropped: SearchResult['dropped'];
  also?: SearchResult['also'];
  next?: SearchResult['next'];
  match?: 'meaning';
}

/** Finds the page of records that the caller asked for, with full addresses only under an active plan. */
export async function searchRecords(
  index: Pick<SearchIndex, 'search'>,
  { query, sort, page, perPage, after }: SearchRequest,
  caller: Caller,
  now: Date,
): Promise<SearchPage> {
  const visibility = visibilityFor(caller, now);
  const { records, total, isCorrected, dropped, also, next } = await index.search(
    query,
    { sort, offset: (page - 1) * perPage, limit: perPage, ...(after !== undefined && { after }) },
    visibility,
  );
  return {
    records,
    text: query.text,
    ...numberPage(total, { page, perPage }, visibility),
    isCorrected,
    dropped,
    ...(also && { also }),
    ...(next !== undefined && { next }),
    ...(query.match && { match: query.match }),
  };
}

/** The numbers of a page of as many rows as there are in total. */
export function numberPage(
  total: number,
  { page, perPage }: Pick<SearchRequest, 'page' | 'perPage'>,
  visibility: Visibility,
): PageNumbers {
  return { total, page, perPage, totalPages: Math.ceil(total / perPage), isMasked: visibility === 'masked' };
}

/** How many records have all that a query asks for, as a scan of it does. */
export async function countMatches(index: Pick<SearchIndex, 'search'>, query: SearchQuery): Promise<number> {
  return (await index.search(withWholeText(query), onlyTotal, 'masked')).total;
}
