import type { ChangeSet } from '#records/changes/change-set.ts';
import type { RecordKey } from '#records/media-record.ts';
import type { ChangeLog, RecordStore } from '#records/record-store.ts';
import { countOf } from '#text/printed.ts';
import { doRecorded, type Recorder } from './do-recorded.ts';

type UndoneRecords = ReturnType<typeof nothingUndone>;

export interface UndoSummary extends UndoneRecords {
  /** The change set of the undo; null in a dry run. */
  id: string | null;
  undoes: string;
  dry_run: boolean;
  /** Whether an earlier undo did everything, so there was nothing to do. */
  is_already_undone: boolean;
  /** Whether the change set was interrupted, or is still running. */
  was_cut_off: boolean;
}

interface UndoDeps extends Recorder {
  records: RecordStore;
  changes: ChangeLog;
}

interface UndoOptions {
  dryRun?: boolean;
  onProgress?: (done: number) => void;
}

const maxFirstKept = 100;

/**
 * Undoes a change set, page by page, as a new change set. If an earlier undo left something, because it was killed or because
 * records had changed later, continues the change set of that undo.
 */
export async function undoChanges(deps: UndoDeps, undone: ChangeSet, options: UndoOptions = {}): Promise<UndoSummary> {
  const { dryRun = false } = options;
  const earlier = (await findUndone(deps.changes, [undone.id])).get(undone.id) ?? null;
  const was_cut_off = undone.endedAt === null;
  const summary = { undoes: undone.id, dry_run: dryRun, is_already_undone: false, was_cut_off };
  if (earlier !== null && isComplete(earlier, undone)) {
    return { ...summary, id: earlier.id, is_already_undone: true, ...nothingUndone() };
  }
  if (dryRun) return { ...summary, id: null, ...(await revertAll(deps, undone, null, options)) };
  await closeCutOff(deps, undone);
  return doRecorded(deps, {
    action: 'undo',
    subjects: [`${undone.action} ${undone.id}`],
    undoes: undone.id,
    ...(earlier !== null && { continues: earlier.id }),
    work: async (id) => ({ ...summary, id, ...(await revertAll(deps, undone, id, options)) }),
    count: (undoneRecords) => addCounts(undoneRecords, earlier),
    describe: describeUndone,
  });
}

/**
 * Whether undoing this change set would merge records again: it is the undo of a merge. That is refused, because an undo does
 * not check suppressions and merged ids, as `merge` does.
 */
export async function wouldMerge(changes: Pick<ChangeLog, 'find'>, undone: ChangeSet): Promise<boolean> {
  if (undone.action !== 'undo') return false;
  // Undoing an undo repeats the change set that the undo took back.
  const again = undone.undoes === null ? null : await changes.find(undone.undoes);
  if (again?.action !== 'undo') return again?.action === 'merge';
  const inner = again.undoes === null ? null : await changes.find(again.undoes);
  return inner !== null && wouldMerge(changes, inner);
}

/** For each of these change sets that was undone, the change set of the undo. An undo that was undone itself does not count. */
export async function findUndone(
  changes: Pick<ChangeLog, 'list'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ChangeSet>> {
  return ids.length === 0 ? new Map() : undoneAmong(await changes.list(), ids);
}

function undoneAmong(changeSets: readonly ChangeSet[], ids: readonly string[]): Map<string, ChangeSet> {
  const undoing = changeSets.filter(({ undoes }) => undoes !== null && ids.includes(undoes));
  if (undoing.length === 0) return new Map();
  const undone = undoneAmong(
    changeSets,
    undoing.map(({ id }) => id),
  );
  const inEffect = undoing.filter(({ id }) => !undone.has(id));
  return new Map(inEffect.map((changeSet) => [changeSet.undoes ?? '', changeSet]));
}

export function describeUndone({ restored, removed, recreated, kept }: UndoneRecords): string {
  return `${countOf(restored, 'record')} restored, ${removed} removed, ${recreated} brought back, ${kept} left in part or whole`;
}

/** Whether an undo did everything: it ended after the change set that it undid, saw all its changes, and nothing stayed. */
export function isComplete({ endedAt, counts }: ChangeSet, undone: ChangeSet): boolean {
  const { kept, examined = undone.changes } = counts;
  const isAfter = endedAt !== null && undone.endedAt !== null && undone.endedAt <= endedAt;
  return isAfter && kept === 0 && undone.changes <= examined;
}

/** Ends a change set that was killed. If it is still running, it will end later than its undo, so the undo can be repeated. */
async function closeCutOff({ changes }: UndoDeps, { id, endedAt, files }: ChangeSet): Promise<void> {
  if (endedAt === null) await changes.end(id, { endedAt: new Date().toISOString(), counts: { cut_off: 1 }, files });
}

function nothingUndone() {
  return {
    ...{ examined: 0, restored: 0, removed: 0, recreated: 0 },
    /** Records that changed later, so that something of them stays. They may also count as restored. */
    kept: 0,
    /** The first of these, with the fields that stay; no fields if the whole record stays. */
    first_kept: [] as { id: string; fields: readonly RecordKey[] }[],
  };
}

/** @param undoing the change set of the undo; null in a dry run */
async function revertAll(
  { records, changes }: UndoDeps,
  { id }: ChangeSet,
  undoing: string | null,
  { onProgress = () => {} }: UndoOptions,
): Promise<UndoneRecords> {
  const result = nothingUndone();
  for await (const page of changes.readChanges(id)) {
    const reversals = await records.revert(page, undoing);
    for (const [index, { outcome, staying }] of reversals.entries()) {
      if (outcome !== 'unchanged' && outcome !== 'kept') result[outcome] += 1;
      if (outcome !== 'kept' && staying.length === 0) continue;
      result.kept += 1;
      if (result.first_kept.length < maxFirstKept)
        result.first_kept.push({ id: page[index]?.id ?? '', fields: staying });
    }
    result.examined += page.length;
    onProgress(result.examined);
  }
  return result;
}

/** The counts of the undo with those of its earlier run. `kept` is not added up: it counts what still stays now. */
function addCounts({ first_kept: _, ...counts }: UndoneRecords, earlier: ChangeSet | null) {
  const before = earlier?.counts ?? {};
  return {
    ...counts,
    restored: counts.restored + (before.restored ?? 0),
    removed: counts.removed + (before.removed ?? 0),
    recreated: counts.recreated + (before.recreated ?? 0),
  };
}
