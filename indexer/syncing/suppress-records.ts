import type { RecordState } from '#backends/stores.ts';
import { everSince } from '#outbound/late-suppressions.ts';
import { digestContent } from '#records/changes/record-change.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { type HiddenCounts, planSuppression, type SuppressionPlan } from '#records/plan-suppression.ts';
import { type Suppression, withoutSuppressed } from '#records/suppression.ts';
import type { SuppressionSummary, UnsuppressionSummary } from '#search/indexed/index-maintenance.ts';
import { underLock } from '#search/job-locks.ts';
import { messageOf } from '#src/problem.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { GenerationWriter } from './generation-writer.ts';

const pageSize = 1_000;

/** See IndexMaintenance.suppress. Entries that are on the list already are applied too: repeating the command completes it. */
export async function suppressRecords(
  syncDeps: SyncDeps,
  suppressions: readonly Suppression[],
): Promise<SuppressionSummary> {
  const keys = suppressions.map(({ key }) => key);
  const { following, ids, hidden } = await planHiding(syncDeps, keys);
  const added = await syncDeps.suppressions.add(suppressions);
  await syncDeps.suppressions.addFollowing(following, new Date());
  try {
    // Before the index, so that the sync announces them even if this process is killed in between.
    await dateHidden(syncDeps, ids);
    const hiddenIds = await hideRecords(syncDeps, [...keys, ...following.keys()]);
    await dateHidden(syncDeps, [...hiddenIds.difference(new Set(ids))]);
    return { added, known: keys.length - added, hidden: hidden.records, hidden_contacts: hidden.contacts };
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(
      `the suppressions are on the list, so every sync and rebuild will apply them, but the records could not be hidden yet (${reason}). Run the same command again.`,
      { cause: error },
    );
  }
}

/** Dates records that are hidden whole from now on. Of others, what writes them to the index does. */
async function dateHidden({ source, suppressions }: SyncDeps, ids: readonly string[]): Promise<void> {
  const keys = await suppressions.listKeysSince(everSince);
  const visiblePart = (record: MediaRecord) => withoutSuppressed(record, keys);
  for (let start = 0; start < ids.length; start += pageSize) {
    const states = await source.read(ids.slice(start, start + pageSize));
    const isHidden = (state: RecordState) => 'record' in state && visiblePart(state.record) === null;
    await source.date(new Map([...states].filter(([, state]) => isHidden(state))), visiblePart);
  }
}

/** See IndexMaintenance.planSuppression. */
export async function planHiding(
  { generations, source, suppressions }: SyncDeps,
  keys: readonly string[],
): Promise<SuppressionPlan> {
  const live = await generations.findLive();
  return planSuppression(keys, await suppressions.listKeysSince(everSince), async (fresh) => {
    const ids = live === null ? [] : await generations.findSuppressed(live.index, [...fresh]);
    const states = await source.read(ids);
    return [...states.values()].flatMap((state) => ('record' in state ? state.record : []));
  });
}

/**
 * Removes suppressed records from every generation of the index, and returns their ids. The suppressions must already be on
 * the list, so that no later write brings the records back.
 */
export async function hideRecords(syncDeps: SyncDeps, keys: readonly string[]): Promise<ReadonlySet<string>> {
  return takeOut(syncDeps, (generation) => syncDeps.generations.findSuppressed(generation, keys));
}

/** The same in one generation. */
export async function hideRecordsIn(syncDeps: SyncDeps, generation: string, keys: readonly string[]): Promise<void> {
  const { version } = await syncDeps.source.now();
  await writeCurrent(syncDeps, generation, await syncDeps.generations.findSuppressed(generation, keys), version);
}

/** See IndexMaintenance.hideDeleted. Applies to every generation. */
export async function hideDeleted(syncDeps: SyncDeps, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await takeOut(syncDeps, async () => ids);
}

