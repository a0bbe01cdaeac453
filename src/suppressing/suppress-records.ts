import type { Suppression } from '#domain/suppression.ts';
import type { SuppressionSummary } from '#ports/index-maintenance.ts';
import type { SyncDeps } from '#src/syncing/sync-deps.ts';
import { hideRecords } from './hide-records.ts';

/**
 * Adds suppressions to the list and hides their records; when it resolves no search, facet or record lookup finds them.
 * Entries that were already listed are hidden too: running an interrupted command again completes it.
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

/** The ids of the records that searches find now and would not after these suppressions. */
export async function findVisible({ generations }: SyncDeps, keys: readonly string[]): Promise<readonly string[]> {
  const live = await generations.findLive();
  return live === null ? [] : generations.findSuppressed(live.index, keys);
}
