import type { MixFigures, Rate } from './mix.ts';
import { formatFigures } from './table.ts';

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
