import type { Filter } from './search-query.ts';

/**
 * The least audience of each step of the histogram, ascending from 0. A step ends below the next one; the last has no end.
 * Each is about three times the one before: audiences differ by factors, not by amounts.
 */
export const audienceSteps: readonly number[] = [
  0, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000,
];

/** The filters under which the steps are counted: all that do not bound the audience itself. */
export function withoutAudience(filters: readonly Filter[]): readonly Filter[] {
  return filters.filter((filter) => !('range' in filter && filter.range === 'audience'));
}
