import { orderByNames, rowsToCompare } from '#search/plans/order-by-names.ts';
import type { PlannedQuery } from '#search/plans/plan-query.ts';
import type { SearchResult } from '#search/search-index.ts';
import type { Page, Position, SearchQuery, Sort } from '#search/search-query.ts';
import { pageOf } from '#search/walk.ts';
import type { Prepare } from '../database.ts';
import {
  type FoundRow,
  firstRows,
  isBehind,
  orderBy,
  orderOf,
  type PageOrder,
  rowsBehind,
  sortInMemory,
  valuesOf,
} from './page-order.ts';
import { type RecordSet, rowsOf, sizeOf } from './record-sets.ts';
import type { Searched, SearchedRows } from './searched-rows.ts';
import type { RowSelector } from './select-rows.ts';
import type { ReadRows } from './stored-rows.ts';

/** A page by the numbers of its rows. */
type FoundPage = Omit<SearchResult, 'records'> & { numbers: readonly number[] };

/** A ranking by a text. */
type TextRanking = Ranking & { plan: PlannedQuery };

/** Finds which rows are on a page. */
export class PageFinder {
  readonly #searched: SearchedRows;
  readonly #selector: RowSelector;
  readonly #best: BestRows;

  constructor(searched: SearchedRows, selector: RowSelector, prepare: Prepare) {
    this.#searched = searched;
    this.#selector = selector;
    this.#best = new BestRows(prepare);
  }

  /** @param readRows reads the rows whose names must be compared */
  find(query: SearchQuery, page: Page, readRows: ReadRows): FoundPage {
    if (page.after !== undefined) return this.#walk(query, page, page.after);
    const { plan, records, isCorrected, dropped } = this.#selector.select(query);
    const ranking = { searched: this.#searched.of(query), records, sort: page.sort };
    const isRanked = plan !== null && page.sort.key === 'relevance';
    const find = () => (isRanked ? this.rank({ ...ranking, plan }, page, readRows) : this.#sort(ranking, page));
    return { numbers: page.limit === 0 ? [] : find(), total: sizeOf(records), isCorrected, dropped };
  }

  /** The rows of a page that a text ranks. Names are compared among its first rows. */
  rank(ranking: TextRanking, page: Page, readRows: ReadRows): number[] {
    const { plan } = ranking;
    const end = page.offset + page.limit;
    const comparedCount = rowsToCompare(plan, page);
    const rows = this.#best.find(ranking, comparedCount ?? end);
    if (comparedCount === null) return numbersOf(rows.slice(page.offset, end));
    const named = numbersOf(rows.filter(({ tier }) => plan.tiers[tier]?.comparesNames));
    const byRow = new Map(readRows(named).map((record, place) => [named[place], record]));
    const ordered = orderByNames(plan, rows, ({ record }) => byRow.get(record) ?? { name: '', aliases: [] });
    return numbersOf(ordered.slice(page.offset, end));
  }

  /** The rows of a page that no text ranks. */
  #sort(ranking: Omit<Ranking, 'plan'>, { offset, limit }: Page): number[] {
    return numbersOf(this.#best.find({ ...ranking, plan: null }, offset + limit).slice(offset));
  }

  /** A page of the rows behind a position; null for the first. */
  #walk(query: SearchQuery, { sort, limit }: Page, after: Position | null): FoundPage {
    const { plan, records, counted, isCorrected, dropped } = this.#selector.select(query, after);
    const ranking: Ranking = {
      searched: this.#searched.of(query),
      records,
      plan: sort.key === 'relevance' ? plan : null,
      sort,
    };
    const { rows, next } = pageOf(this.#best.find(ranking, limit + 1, after?.values), limit, (last) => {
      return { counted, values: this.#best.valuesOf(ranking, last) };
    });
    return { numbers: numbersOf(rows), total: sizeOf(records), isCorrected, dropped, next };
  }
}

const numbersOf = (rows: readonly FoundRow[]) => rows.map(({ record }) => record);

/** Rows, and what orders them. */
interface Ranking {
  searched: Searched;
  records: RecordSet;
  /** Its tiers come before the order; null if no text ranks the rows. */
  plan: PlannedQuery | null;
  sort: Sort;
}

/** The values of a row in its order, its tier first. */
type RowValues = Position['values'];

/** Finds the first rows of a ranking. Sorts no more of them than it must. */
class BestRows {
  readonly #prepare: Prepare;

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  /**
   * The first rows by tier and order, at most so many. Stops at the tier that completes them, so that the rest is never sorted.
   *
   * @param behind the values of a row, to find only those behind it
   */
  find(ranking: Ranking, most: number, [lastTier, ...values]: RowValues = []): FoundRow[] {
    const { searched, records, plan, sort } = ranking;
    const count = Math.min(most, sizeOf(records));
    const order = pageOrder(ranking);
    const tiers = plan === null ? [{ inTier: records, tier: 0 }] : recordsByTier(searched, plan, records);
    const isBefore = (tier: number) =>
      lastTier != null && (sort.reversed ? tier > Number(lastTier) : tier < Number(lastTier));
    const first: FoundRow[] = [];
    for (const { inTier, tier } of sort.reversed ? [...tiers].reverse() : tiers) {
      if (first.length >= count) break;
      if (isBefore(tier)) continue;
      const open = tier === lastTier ? this.#rowsBehind(searched, rowsOf(inTier), order, values) : rowsOf(inTier);
      const rows = firstRows(open, count - first.length, order, searched.columns);
      first.push(...Array.from(rows, (record) => ({ record, tier })));
    }
    return this.#order(ranking, first, order, count);
  }

