import type { PlannedQuery } from '#search/plan-query.ts';
import type { Position, Sort } from '#search/search-query.ts';
import type { Prepare } from './database.ts';
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
import type { Searched } from './searched-rows.ts';

/** Rows, and what orders them. */
export interface Ranking {
  searched: Searched;
  records: RecordSet;
  /** Its tiers come before the order; null if no text ranks the rows. */
  plan: PlannedQuery | null;
  sort: Sort;
}

/** The values of a row in its order, its tier first. */
type RowValues = Position['values'];

/** Finds the first rows of a ranking. Sorts no more of them than it must. */
export class BestRows {
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
