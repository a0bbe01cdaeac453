import type { ExportFigures } from './export.ts';

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
