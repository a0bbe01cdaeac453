import {
  HistoryLost,
  type IndexMaintenance,
  RollbackRefused,
  type RollbackSummary,
} from '#search/indexed/index-maintenance.ts';
import { underLock } from '#search/job-locks.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { verifyIndex } from './compare-index.ts';
import { GenerationWriter } from './generation-writer.ts';
import { describeOtherForm, listKept, readStatus } from './generations.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { hideDeleted, hideRecordsIn, planHiding, suppressRecords, unsuppressRecords } from './suppress-records.ts';

/** Maintains the index in Elasticsearch. A new index is built beside the live one. */
export function maintainProduction(syncDeps: SyncDeps): IndexMaintenance {
  return {
    findLive: () => syncDeps.generations.findLive(),
    rebuild: (options) => rebuildIndex(syncDeps, options),
    verify: (options) => verifyIndex(syncDeps, options),
    rollBack: (to) => underLock(syncDeps.locks, 'reindex', (signal) => rollBack(syncDeps, to, signal)),
    readStatus: (now) => readStatus(syncDeps, now),
    readDeadLetters: () => syncDeps.deadLetters.scan(),
    planSuppression: (keys) => planHiding(syncDeps, keys),
    suppress: (suppressions) => suppressRecords(syncDeps, suppressions),
    unsuppress: (keys, onProgress) => unsuppressRecords(syncDeps, keys, onProgress),
    // Elasticsearch merges its segments by itself.
    settle: async () => {},
    hideDeleted: (ids) => hideDeleted(syncDeps, ids),
    eraseDeleted: async () => true,
  };
}

/** See IndexMaintenance.rollBack. First brings the old index up to date, and takes out what is suppressed by now. */
async function rollBack(syncDeps: SyncDeps, wantedIndex: string | null, signal: AbortSignal): Promise<RollbackSummary> {
  const { generations, journal, suppressions } = syncDeps;
  try {
    const live = await generations.findLive();
    if (live === null) throw new RollbackRefused('There is no index yet. To build one: npm run indexer -- reindex');
    const candidates = await listKept(syncDeps, live.index);
    const index = chooseGeneration(candidates, wantedIndex);
    const state = await journal.find(index);
    const generation = await generations.find(index);
    if (state === null || generation?.identity !== state.identity) {
      throw new RollbackRefused(`${index} is no longer the same index. To build a new one: npm run indexer -- reindex`);
    }
    if (!generation.isCurrent) {
      throw new RollbackRefused(`${describeOtherForm(generation)}. To roll back to it, use the version that built it.`);
    }
    const writer = await GenerationWriter.open(syncDeps, index);
    const reach = async () => {
      state.position = await writer.catchUp(state.position, signal);
      await journal.save({ ...state, reachedAt: new Date().toISOString() });
    };
    await reach();
    const keys = (await suppressions.list()).map(({ key }) => key);
    await hideRecordsIn(syncDeps, index, keys);
    signal.throwIfAborted();
    await generations.publish(index);
    await reach();
    await generations.refresh(index);
    return { index, replaced: live.index };
  } catch (error) {
    if (!(error instanceof HistoryLost)) throw error;
    throw new RollbackRefused(
      'That index is too old: the store no longer has every change since. To build a new one: npm run indexer -- reindex',
    );
  }
}

function chooseGeneration(candidates: readonly string[], wantedIndex: string | null): string {
  const [last] = candidates;
  if (last === undefined) throw new RollbackRefused('There is no earlier index.');
  if (wantedIndex === null) return last;
  if (candidates.includes(wantedIndex)) return wantedIndex;
  throw new RollbackRefused(`There is no index ${wantedIndex} to roll back to. Available: ${candidates.join(', ')}.`);
}
