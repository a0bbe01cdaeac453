import { suppressionKeys } from '#records/suppression.ts';
import type { UnsuppressionSummary } from '#search/index-maintenance.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { readPages } from './fill-index.ts';
import { GenerationWriter } from './generation-writer.ts';
import { hideRecords } from './suppress-records.ts';

/** How far the clock of a concurrent suppression may be behind, in milliseconds. */
const clockMarginMs = 5 * 60_000;

/**
 * See IndexMaintenance.unsuppress: it writes the records to every generation. If it is interrupted, running it again
 * completes it, whether the keys are still on the list or not.
 *
 * @throws LockTaken while a rebuild or a rollback is running, before anything is changed.
 */
export async function unsuppressRecords(
  syncDeps: SyncDeps,
  keys: readonly string[],
  onProgress?: (read: number) => void,
): Promise<UnsuppressionSummary> {
  const { source, generations, suppressions, locks } = syncDeps;
  const lock = await locks.acquire('reindex');
  try {
    const begun = new Date();
    const removed = await suppressions.remove(keys);
    const { version } = await source.now();
    const writers = await Promise.all(
      (await generations.list()).map((generation) => GenerationWriter.open(syncDeps, generation)),
    );
    const wanted = new Set(keys);
    let shown = 0;
    let read = 0;
    for await (const states of readPages(source, { after: '', upTo: null })) {
      lock.signal.throwIfAborted();
      const versions = new Map<string, bigint>();
      for (const [id, state] of states) {
        if (!('record' in state) || !suppressionKeys(state.record).some((key) => wanted.has(key))) continue;
        versions.set(id, version);
      }
      if (versions.size > 0) {
        for (const writer of writers) await writer.write(writer.prepareStates(versions, states));
        shown += [...versions.keys()].filter((id) => writers[0]?.recordToFind(states.get(id))).length;
      }
      read += states.size;
      onProgress?.(read);
    }
    for (const { index } of writers) await generations.refresh(index);
    await hideLate(syncDeps, begun);
    return { removed, shown };
  } finally {
    await lock.release();
  }
}

/** A concurrent suppression may have searched for a record before it was written here. */
async function hideLate(syncDeps: SyncDeps, begun: Date): Promise<void> {
  const late = await syncDeps.suppressions.listKeysSince(new Date(begun.getTime() - clockMarginMs));
  if (late.size > 0) await hideRecords(syncDeps, [...late]);
}
