import type { IndexUpkeep } from '#ports/index-upkeep.ts';
import type { LockHolder } from '#ports/job-locks.ts';
import { listKept } from './old-generations.ts';

export interface Status {
  /** The generation that is searched; null before the first. */
  index: string | null;
  /** Whether the searched one has the form that this version writes; null before the first. */
  is_current: boolean | null;
  /** Those that a rollback can go back to, the youngest first. */
  kept: string[];
  /** Those that are kept too, but have a form that this version cannot follow with. */
  outdated: string[];
  /** Records in the store, readable or not, and in the index. */
  stored: number;
  indexed: number;
  suppressions: number;
  dead_letters: number;
  /** Seconds since the moment up to which the index has every change; null where nobody knows. */
  lag_seconds: number | null;
  /** Whether somebody keeps the index equal to the records. */
  is_followed: boolean;
  /** Who works on the index. */
  locks: LockHolder[];
}

export async function readStatus(
  upkeep: IndexUpkeep,
  { followsItself, now }: { followsItself: boolean; now: Date },
): Promise<Status> {
  const { source, generations, journal, deadLetters, locks, suppressions } = upkeep;
  const served = await generations.findServed();
  const state = served && (await journal.find(served.index));
  const held = await locks.list();
  const kept = served === null ? [] : await listKept(upkeep, served.index);
  const outdated: string[] = [];
  for (const index of kept) if (!(await generations.find(index))?.isCurrent) outdated.push(index);
  return {
    index: served?.index ?? null,
    is_current: served?.isCurrent ?? null,
    kept: kept.filter((index) => !outdated.includes(index)),
    outdated,
    stored: await source.count(),
    indexed: served?.records ?? 0,
    suppressions: (await suppressions.list()).length,
    dead_letters: await deadLetters.count(),
    lag_seconds: followsItself ? 0 : state && Math.max(now.getTime() - Date.parse(state.reachedAt), 0) / 1000,
    is_followed: followsItself || held.some(({ job }) => job === 'sync'),
    locks: held,
  };
}
