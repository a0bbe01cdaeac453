import { orderByNames, rowsToCompare } from '#search/order-by-names.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import type { SearchResult } from '#search/search-index.ts';
import type { Page, Position, SearchQuery } from '#search/search-query.ts';
import { pageOf } from '#search/walk.ts';
import { BestRows, type Ranking } from './best-rows.ts';
import type { Prepare } from './database.ts';
import type { FoundRow } from './page-order.ts';
import { sizeOf } from './record-sets.ts';
import type { SearchedRows } from './searched-rows.ts';
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
