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
  /** What was really typed: the item's query, or that with a slip in it. */
  typed: string;
  /** What came first; null where nothing was found. */
  first: MediaRecord | null;
  total: number;
}

const firstTen: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 10 };
const atOnce = 4;

/**
 * Searches for what `typedFor` gives for each item, without filters, ten a page, and says where the first right record
 * stands: the expected one, or any that has the item's query for a name or an alias (several media share theirs).
 * Items for which nothing is typed are left out.
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
