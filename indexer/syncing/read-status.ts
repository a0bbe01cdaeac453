import type { IndexStatus } from '#search/index-maintenance.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';
import { listKept } from './generations.ts';

/** The state of the index. */
export async function readStatus(syncDeps: SyncDeps, now: Date): Promise<IndexStatus> {
  const { source, generations, journal, deadLetters, locks, suppressions } = syncDeps;
  const live = await generations.findLive();
  const state = live && (await journal.find(live.index));
  const held = await locks.list();
  const kept = live === null ? [] : await listKept(syncDeps, live.index);
  const outdated: string[] = [];
  for (const index of kept) if (!(await generations.find(index))?.isCurrent) outdated.push(index);
  return {
    index: live?.index ?? null,
    is_current: live?.isCurrent ?? null,
    kept: kept.filter((index) => !outdated.includes(index)),
    outdated,
    stored: await source.count(),
    indexed: live?.records ?? 0,
    suppressions: (await suppressions.list()).length,
    dead_letters: await deadLetters.count(),
    lag_seconds: state && Math.max(now.getTime() - Date.parse(state.reachedAt), 0) / 1000,
    is_followed: held.some(({ job }) => job === 'sync'),
    locks: held,
  };
}
