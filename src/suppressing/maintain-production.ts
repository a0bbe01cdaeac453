import type { IndexMaintenance } from '#ports/index-maintenance.ts';
import { readStatus } from '#src/syncing/read-status.ts';
import { rebuildIndex } from '#src/syncing/rebuild-index.ts';
import { rollBack } from '#src/syncing/roll-back.ts';
import type { SyncDeps } from '#src/syncing/sync-deps.ts';
import { verifyIndex } from '#src/syncing/verify-index.ts';
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
