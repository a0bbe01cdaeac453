import type { IndexMaintenance } from '#ports/index-maintenance.ts';
import type { IndexUpkeep } from '#src/syncing/index-upkeep.ts';
import { readStatus } from '#src/syncing/read-status.ts';
import { rebuildIndex } from '#src/syncing/rebuild-index.ts';
import { rollBack } from '#src/syncing/roll-back.ts';
import { verifyIndex } from '#src/syncing/verify-index.ts';
import { hideDeleted } from './hide-records.ts';
import { findVisible, suppressRecords } from './suppress-records.ts';
import { unsuppressRecords } from './unsuppress-records.ts';

/** The jobs on the index in Elasticsearch, which builds each new index beside the one that is searched. */
export function maintainProduction(upkeep: IndexUpkeep): IndexMaintenance {
  return {
    findLive: () => upkeep.generations.findLive(),
    rebuild: (options) => rebuildIndex(upkeep, options),
    verify: (options) => verifyIndex(upkeep, options),
    rollBack: (to) => rollBack(upkeep, to),
    readStatus: (now) => readStatus(upkeep, now),
    readDeadLetters: () => upkeep.deadLetters.scan(),
    findVisible: (keys) => findVisible(upkeep, keys),
    suppress: (suppressions) => suppressRecords(upkeep, suppressions),
    unsuppress: (keys, onProgress) => unsuppressRecords(upkeep, keys, onProgress),
    hideDeleted: (ids) => hideDeleted(upkeep, ids),
  };
}
