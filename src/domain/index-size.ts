/** An index with less than this share of the one before it looks like a fault. */
const minShare = 0.8;

/** What a rebuild would come to: how many records are stored, would be found, and are found now (null: no index yet). */
export interface IndexSize {
  stored: number;
  built: number;
  live: number | null;
}

/** Why an index of this size should not be searched; null where it may be. */
export function faultOfSize({ stored, built, live }: IndexSize, allowsShrink: boolean): string | null {
  if (stored > 0 && built === 0) return 'None of the records in the store could be indexed.';
  if (allowsShrink || live === null || built >= minShare * live) return null;
  return stored === 0
    ? 'The store contains no records. If that is correct, use --allow-shrink.'
    : `The new index would have ${built} records, but the live index has ${live}. If that is correct, use --allow-shrink.`;
}
