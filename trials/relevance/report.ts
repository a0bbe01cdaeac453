import type { QueryOutcome } from './run-queries.ts';
import { allClasses, type Metric, metrics, type Score } from './score.ts';

/** The queries unchanged, and again with one typo each. */
export const runs = ['exact', 'typo'] as const;
export type Run = (typeof runs)[number];

/** A table of one line a class: shares to four places, the number of queries before them. */
export function formatScores(title: string, scores: readonly Score[]): string {
  const widest = Math.max(...scores.map((score) => score.class.length), title.length);
  const line = (name: string, cells: readonly string[]) =>
    name.padEnd(widest) + cells.map((cell) => cell.padStart(12)).join('');
  const rows = scores.map((score) =>
    line(score.class, [String(score.queries), ...metrics.map((metric) => score[metric].toFixed(4))]),
  );
  return [line(title, ['queries', ...metrics]), ...rows].join('\n');
}

/** The most costly misses, worst first: the query, the expected record, and the first result. */
export function formatMisses(outcomes: readonly QueryOutcome[], most: number): string {
  const misses = outcomes.filter(({ rank }) => rank !== 1).sort((a, b) => (b.rank ?? 11) - (a.rank ?? 11));
  const lines = misses.slice(0, most).map((miss) => {
    const place = miss.rank === null ? 'not in 10' : `rank ${miss.rank}`;
    const meant = miss.typed === miss.item.query ? '' : ` (meant: ${miss.item.query})`;
    const first = miss.first === null ? 'nothing' : `${miss.first.name} <${miss.first.id}> of ${miss.total}`;
    return `${place.padEnd(9)}  ${miss.class}: ${miss.typed}${meant}\n           wanted ${miss.item.expectedId}, first came ${first}`;
  });
  return [`${misses.length} of ${outcomes.length} not first`, ...lines].join('\n');
}

/** A share that must be reached over all queries of a run. */
export interface Floor {
  run: Run;
  metric: Metric;
  least: number;
}

/**
 * Reads `success@1=0.99` or, for the queries with typos, `typo.success@10=0.9`.
 *
 * @throws Error that says what is wrong and what to use.
 */
export function readFloor(text: string): Floor {
  const [, prefix, metric, least] = /^(?:(\w+)\.)?([\w@]+)=([\d.]+)$/.exec(text) ?? [];
  const run = runs.find((known) => known === (prefix ?? 'exact'));
  const known = metrics.find((name) => name === metric);
  const share = Number(least);
  if (run === undefined || known === undefined || !(share >= 0 && share <= 1)) {
    throw new Error(
      `"${text}" is no floor: write METRIC=SHARE or typo.METRIC=SHARE, the metric one of ${metrics.join(', ')}, the share from 0 to 1`,
    );
  }
  return { run, metric: known, least: share };
}

/** One line for each floor that is not reached. */
export function missedFloors(floors: readonly Floor[], scores: Readonly<Record<Run, readonly Score[]>>): string[] {
  return floors.flatMap(({ run, metric, least }) => {
    const reached = scores[run].find((score) => score.class === allClasses)?.[metric] ?? 0;
    return reached >= least ? [] : [`${run} ${metric} is ${reached.toFixed(4)}, below the floor of ${least}`];
  });
}
