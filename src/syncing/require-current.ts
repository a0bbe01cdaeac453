import type { Generation } from '#backends/elasticsearch/alias-generations.ts';

/**
 * @throws Error if the generation has another form than this version writes: its documents cannot be mixed with ours.
 */
export function requireCurrent(generation: Generation): void {
  if (!generation.isCurrent)
    throw new Error(`${describeOtherForm(generation)}. To build a new one: npm run indexer -- reindex`);
}

/** What is wrong with a generation in another form. */
export function describeOtherForm({ index }: Pick<Generation, 'index'>): string {
  return `${index} was built by other rules than this version's`;
}
