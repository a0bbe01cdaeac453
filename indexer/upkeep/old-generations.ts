import type { Generation } from '#ports/index-generations.ts';
import type { IndexUpkeep } from '#ports/index-upkeep.ts';

/** Generations beside the searched one that are kept for a rollback. */
const keptForRollback = 2;

/** Removes what rebuilds that were cut off have left. */
export async function removeUnfinished(
  { generations, journal }: IndexUpkeep,
  served: Generation | null,
): Promise<void> {
  for (const index of await generations.list()) {
    if (index === served?.index || (await journal.find(index))?.isComplete) continue;
    await generations.remove(index, true);
    await journal.remove(index);
  }
}

/** The generations to which a rollback can go, the youngest first. */
export async function listKept({ generations, journal }: IndexUpkeep, served: string): Promise<string[]> {
  const kept: string[] = [];
  for (const index of (await generations.list()).toReversed()) {
    if (index !== served && (await journal.find(index))?.isComplete) kept.push(index);
  }
  return kept;
}

/** Removes all but the searched generation and the last ones before it, unless an export still reads them. */
export async function removeOldGenerations(upkeep: IndexUpkeep, served: string): Promise<void> {
  const old = (await listKept(upkeep, served)).slice(keptForRollback);
  for (const index of old) {
    if (await upkeep.generations.remove(index, false)) await upkeep.journal.remove(index);
  }
}
