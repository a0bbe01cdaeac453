import type { Visibility } from '#records/masking.ts';
import { type SimilarPlan, telling } from '#search/plan-similar.ts';
import { buildBest, buildPlacePools, buildTraitPools, buildWordPool } from './build-similar.ts';
import type { Statement } from './build-statements.ts';
import type { RecordRow } from './record-row.ts';

/** With so many to choose from, records that share less are not looked at. */
const enough = 250;

/**
 * The rows of the records with the largest similarity. The work is bounded, however large the database is: compared are
 * the records that contain a telling word or are of the same city or region, and those that share most of the other
 * traits, until there are enough.
 * @param total how many records the index has
 */
export function findSimilarRows(
  all: (statement: Statement) => RecordRow[],
  plan: SimilarPlan,
  total: number,
  limit: number,
  visibility: Visibility,
): RecordRow[] {
  const scores = scoreByWords(all, plan.words, total);
  const addPool = (pool: Statement) => {
    for (const { record } of all(pool)) scores.set(Number(record), scores.get(Number(record)) ?? 0);
  };
  buildPlacePools(plan).forEach(addPool);
  const before = scores.size;
  for (const pool of buildTraitPools(plan)) {
    if (scores.size - before >= enough) break;
    addPool(pool);
  }
  return scores.size === 0 ? [] : all(buildBest(plan, scores, limit, visibility));
}

/** What each record gains by the telling words that it contains. */
function scoreByWords(
  all: (statement: Statement) => RecordRow[],
  words: readonly string[],
  total: number,
): Map<number, number> {
  // To count all records of a common word would take longer than everything else.
  const countHolders = (word: string) => Number(all(countUpTo(buildWordPool(word, telling.maxRecords + 1)))[0]?.count);
  const chosen = words
    .map((word) => ({ word, holders: countHolders(word) }))
    .filter(({ holders }) => holders >= 2 && holders <= telling.maxRecords)
    .toSorted((a, b) => a.holders - b.holders)
    .slice(0, telling.maxWords);
  const scores = new Map<number, number>();
  for (const { word, holders } of chosen) {
    // The same measure as in bm25.
    const weight = telling.weight * Math.log(1 + (total - holders + 0.5) / (holders + 0.5));
    for (const { record } of all(buildWordPool(word, holders))) {
      scores.set(Number(record), (scores.get(Number(record)) ?? 0) + weight);
    }
  }
  return scores;
}

function countUpTo({ sql, values }: Statement): Statement {
  return { sql: `SELECT count(*) AS count FROM (${sql})`, values };
}
