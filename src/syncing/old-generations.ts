import type { Generation } from '#backends/elasticsearch/alias-generations.ts';
import type { IndexUpkeep } from './index-upkeep.ts';

/** Generations besides the live one that are kept for a rollback. */
const keptForRollback = 2;

/** Deletes what interrupted rebuilds left. */
export async function removeUnfinished(upkeep: IndexUpkeep, live: Generation | null): Promise<void> {
  for (const index of await upkeep.generations.list()) {
    if (index === live?.index || (await upkeep.journal.find(index))?.isComplete) continue;
    await removeGeneration(upkeep, index, true);
  }
}

/** The generations available for a rollback, newest first. */
export async function listKept({ generations, journal }: IndexUpkeep, live: string): Promise<string[]> {
  const kept: string[] = [];
  for (const index of (await generations.list()).toReversed()) {
    if (index !== live && (await journal.find(index))?.isComplete) kept.push(index);
  }
  return kept;
}

/** Deletes all but the live generation and the last ones before it, unless an export still reads them. */
export async function removeOldGenerations(upkeep: IndexUpkeep, live: string): Promise<void> {
  const old = (await listKept(upkeep, live)).slice(keptForRollback);
  for (const index of old) await removeGeneration(upkeep, index, false);
}

/** Deletes a generation with its metadata; one that an export still reads only if `forced`. */
export async function removeGeneration(
  { generations, journal }: IndexUpkeep,
  index: string,
  forced: boolean,
): Promise<void> {
  if (await generations.remove(index, forced)) await journal.remove(index);
}
