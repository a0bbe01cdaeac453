import type { ClassOutcome } from './run-queries.ts';
import { metrics, type Score, score } from './score.ts';

/** The scores of a class of queries. */
interface ClassScore extends Score {
  class: string;
  /** How many items the class cannot apply to. */
  left_out: number;
  /** How many changed queries are the whole name of other records, so that the search can hardly find the right one. */
  other_name: number;
  /** The scores by the group of the queries, in the order of the groups' names. */
  groups: Record<string, Score>;
}

export function scoreClass({ queryClass, outcomes, leftOut }: ClassOutcome): ClassScore {
  const groups = [...Map.groupBy(outcomes, ({ item }) => item.group)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    class: queryClass.name,
    ...score(outcomes),
    left_out: leftOut,
    other_name: outcomes.filter(({ isOtherName }) => isOtherName).length,
    groups: Object.fromEntries(groups.map(([name, members]) => [name, score(members)])),
  };
}

/** A table with a line per class and per group of its queries: shares to four places, the number of queries before them. */
export function formatScores(scores: readonly ClassScore[]): string {
  const header = ['class', 'queries', ...metrics, 'empty', 'other name', 'left out'];
  const rows = scores.flatMap((of) => [
    [of.class, ...cellsOf(of), String(of.other_name), String(of.left_out)],
    ...Object.entries(of.groups).map(([name, group]) => [`  ${name}`, ...cellsOf(group)]),
  ]);
  const widest = Math.max(...[header, ...rows].map(([name = '']) => name.length));
  return [header, ...rows]
    .map(([name = '', ...cells]) => name.padEnd(widest) + cells.map((cell) => cell.padStart(12)).join(''))
    .join('\n');
}

function cellsOf(of: Score): string[] {
  return [String(of.queries), ...metrics.map((metric) => of[metric].toFixed(4)), String(of.empty)];
}

/** The most costly misses of a class: the query, the expected record, and the first result. */
export function formatMisses({ queryClass, outcomes }: ClassOutcome, max: number): string {
  const misses = outcomes.filter(({ rank }) => rank !== 1).sort((a, b) => (b.rank ?? 11) - (a.rank ?? 11));
  const lines = misses.slice(0, max).map(({ item, typed, rank, total, isOtherName, first }) => {
    const place = rank === null ? 'not in 10' : `rank ${rank}`;
    const meant = typed === item.query ? '' : ` (meant: ${item.query})`;
    const other = isOtherName ? ', the name of another record' : '';
    const came = first === null ? 'nothing' : `${first.name} <${first.id}> of ${total}`;
    return `${place.padEnd(9)}  ${item.group}: ${typed}${meant}${other}\n           wanted ${item.expectedId}, first came ${came}`;
  });
  return [`${queryClass.name}: ${misses.length} of ${outcomes.length} not first`, ...lines].join('\n');
}
