import { queryClasses } from './query-classes.ts';
import type { ClassOutcome, QueryOutcome } from './run-queries.ts';
import { type Metric, metrics, type Score, score } from './score.ts';

/** The scores of a class, and what its queries were. */
export interface ClassScore extends Score {
  class: string;
  /** How many items the class cannot apply to. */
  left_out: number;
  /** How many queries became the whole name of other records: hardly any of them can be right. */
  other_name: number;
  /** The same by where the queries come from, in the order of the groups' names. */
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

/** A table with a line per class, or per class and group: shares to four places, the number of queries before them. */
export function formatScores(scores: readonly ClassScore[], byGroup: boolean): string {
  const header = ['class', 'queries', ...metrics, 'empty', 'other name', 'left out'];
  const rows = scores.flatMap((of) => [
    [of.class, ...cellsOf(of), String(of.other_name), String(of.left_out)],
    ...(byGroup ? Object.entries(of.groups).map(([name, group]) => [`  ${name}`, ...cellsOf(group)]) : []),
  ]);
  const widest = Math.max(...[header, ...rows].map(([name = '']) => name.length));
  return [header, ...rows]
    .map(([name = '', ...cells]) => name.padEnd(widest) + cells.map((cell) => cell.padStart(12)).join(''))
    .join('\n');
}

function cellsOf(of: Score): string[] {
  return [String(of.queries), ...metrics.map((metric) => of[metric].toFixed(4)), String(of.empty)];
}

/** A query whose first result is wrong, for machines. */
export interface Miss {
  typed: string;
  meant: string;
  group: string;
  expected_id: string;
  rank: number | null;
  /** How many records were found. */
  total: number;
  other_name: boolean;
  first: { id: string; name: string } | null;
}

/** The most costly misses of a class, worst first. */
export function listMisses(outcomes: readonly QueryOutcome[], max: number): Miss[] {
  return outcomes
    .filter(({ rank }) => rank !== 1)
    .sort((a, b) => (b.rank ?? 11) - (a.rank ?? 11))
    .slice(0, max)
    .map(({ item, typed, rank, total, isOtherName, first }) => ({
      typed,
      meant: item.query,
      group: item.group,
      expected_id: item.expectedId,
      rank,
      total,
      other_name: isOtherName,
      first: first && { id: first.id, name: first.name },
    }));
}

/** The most costly misses of a class: the query, the expected record, and the first result. */
export function formatMisses({ queryClass, outcomes }: ClassOutcome, max: number): string {
  const misses = outcomes.filter(({ rank }) => rank !== 1).length;
  const lines = listMisses(outcomes, max).map((miss) => {
    const place = miss.rank === null ? 'not in 10' : `rank ${miss.rank}`;
    const meant = miss.typed === miss.meant ? '' : ` (meant: ${miss.meant})`;
    const other = miss.other_name ? ', the name of another record' : '';
    const first = miss.first === null ? 'nothing' : `${miss.first.name} <${miss.first.id}> of ${miss.total}`;
    return `${place.padEnd(9)}  ${miss.group}: ${miss.typed}${meant}${other}\n           wanted ${miss.expected_id}, first came ${first}`;
  });
  return [`${queryClass.name}: ${misses} of ${outcomes.length} not first`, ...lines].join('\n');
}

/** A share that must be reached over all queries of a class. */
export interface Floor {
  class: string;
  metric: Metric;
  min: number;
}

/**
 * Reads `typo.success@10=0.9`; without a class, `success@1=0.99` is about the queries unchanged.
 *
 * @throws Error that says what is wrong and what to use.
 */
export function readFloor(text: string): Floor {
  const [, name = 'exact', metric, min] = /^(?:([\w-]+)\.)?([\w@]+)=([\d.]+)$/.exec(text) ?? [];
  const known = metrics.find((one) => one === metric);
  const share = Number(min);
  const classes = queryClasses.map(({ name }) => name);
  if (!classes.includes(name) || known === undefined || !(share >= 0 && share <= 1)) {
    throw new Error(
      `"${text}" is not a valid floor. Use CLASS.METRIC=SHARE with a class of ${classes.join(', ')}; a metric of ${metrics.join(', ')}; and a share from 0 to 1.`,
    );
  }
  return { class: name, metric: known, min: share };
}

/** One line for each floor that is not reached. A class that was not run, or had no queries, reaches none. */
export function missedFloors(floors: readonly Floor[], scores: readonly ClassScore[]): string[] {
  return floors.flatMap(({ class: name, metric, min }) => {
    const reached = scores.find((of) => of.class === name);
    if (reached === undefined || reached.queries === 0) return [`${name} ${metric} was not measured: no queries`];
    const share = reached[metric];
    return share >= min ? [] : [`${name} ${metric} is ${share.toFixed(4)}, below the floor of ${min}`];
  });
}
