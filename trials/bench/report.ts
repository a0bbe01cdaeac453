import { formatTable } from '../../src/command-line/output.ts';
import type { ExportFigures } from './export.ts';
import type { ImportFigures } from './import.ts';
import type { MixFigures, Rate } from './mix.ts';
import type { ScaleFigures } from './scale.ts';
import type { SyncFigures } from './sync.ts';

/** The figures and their goals. */
export function formatExport(figures: ExportFigures): string {
  const { bareName, rows, bare, product, ratio, formats, memory, searchP99, leftBehind } = figures;
  return [
    `bare: ${bareName}, every record parsed: ${rate(bare)}`,
    `export over HTTP, csv, ${rows} rows: ${rate(product)}; ${(ratio * 100).toFixed(0)} % of bare (asked: 90 %)`,
    ...formats.map(({ format, rate: rows, memory: peak }) => `${format}: ${rate(rows)}, at most ${megabytes(peak)}`),
    `memory of the service: ${megabytes(memory.start)} at its start, ${megabytes(memory.peak)} at its peak (asked: 250 MB); beside a reader at 1 MB/s ${megabytes(memory.slowReader)}`,
    `search p99: ${searchP99.quiet.toFixed(1)} ms alone, ${searchP99.busy.toFixed(1)} ms beside four exports: × ${(searchP99.busy / searchP99.quiet).toFixed(1)} (asked: 5)`,
    `left behind by readers who hung up: ${leftBehind.scans ? 'SCANS' : 'no scan'}, ${leftBehind.connections ?? 'unknown'} connections`,
  ].join('\n');
}

function rate(perSecond: number): string {
  return `${Math.round(perSecond / 100) / 10} k rows/s`;
}

function megabytes(value: number | null): string {
  return value === null ? 'unknown' : `${value.toFixed(0)} MB`;
}

/** The figures of each server, the first one's beside those of the others. */
export function formatMix(figures: readonly MixFigures[]): string {
  const heading = [
    '16 clients',
    'requests/s',
    'p99 ms',
    'service ms',
    'times',
    'facets/s',
    'p99 ms',
    'service ms',
    'times',
  ];
  const cells = ({ perSecond, p99, processor }: Rate, ratio: number) => [
    perSecond.toFixed(0),
    p99.toFixed(0),
    processor === null ? '–' : processor.toFixed(2),
    ratio.toFixed(2),
  ];
  return [
    'what people type, and facets under a filter; service: its processor time for one request; times: how many times as many the first answers',
    formatFigures([
      heading,
      ...figures.map(({ name, searches, facets, ratio }) => [
        name,
        ...cells(searches, ratio.searches),
        ...cells(facets, ratio.facets),
      ]),
    ]),
  ].join('\n');
}

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

/** The figures, for people. */
export function formatSync({ backlog, visible, memory }: SyncFigures): string {
  return [
    `backlog of ${backlog.changes} changes: ${backlog.product.toFixed(0)}/s by the product, ${backlog.bare.toFixed(0)}/s by a change stream that writes nothing: ${(100 * backlog.ratio).toFixed(0)} %`,
    `ready-made documents handed to the engine as the stream is read: ${backlog.readyMade.toFixed(0)}/s: ${(100 * backlog.readyMadeRatio).toFixed(0)} %`,
    `seen by a search after ${visible.p50.toFixed(0)} ms (p50), ${visible.p99.toFixed(0)} ms (p99), at ${visible.changesASecond} changes a second`,
    `memory: reindex ${megabytes(memory.reindex)}, sync ${megabytes(memory.sync)}`,
  ].join('\n');
}

/** The figures as a table. */
export function formatImport({ rows, first, again, bare }: ImportFigures): string {
  const lines = Object.entries({ 'first import': first, 'second import': again, 'bare insert': bare });
  return formatFigures([
    [`${rows} rows`, 'rows/s', 'per second of processor time'],
    ...lines.map(([name, { clock, processor }]) => [name, clock.toFixed(0), processor.toFixed(0)]),
  ]);
}

/** A table of figures: the first column aligned left, the others right. */
function formatFigures(lines: ReadonlyArray<readonly string[]>): string {
  return formatTable(lines, (column) => (column === 0 ? 'left' : 'right')).join('\n');
}