  /** The values behind which `find` goes on after this row. */
  valuesOf(ranking: Ranking, { record, tier }: FoundRow): RowValues {
    const values = valuesOf(pageOrder(ranking));
    const select = this.#prepare(`SELECT ${values} AS list FROM json_each(?) AS p ${ranking.searched.ordered}`);
    return [tier, ...JSON.parse(String(select.get(`[[${record}]]`)?.list))];
  }

  /** Those of the rows that are behind one with these values. */
  #rowsBehind(searched: Searched, rows: Uint32Array, order: PageOrder, values: RowValues): Uint32Array {
    const { behind, equal } = rowsBehind(rows, values, order, searched.columns);
    if (equal.length === 0) return behind;
    const select = this.#prepare(
      `SELECT p.value ->> 0 AS record FROM json_each(?1) AS p ${searched.ordered} WHERE ${isBehind(order)}`,
    );
    const exact = select.all(JSON.stringify(Array.from(equal, (row) => [row])), ...values);
    return Uint32Array.of(...behind, ...exact.map(({ record }) => Number(record)));
  }

  /** The first of rows, sorted in memory, or by SQLite where the values in memory do not decide the order. */
  #order({ searched, sort }: Ranking, rows: readonly FoundRow[], order: PageOrder, most: number): FoundRow[] {
    const sorted = sortInMemory(rows, order, sort, searched.columns);
    if (sorted !== null) return sorted.slice(0, most);
    const select = this.#prepare(`
      SELECT p.value ->> 0 AS record, p.value ->> 1 AS tier FROM json_each(?) AS p ${searched.ordered}
      ORDER BY tier ${sort.reversed ? 'DESC' : 'ASC'}, ${orderBy(order)} LIMIT ?`);
    const pairs = JSON.stringify(rows.map(({ record, tier }) => [record, tier]));
    return select.all(pairs, most).map(({ record, tier }) => ({ record: Number(record), tier: Number(tier) }));
  }
}

const pageOrder = ({ searched, plan, sort }: Ranking) => orderOf(sort, plan !== null, searched.rows);

/** The records of each tier, without those of the tiers before it. */
function* recordsByTier(
  { matches }: Searched,
  plan: PlannedQuery,
  records: RecordSet,
): Generator<{ inTier: RecordSet; tier: number }> {
  let remaining = records;
  for (const [tier, { condition }] of plan.tiers.entries()) {
    const inTier = matches.findAmong(remaining, condition);
    if (sizeOf(inTier) === 0) continue;
    remaining = matches.sets.subtract(remaining, inTier);
    yield { inTier, tier };
  }
}
