import type { Generation } from '#ports/index-generations.ts';

/** @throws Error where the generation was built by another version, whose documents are not those that are written now. */
export function requireCurrent({ index, isCurrent }: Generation): void {
  if (isCurrent) return;
  throw new Error(
    `${index} was built by another version of Masthead, which indexes otherwise: npm run indexer -- reindex builds a new one.`,
  );
}
