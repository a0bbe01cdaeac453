import type { IndexUpkeep } from '#ports/index-upkeep.ts';
import { GenerationWriter } from '#src/syncing/generation-writer.ts';

/** Records that are read and written at a time. */
const pageSize = 1_000;

/**
 * Takes the records to which suppressions apply out of every generation of the index; answers their ids. The list has to
 * hold the suppressions by then: whoever writes to the index later knows of them.
 */
export async function hideRecords(upkeep: IndexUpkeep, keys: readonly string[]): Promise<ReadonlySet<string>> {
  return takeOut(upkeep, (generation) => upkeep.generations.findSuppressed(generation, keys));
}

/** Takes records that are no longer in the store out of every generation of the index. */
export async function hideDeleted(upkeep: IndexUpkeep, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await takeOut(upkeep, async () => ids);
}

/**
 * Brings records to what searches are to find of them, in every generation; answers the ids of those that are not found
 * any more. Changes from before, which others may be writing still, cannot bring them back.
 */
async function takeOut(
  upkeep: IndexUpkeep,
  listIds: (generation: string) => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const { source, generations } = upkeep;
  const hidden = new Set<string>();
  for (;;) {
    const served = await generations.findServed();
    const { version } = await source.now();
    for (const generation of await generations.list()) {
      try {
        const ids = await listIds(generation);
        for (const id of await writeAnew(upkeep, generation, ids, version)) hidden.add(id);
      } catch (error) {
        // One that a rebuild has removed meanwhile has nothing to hide.
        if ((await generations.find(generation)) !== null) throw error;
      }
    }
    // One that was published meanwhile may have been filled from before.
    if ((await generations.findServed())?.identity === served?.identity) return hidden;
  }
}

/** Writes records as they are now to a generation; answers the ids of those that it then does not have. */
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
