import type { MediaRecord } from '#domain/media-record.ts';
import { type Caller, visibilityFor } from '#domain/plans/stored-key.ts';
import { Problem } from '#domain/problem.ts';
import type { SearchQuery, Sort } from '#domain/search/search-query.ts';
import type { SearchIndex } from '#ports/search-index.ts';

/** One page of a search. Pages count from 1. */
export interface SearchRequest {
  query: SearchQuery;
  sort: Sort;
  page: number;
  perPage: number;
}

export interface SearchPage {
  records: readonly MediaRecord[];
  /** Exact, over all pages. */
  total: number;
  page: number;
  perPage: number;
  totalPages: number;
  /** Whether the records have masks instead of addresses. */
  isMasked: boolean;
  /** Whether some of the records were found only by the fuzzy query. */
  isCorrected: boolean;
}

/** Finds the page of records that the caller asked for, with full addresses only under an active plan. */
export async function searchRecords(
  index: SearchIndex,
  { query, sort, page, perPage }: SearchRequest,
  caller: Caller,
  now: Date,
): Promise<SearchPage> {
  const visibility = visibilityFor(caller, now);
  const { records, total, isCorrected } = await index.search(
    query,
    { sort, offset: (page - 1) * perPage, limit: perPage },
    visibility,
  );
  return {
    records,
    total,
    page,
    perPage,
    totalPages: Math.ceil(total / perPage),
    isMasked: visibility === 'masked',
    isCorrected,
  };
}

/** The record with this id, masked like in a search. Problem `not_found` if it does not exist. */
export async function findRecord(index: SearchIndex, id: string, caller: Caller, now: Date): Promise<MediaRecord> {
  const record = await index.find(id, visibilityFor(caller, now));
  if (record === null) throw new Problem('not_found', 'No record has this id.');
  return record;
}
