import { setTimeout as pause } from 'node:timers/promises';
import type { Verification, VerifyOptions } from '#search/index-maintenance.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { compareAndRepair } from './compare-index.ts';
import { GenerationWriter } from './generation-writer.ts';
import { describeOtherForm } from './generations.ts';

/** How long a running sync may take to write what was changed until now, in milliseconds. */
const syncTimeoutMs = 30_000;
const pollMs = 100;

/** See IndexMaintenance.verify. In an index of another indexVersion every record may differ. */
export async function verifyIndex(syncDeps: SyncDeps, { repairs, onProgress }: VerifyOptions): Promise<Verification> {
  const live = await syncDeps.generations.findLive();
  if (live === null) throw new Error('There is no index yet. To build one: npm run indexer -- reindex');
  const { index } = live;
  if (!live.isCurrent) throw new Error(`${describeOtherForm(live)}. To build a new one: npm run indexer -- reindex`);
  const writer = await GenerationWriter.open(syncDeps, index);
  const settle = () => waitForSync(syncDeps, index);
  return { index, ...(await compareAndRepair(syncDeps, writer, { settle, repairs, onProgress })) };
}

/** Resolves when a running sync has written every change until now; at once if none is running. */
async function waitForSync({ source, journal, locks }: SyncDeps, index: string): Promise<void> {
  const { version } = await source.now();
  const deadline = performance.now() + syncTimeoutMs;
  while (performance.now() < deadline) {
    const isFollowed = (await locks.list()).some(({ job }) => job === 'sync');
    const state = await journal.find(index);
    if (!isFollowed || (state !== null && state.position.version >= version)) return;
    await pause(pollMs);
  }
}
