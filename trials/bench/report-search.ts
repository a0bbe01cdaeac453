import type { ClassFigures, SearchFigures } from './search.ts';
import { formatFigures } from './table.ts';

/** The figures as a table and what to read from it. */
export function formatSearch({ bareName, classes, throughput }: SearchFigures): string {
  const lines = classes.map(({ class: name, bare, alone, crowded, ratio, limit }) => [
    name,
    ...[bare.p50, bare.p99, alone.p50, alone.p99].map(ms),
    ratio.toFixed(2),
    ms(limit),
    alone.p50 <= limit ? 'ok' : 'OVER',
    ...[crowded.p50, crowded.p99].map(ms),
  ]);
  const heading = ['ms', 'bare p50', 'p99', '1 client p50', 'p99', 'ratio', 'limit', '', '16 clients p50', 'p99'];
  const slowest = slowestClass(classes);
  return [
    `bare: ${bareName}; ratio: median over the rounds of p50 / bare p50; limit: 2 × bare p50 or 3 ms`,
    formatFigures([heading, ...lines]),
    `slowest class: ${slowest.class}, p99 ${ms(slowest.alone.p99)} ms at one client (bare ${ms(slowest.bare.p99)} ms)`,
    `16 clients, all classes mixed: ${throughput.toFixed(0)} requests/s`,
  ].join('\n');
}

function slowestClass(classes: readonly ClassFigures[]): ClassFigures {
  return classes
    .filter(({ class: name }) => name !== 'all')
    .reduce((slowest, figures) => (figures.alone.p99 > slowest.alone.p99 ? figures : slowest));
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}
