import type { Generation } from '#backends/elasticsearch/alias-generations.ts';
import type { IndexStatus } from '#search/indexed/index-maintenance.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';

/** How many generations besides the live one are kept for a rollback. */
const keptForRollback = 2;

/** Deletes generations that interrupted rebuilds left. */
export async function removeUnfinished(syncDeps: SyncDeps, live: Generation | null): Promise<void> {
  for (const index of await syncDeps.generations.list()) {
    if (index === live?.index || (await syncDeps.journal.find(index)) !== null) continue;
    await removeGeneration(syncDeps, index);
  }
}

/** The generations that a rollback can make live, newest first. */
export async function listKept({ generations, journal }: SyncDeps, live: string): Promise<string[]> {
  const names: string[] = [];
  for (const index of (await generations.list()).toReversed()) {
    if (index !== live && (await journal.find(index)) !== null) names.push(index);
  }
  return names;
}

/** Deletes old generations, except those kept for a rollback and those that an export still reads. */
export async function removeOldGenerations(syncDeps: SyncDeps, live: string): Promise<void> {
  const old = (await listKept(syncDeps, live)).slice(keptForRollback);
  for (const index of old) {
    if (!(await syncDeps.generations.isBeingRead(index))) await removeGeneration(syncDeps, index);
  }
}

/** Deletes a generation with its position, even if an export still reads it. */
export async function removeGeneration({ generations, journal }: SyncDeps, index: string): Promise<void> {
  await generations.remove(index);
  await journal.remove(index);
}

/**
 * Deletes the indexes of other forms as soon as no process of another version may search them: nothing that is suppressed or
 * deleted from now on would leave them. Returns their names.
 */
export async function removeOtherForms(syncDeps: SyncDeps): Promise<string[]> {
  const otherForms = await syncDeps.generations.listOfOtherForms();
  if (otherForms.length === 0 || !(await syncDeps.isOnlyVersion())) return [];
  for (const index of otherForms) await removeGeneration(syncDeps, index);
  return otherForms;
}

/** What is wrong with a generation of another indexVersion. */
export function describeOtherForm({ index }: Pick<Generation, 'index'>): string {
  return `${index} was built by other rules than this version's`;
}

export async function readStatus(syncDeps: SyncDeps, now: Date): Promise<IndexStatus> {
  const { source, generations, journal, deadLetters, locks, suppressions } = syncDeps;
  const live = await generations.findLive();
  const state = live && (await journal.find(live.index));
  const heldLocks = await locks.list();
  const keptNames = live === null ? [] : await listKept(syncDeps, live.index);
  const outdated: string[] = [];
  for (const index of keptNames) if (!(await generations.find(index))?.isCurrent) outdated.push(index);
  return {
    index: live?.index ?? null,
    is_current: live?.isCurrent ?? null,
    kept: keptNames.filter((index) => !outdated.includes(index)),
    outdated,
    stored: await source.count(),
    indexed: live?.records ?? 0,
    indexed_contacts: live?.contacts ?? 0,
    suppressions: (await suppressions.list()).length,
    dead_letters: await deadLetters.count(),
    lag_seconds: state && Math.max(now.getTime() - Date.parse(state.reachedAt), 0) / 1000,
    is_followed: heldLocks.some(({ job }) => job === 'sync'),
    locks: heldLocks,
  };
}
