import pRetry from 'p-retry';
import { Problem } from '../../src/problem.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import type { SearchIndex, SearchResult } from '../../src/search/search-index.ts';
import { firstPage, type Page, type SearchQuery } from '../../src/search/search-query.ts';
import { understand } from '../../src/search/understanding/understand.ts';
import { nameKey } from '../../src/text/fold.ts';
import type { KnownItem } from './known-item.ts';
import type { Names } from './names.ts';
import type { QueryClass } from './query-classes.ts';
import type { RankedQuery } from './score.ts';

/** The outcome of one known-item query. */
interface QueryOutcome extends RankedQuery {
  item: KnownItem;
  /** The text that was searched: the item's query as the class changed it. */
  typed: string;
  /** The first result; null if nothing was found. */
  first: MediaRecord | null;
  /** Whether the changed query is the whole name of other records, so that nobody could tell which was meant. */
  isOtherName: boolean;
}

/** The outcomes of all queries of a class, in the order of the items. */
export interface ClassOutcome {
  queryClass: QueryClass;
  outcomes: readonly QueryOutcome[];
  /** How many items the class cannot apply to. */
  leftOut: number;
}

const firstTen = firstPage(10);
const atOnce = 2;
const retries = 8;

/**
 * Changes the query of each item as the class does, and searches for ten records without filters. Reports the rank of the first
 * correct one: the expected record, or any whose name or alias is the item's query, because some media share a name.
 */
export async function runClass(
  index: SearchIndex,
  names: Names,
  items: readonly KnownItem[],
  queryClass: QueryClass,
  seed: number,
): Promise<ClassOutcome> {
  const queries = items.flatMap((item) => {
    const typed = queryClass.change(item.query, seed, names.lastWords);
    return typed === null ? [] : [{ item, typed }];
  });
  const outcomes: QueryOutcome[] = [];
  const queue = queries.entries();
  const work = async () => {
    for (const [place, { item, typed }] of queue) outcomes[place] = await runQuery(index, names, item, typed);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { queryClass, outcomes, leftOut: items.length - queries.length };
}

async function runQuery(index: SearchIndex, names: Names, item: KnownItem, typed: string): Promise<QueryOutcome> {
  const query = { text: understand(typed), filters: [] };
  const { records, total } = await searchPatiently(index, query, firstTen);
  const right = new Set([item.expectedId, ...(names.owners.get(nameKey(item.query)) ?? [])]);
  const place = records.findIndex(({ id }) => right.has(id));
  const owners = names.owners.get(nameKey(typed)) ?? new Set();
  const isOtherName = owners.size > 0 && owners.isDisjointFrom(right);
  return { item, typed, rank: place < 0 ? null : place + 1, total, first: records[0] ?? null, isOtherName };
}

/** Searches as a masked caller. Tries again, because only what is found counts here: on a busy machine, an engine may not answer in time. */
export function searchPatiently(index: SearchIndex, query: SearchQuery, page: Page): Promise<SearchResult> {
  return pRetry(() => index.search(query, page, 'masked'), {
    retries,
    shouldRetry: ({ error }) => error instanceof Problem && error.code === 'search_unavailable',
  });
}
