import type { Comparison, EngineFigures } from './engine-search.ts';
import { formatFigures } from './table.ts';

/** The figures as tables. */
export function formatEngine(figures: EngineFigures): string {
  const { hop, overHop, queries, facets, facetsOverHop, facetForms, throughput } = figures;
  return [
    compareTable('search', ['bare hop', 'engine'], hop),
    compareTable('search', ['API', 'bare hop'], overHop),
    compareTable('query', ['product', 'multi_match'], queries),
    compareTable('facets', ['API', 'engine'], facets),
    compareTable('facets', ['API', 'bare hop'], facetsOverHop),
    compareTable('facets', ['post_filter', 'msearch'], facetForms),
    `16 clients: ${throughput.product.toFixed(0)} requests/s through the API, ${throughput.bare.toFixed(0)} straight to the engine: ${(100 * throughput.ratio).toFixed(0)} %`,
  ].join('\n\n');
}

function compareTable(what: string, [first, second]: readonly [string, string], rows: readonly Comparison[]): string {
  const heading = [`${what}, ms`, `${first} p50`, 'p99', `${second} p50`, 'p99', 'ratio'];
  const lines = rows.map((row) => [
    row.name,
    ...[row.first.p50, row.first.p99, row.second.p50, row.second.p99].map((value) => value.toFixed(2)),
    row.ratio.toFixed(2),
  ]);
  return formatFigures([heading, ...lines]);
}
