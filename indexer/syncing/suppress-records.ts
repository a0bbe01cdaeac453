import type { Suppression } from '#records/suppression.ts';
import type { SuppressionSummary } from '#search/index-maintenance.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { GenerationWriter } from './generation-writer.ts';

/** Records read and written at a time. */
const pageSize = 1_000;

/**
 * See IndexMaintenance.suppress. Records of entries that were already listed are hidden too: running an interrupted
 * command again completes it.
 */
export async function suppressRecords(
  syncDeps: SyncDeps,
  suppressions: readonly Suppression[],
): Promise<SuppressionSummary> {
  const keys = suppressions.map(({ key }) => key);
  const found = await findVisible(syncDeps, keys);
  const added = await syncDeps.suppressions.add(suppressions);
  try {
    const hidden = new Set([...found, ...(await hideRecords(syncDeps, keys))]);
    return { added, known: keys.length - added, hidden: hidden.size };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `they are on the list and every sync and rebuild will apply it, but they could not be hidden immediately (${reason}): run the same command again`,
      { cause: error },
    );
  }
}

/** See IndexMaintenance.findVisible. */
export async function findVisible({ generations }: SyncDeps, keys: readonly string[]): Promise<readonly string[]> {
  const live = await generations.findLive();
  return live === null ? [] : generations.findSuppressed(live.index, keys);
}

/**
 * Removes the records to which suppressions apply from every generation of the index; returns their ids. The list must
 * already contain the suppressions, so that later writers to the index apply them.
 */
export async function hideRecords(syncDeps: SyncDeps, keys: readonly string[]): Promise<ReadonlySet<string>> {
  return takeOut(syncDeps, (generation) => syncDeps.generations.findSuppressed(generation, keys));
}

/** See IndexMaintenance.hideDeleted: from every generation. */
export async function hideDeleted(syncDeps: SyncDeps, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await takeOut(syncDeps, async () => ids);
}

/**
 * Updates what searches find of these records in every generation; returns the ids that are no longer found. Earlier
 * changes that others may still be writing cannot bring them back.
 */
async function takeOut(
  syncDeps: SyncDeps,
  listIds: (generation: string) => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const { source, generations } = syncDeps;
  const hidden = new Set<string>();
  for (;;) {
    const live = await generations.findLive();
    const { version } = await source.now();
    for (const generation of await generations.list()) {
      try {
        const ids = await listIds(generation);
        for (const id of await writeCurrent(syncDeps, generation, ids, version)) hidden.add(id);
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
async function writeCurrent(
  syncDeps: SyncDeps,
  generation: string,
  ids: readonly string[],
  version: bigint,
): Promise<string[]> {
  const hidden: string[] = [];
  const writer = await GenerationWriter.open(syncDeps, generation);
  for (let start = 0; start < ids.length; start += pageSize) {
    const page = ids.slice(start, start + pageSize);
    const prepared = writer.prepareStates(new Map(page.map((id) => [id, version])), await syncDeps.source.read(page));
    await writer.write(prepared);
    hidden.push(...prepared.changes.filter(({ document }) => document === null).map(({ id }) => id));
  }
  await syncDeps.generations.refresh(generation);
  return hidden;
}
