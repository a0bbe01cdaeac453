import type { ScaleFigures } from './scale.ts';
import { formatFigures } from './table.ts';

const whole = (value: number) => Math.round(value).toLocaleString('en');
const times = ({ p50, p99 }: ScaleFigures['search']) => `${p50.toFixed(1)} / ${p99.toFixed(0)}`;

/** The figures, for people: a line for each index. */
export function formatScale(rows: readonly ScaleFigures[]): string {
  const processes = rows[0]?.throughput.map(({ processes }) => `req/s, ${processes} API`) ?? [];
  return formatFigures([
    [
      'records',
      'nodes',
      'shards',
      'rebuilt/s',
      'disk MB',
      'heap MB',
      'search ms p50 / p99',
      'facets ms p50 / p99',
      'export rows/s',
      ...processes,
      'unanswered',
    ],
    ...rows.map((row) => [
      whole(row.records),
      String(row.nodes),
      String(row.shards),
      whole(row.rebuildRate),
      whole(row.disk),
      whole(row.heap),
      times(row.search),
      times(row.facets),
      whole(row.exportRate),
      ...row.throughput.map(({ perSecond }) => whole(perSecond)),
      `${(row.unanswered * 100).toFixed(1)} %`,
    ]),
  ]);
}
