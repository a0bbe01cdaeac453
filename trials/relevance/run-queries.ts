import type { MediaRecord } from '../../src/domain/media-record.ts';
import { nameKey } from '../../src/domain/search/fold.ts';
import { parseTextQuery } from '../../src/domain/search/parse-text-query.ts';
import type { Page } from '../../src/domain/search/search-query.ts';
import type { SearchIndex } from '../../src/ports/search-index.ts';
import type { KnownItem } from './known-item.ts';
import type { RankedQuery } from './score.ts';

/** What came of one known-item query. */
export interface QueryOutcome extends RankedQuery {
  item: KnownItem;
  /** The text that was searched: the item's query, or the one with a typo. */
  typed: string;
  /** The first result; null if nothing was found. */
  first: MediaRecord | null;
  total: number;
}

const firstTen: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 10 };
const atOnce = 4;

/**
 * Searches for what `typedFor` returns for each item, without filters, ten per page, and reports the rank of the first
 * correct record: the expected one, or any whose name or alias is the item's query (several media share theirs). Items
 * without a text are left out.
 */
export async function runQueries(
  index: SearchIndex,
  items: readonly KnownItem[],
  typedFor: (item: KnownItem) => string | null,
  onProgress: () => void = () => {},
): Promise<QueryOutcome[]> {
  const outcomes: QueryOutcome[] = [];
  const queue = items.values();
  const work = async () => {
    for (const item of queue) {
      const typed = typedFor(item);
      if (typed !== null) outcomes.push(await runQuery(index, item, typed));
      onProgress();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}

async function runQuery(index: SearchIndex, item: KnownItem, typed: string): Promise<QueryOutcome> {
  const query = { text: parseTextQuery(typed), filters: [] };
  const { records, total } = await index.search(query, firstTen, 'masked');
  const place = records.findIndex((record) => isRight(record, item));
  return { class: item.class, rank: place < 0 ? null : place + 1, item, typed, first: records[0] ?? null, total };
}

function isRight(record: MediaRecord, { expectedId, query }: KnownItem): boolean {
  const wanted = nameKey(query);
  return record.id === expectedId || [record.name, ...record.aliases].some((name) => nameKey(name) === wanted);
}
