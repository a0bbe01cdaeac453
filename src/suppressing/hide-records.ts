import { GenerationWriter } from '#src/syncing/generation-writer.ts';
import type { IndexUpkeep } from '#src/syncing/index-upkeep.ts';

/** Records read and written at a time. */
const pageSize = 1_000;

/**
 * Removes the records to which suppressions apply from every generation of the index; returns their ids. The list must
 * already contain the suppressions, so that later writers to the index apply them.
 */
export async function hideRecords(upkeep: IndexUpkeep, keys: readonly string[]): Promise<ReadonlySet<string>> {
  return takeOut(upkeep, (generation) => upkeep.generations.findSuppressed(generation, keys));
}

/** Removes records that are no longer in the store from every generation of the index. */
export async function hideDeleted(upkeep: IndexUpkeep, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await takeOut(upkeep, async () => ids);
}

/**
 * Updates what searches find of these records in every generation; returns the ids that are no longer found. Earlier
 * changes that others may still be writing cannot bring them back.
 */
async function takeOut(
  upkeep: IndexUpkeep,
  listIds: (generation: string) => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const { source, generations } = upkeep;
  const hidden = new Set<string>();
  for (;;) {
    const live = await generations.findLive();
    const { version } = await source.now();
    for (const generation of await generations.list()) {
      try {
        const ids = await listIds(generation);
        for (const id of await writeAnew(upkeep, generation, ids, version)) hidden.add(id);
      } catch (error) {
        // A generation that a rebuild deleted meanwhile has nothing to hide.
        if ((await generations.find(generation)) !== null) throw error;
      }
    }
    // A generation published meanwhile may have been filled before.
    if ((await generations.findLive())?.identity === live?.identity) return hidden;
  }
}

/** Writes the current state of records to a generation; returns the ids that it then does not have. */
async function writeAnew(
  upkeep: IndexUpkeep,
  generation: string,
  ids: readonly string[],
  version: bigint,
): Promise<string[]> {
  const hidden: string[] = [];
  const writer = await GenerationWriter.open(upkeep, generation);
  for (let start = 0; start < ids.length; start += pageSize) {
    const page = ids.slice(start, start + pageSize);
    const prepared = writer.prepareStates(new Map(page.map((id) => [id, version])), await upkeep.source.read(page));
    await writer.write(prepared);
    hidden.push(...prepared.changes.filter(({ document }) => document === null).map(({ id }) => id));
  }
  await upkeep.generations.refresh(generation);
  return hidden;
}
