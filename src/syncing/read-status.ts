import type { IndexUpkeep } from '#ports/index-upkeep.ts';
import type { LockHolder } from '#ports/job-locks.ts';
import { listKept } from './old-generations.ts';

export interface Status {
  /** The live generation; null before the first. */
  index: string | null;
  /** Whether the live one has the form that this version writes; null before the first. */
  is_current: boolean | null;
  /** Those available for a rollback, newest first. */
  kept: string[];
  /** Those that are kept too, but whose form this version cannot follow with. */
  outdated: string[];
  /** Records in the store, readable or not, and in the index. */
  stored: number;
  indexed: number;
  suppressions: number;
  dead_letters: number;
  /** Seconds since the moment up to which the index has every change; null if unknown. */
  lag_seconds: number | null;
  /** Whether a sync is running. */
  is_followed: boolean;
  /** Who works on the index. */
  locks: LockHolder[];
}

export async function readStatus(
  upkeep: IndexUpkeep,
  { followsItself, now }: { followsItself: boolean; now: Date },
): Promise<Status> {
  const { source, generations, journal, deadLetters, locks, suppressions } = upkeep;
  const live = await generations.findLive();
  const state = live && (await journal.find(live.index));
  const held = await locks.list();
  const kept = live === null ? [] : await listKept(upkeep, live.index);
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
    lag_seconds: followsItself ? 0 : state && Math.max(now.getTime() - Date.parse(state.reachedAt), 0) / 1000,
    is_followed: followsItself || held.some(({ job }) => job === 'sync'),
    locks: held,
  };
}
