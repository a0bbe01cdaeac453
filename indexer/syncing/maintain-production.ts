import type { IndexMaintenance } from '#search/index-maintenance.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { verifyIndex } from './compare-index.ts';
import { readStatus } from './generations.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { rollBack } from './roll-back.ts';
import { findVisible, hideDeleted, suppressRecords } from './suppress-records.ts';
import { unsuppressRecords } from './unsuppress-records.ts';

/** The jobs on the index in Elasticsearch, which builds each new index beside the live one. */
export function maintainProduction(syncDeps: SyncDeps): IndexMaintenance {
  return {
    findLive: () => syncDeps.generations.findLive(),
    rebuild: (options) => rebuildIndex(syncDeps, options),
    verify: (options) => verifyIndex(syncDeps, options),
    rollBack: (to) => rollBack(syncDeps, to),
    readStatus: (now) => readStatus(syncDeps, now),
    readDeadLetters: () => syncDeps.deadLetters.scan(),
    findVisible: (keys) => findVisible(syncDeps, keys),
    suppress: (suppressions) => suppressRecords(syncDeps, suppressions),
    unsuppress: (keys, onProgress) => unsuppressRecords(syncDeps, keys, onProgress),
    // Elasticsearch merges its segments by itself.
    settle: async () => {},
    hideDeleted: (ids) => hideDeleted(syncDeps, ids),
    eraseDeleted: async () => true,
  };
}