/**
 * Writes the current state of these records to every generation, and returns the ids that searches no longer find. Another
 * process may still be writing earlier changes, but they have lower versions and cannot bring records back.
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
    // If another generation became live meanwhile, it may have been filled before the suppression. So try again.
    if ((await generations.findLive())?.identity === live?.identity) return hidden;
  }
}

/** Writes the current state of records to a generation, and returns the ids of those that are not in it any more. */
async function writeCurrent(
  syncDeps: SyncDeps,
  generation: string,
  ids: readonly string[],
  version: bigint,
): Promise<string[]> {
  const { generations, source } = syncDeps;
  const hidden: string[] = [];
  const writer = await GenerationWriter.open(syncDeps, generation);
  for (let start = 0; start < ids.length; start += pageSize) {
    const page = ids.slice(start, start + pageSize);
    const prepared = await writer.prepareStates(new Map(page.map((id) => [id, version])), await source.read(page));
    await writer.write(prepared);
    hidden.push(...prepared.changes.filter(({ document }) => document === null).map(({ id }) => id));
  }
  await generations.refresh(generation);
  // Another process may have written a contact of an earlier state after what is written here was read.
  for (let start = 0; start < ids.length; start += pageSize) {
    await generations.removeStrayContacts(generation, ids.slice(start, start + pageSize), version);
  }
  await generations.refresh(generation);
  return hidden;
}

/** How far the clock of another machine may be behind, in milliseconds. */
const clockMarginMs = 5 * 60_000;

/**
 * See IndexMaintenance.unsuppress. Repeating an interrupted run completes it, even if the keys are no longer on the list.
 * Throws LockTaken, and changes nothing, while a rebuild or a rollback is running.
 */
export async function unsuppressRecords(
  syncDeps: SyncDeps,
  keys: readonly string[],
  onProgress?: (recordCount: number) => void,
): Promise<UnsuppressionSummary> {
  const { source, generations, suppressions, locks } = syncDeps;
  return underLock(locks, 'reindex', async (signal) => {
    const startedAt = new Date();
    const listedKeys = (await suppressions.listKeysSince(everSince)).union(new Set(keys));
    const removed = await suppressions.remove(keys);
    const { version } = await source.now();
    const writers = await Promise.all(
      (await generations.list()).map((generation) => GenerationWriter.open(syncDeps, generation)),
    );
    const remainingKeys = await suppressions.listKeysSince(everSince);
    const visiblePart = (record: MediaRecord) => withoutSuppressed(record, remainingKeys);
    const shownCounts = { records: 0, contacts: 0 };
    let recordCount = 0;
    for await (const { states } of source.readPages({ after: '', upTo: null })) {
      signal.throwIfAborted();
      const released = new Map<string, RecordState>();
      for (const [id, state] of states) {
        const release = releaseOf(state, listedKeys, remainingKeys);
        if (release === null) continue;
        released.set(id, state);
        shownCounts.records += release.records;
        shownCounts.contacts += release.contacts;
      }
      if (released.size > 0) {
        const versions = new Map([...released.keys()].map((id) => [id, version]));
        const dated = await source.date(released, visiblePart);
        for (const writer of writers) await writer.write(await writer.prepareStates(versions, dated));
      }
      recordCount += states.size;
      onProgress?.(recordCount);
    }
    for (const { index } of writers) await generations.refresh(index);
    await hideLate(syncDeps, startedAt);
    return { removed, shown: shownCounts.records, shown_contacts: shownCounts.contacts };
  });
}

/**
 * What is shown again of a record that fewer suppressions hide than before; null if that is nothing. An interrupted run may have
 * left a record with what it showed before.
 */
function releaseOf(
  state: RecordState,
  listedKeys: ReadonlySet<string>,
  remainingKeys: ReadonlySet<string>,
): HiddenCounts | null {
  const visible = 'record' in state ? withoutSuppressed(state.record, remainingKeys) : null;
  if (visible === null || !('record' in state)) return null;
  const before = withoutSuppressed(state.record, listedKeys);
  if (before === null) return { records: 1, contacts: 0 };
  const contacts = visible.contact_count - before.contact_count;
  return contacts === 0 && state.shown === digestContent(visible) ? null : { records: 0, contacts };
}

/** Another process may have suppressed a record and looked for it before it was written here. Hides such records. */
async function hideLate(syncDeps: SyncDeps, begun: Date): Promise<void> {
  const late = await syncDeps.suppressions.listKeysSince(new Date(begun.getTime() - clockMarginMs));
  if (late.size > 0) await hideRecords(syncDeps, [...late]);
}
