import { countOf } from '#text/printed.ts';

/** An index with less than this share of the previous one's records is probably a mistake. */
const minShare = 0.8;

/**
 * The expected result of a rebuild: how many records are stored, would be found, and are found now (null: no index
 * yet).
 */
export interface IndexSize {
  stored: number;
  built: number;
  live: number | null;
}

/** Why an index of this size should not go live; null if it may. */
export function faultOfSize({ stored, built, live }: IndexSize, allowsShrink: boolean): string | null {
  if (stored > 0 && built === 0) return 'None of the records in the store could be indexed.';
  if (allowsShrink || live === null || built >= minShare * live) return null;
  return stored === 0
    ? 'The store contains no records. If that is correct, use --allow-shrink.'
    : `The new index would have ${countOf(built, 'record')}, but the live index has ${live}. If that is correct, use --allow-shrink.`;
}
