import type { ChangeSet } from '#domain/changes/change-set.ts';
import { doRecorded } from '#usecases/do-recorded.ts';
import { purgeChanges } from '#usecases/purge.ts';
import { findUndone, undoChanges } from '#usecases/undo-changes.ts';
import { countOf, type JsonFlag, print, printJson, printResult, reportFault } from '../command-line.ts';
import { printTable } from '../print-table.ts';
import { countRecords } from '../progress.ts';
import { type CommandBackends, withBackends } from '../with-backends.ts';
import { type ShownChangeSet, showChangeSets } from './change-sets.ts';

const unknown = (id: string) => `No change set has the id ${id}. To list them: npm run indexer -- imports list`;

/** `imports list` */
export async function listImports({ limit, json }: JsonFlag & { limit: number }): Promise<void> {
  await withBackends(async ({ changes }) => {
    const shown = await showChangeSets(changes, await changes.list(limit));
    if (json) {
      printJson(shown);
      return;
    }
    const rows = shown.map(({ id, action, started_at, operator, changes: records, files, ...state }) => ({
      ...{ id, action, started_at, operator, records, state: describeState(state) },
      files: files.map(({ name }) => name).join(', '),
    }));
    printTable(rows, 'Nothing was imported or changed so far.');
  });
}

function describeState({ ended_at, undone_by, undoes }: Pick<ShownChangeSet, 'ended_at' | 'undone_by' | 'undoes'>) {
  if (undone_by !== null) return `undone by ${undone_by}`;
  if (ended_at === null) return 'running or cut off';
  return undoes === null ? 'done' : `undid ${undoes}`;
}

/** `imports show` */
export async function showImport(
  id: string,
  { changes: isWhole, json }: JsonFlag & { changes?: boolean },
): Promise<void> {
  await withBackends(async ({ changes }) => {
    const changeSet = await changes.find(id);
    if (changeSet === null) {
      reportFault(unknown(id));
      return;
    }
    if (isWhole) {
      for await (const page of changes.readChanges(id)) {
        for (const { changeSet: _, ...change } of page) printJson(change);
      }
      return;
    }
    const [shown] = await showChangeSets(changes, [changeSet]);
    if (shown !== undefined) printResult(shown, describeShown, json);
  });
}

function describeShown({ counts, files, undone_by, undoes, ended_at, ...shown }: ShownChangeSet): string {
  return [
    `${shown.action} ${shown.id} by ${shown.operator}`,
    `from ${shown.started_at} to ${ended_at ?? '(running or cut off)'}`,
    ...(undoes === null ? [] : [`undid ${undoes}`]),
    ...files.map(({ name, size, sha256 }) => `file: ${name}, ${size} bytes, SHA-256 ${sha256 ?? '(not read whole)'}`),
    ...Object.entries(counts).map(([name, count]) => `${name.replaceAll('_', ' ')}: ${count}`),
    `records changed: ${shown.changes}${shown.changes === 0 ? '' : ' (--changes lists them)'}`,
    undone_by === null ? `To undo it: npm run indexer -- imports undo ${shown.id}` : `undone by ${undone_by}`,
  ].join('\n');
}

interface UndoFlags extends JsonFlag {
  dryRun?: boolean;
}

/** `imports undo` */
export async function undoImport(id: string, { dryRun = false, json }: UndoFlags): Promise<void> {
  await withBackends(async (backends, { history }) => {
    const { changes, maintenance } = backends;
    const undone = await changes.find(id);
    if (undone === null) {
      reportFault(unknown(id));
      return;
    }
    const earlier = (await findUndone(changes, [id])).get(id);
    if (earlier !== undefined && isComplete(earlier, undone)) {
      const nothing = { restored: 0, removed: 0, recreated: 0, kept: 0, first_kept: [] };
      printUndone({ id: earlier.id, undoes: id, dry_run: dryRun, is_already_undone: true, ...nothing }, json);
      return;
    }
    const summary = dryRun ? await foresee(backends, undone, json) : await undo(backends, undone, earlier, json);
    printUndone(summary, json);
    if (summary.kept > 0) reportFault(describeKept(summary));
    if (dryRun) return;
    await maintenance.settle(summary.restored + summary.removed + summary.recreated);
    await purgeChanges(changes, history, new Date());
  });
}

/** Whether an undo left nothing to do: it ended after what it undid, and nothing stayed. */
function isComplete({ endedAt, counts }: ChangeSet, undone: ChangeSet): boolean {
  return endedAt !== null && counts.kept === 0 && undone.endedAt !== null && undone.endedAt <= endedAt;
}

type UndoSummary = Awaited<ReturnType<typeof undoChanges>> & {
  /** The change set of the undo; null in a dry run. */
  id: string | null;
  undoes: string;
  dry_run: boolean;
  is_already_undone: boolean;
};

async function foresee(backends: CommandBackends, undone: ChangeSet, json?: boolean): Promise<UndoSummary> {
  const progress = countRecords(undone.changes, json);
  const show = (done: number) => progress.show('comparing', done);
  const found = await undoChanges(backends, undone.id, null, show).finally(progress.stop);
  return { id: null, undoes: undone.id, dry_run: true, is_already_undone: false, ...found };
}

/** Undoes a change set, or goes on with an undo that was cut off or left something. */
async function undo(
  backends: CommandBackends,
  undone: ChangeSet,
  earlier: ChangeSet | undefined,
  json?: boolean,
): Promise<UndoSummary> {
  await closeCutOff(backends, undone);
  const progress = countRecords(undone.changes, json);
  const show = (done: number) => progress.show('undoing', done);
  return doRecorded(backends, {
    action: 'undo',
    subjects: [`${undone.action} ${undone.id}`],
    undoes: undone.id,
    ...(earlier !== undefined && { continues: earlier.id }),
    async work(id) {
      const found = await undoChanges(backends, undone.id, id, show).finally(progress.stop);
      return { id, undoes: undone.id, dry_run: false, is_already_undone: false, ...found };
    },
    // What the earlier run undid belongs to this change set too; what stays is what stays now.
    count: ({ restored, removed, recreated, kept }) => ({
      restored: restored + (earlier?.counts.restored ?? 0),
      removed: removed + (earlier?.counts.removed ?? 0),
      recreated: recreated + (earlier?.counts.recreated ?? 0),
      kept,
    }),
    describe: describeCounts,
  });
}

/** Ends a change set that was killed. If it still runs, it ends later than its undo, which can then be repeated. */
async function closeCutOff({ changes }: CommandBackends, { id, endedAt, files }: ChangeSet): Promise<void> {
  if (endedAt === null) await changes.end(id, { endedAt: new Date().toISOString(), counts: { cut_off: 1 }, files });
}

function printUndone(summary: UndoSummary, json?: boolean): void {
  if (json) printJson(summary);
  else for (const line of describeUndone(summary)) print(line);
}

function describeUndone(summary: UndoSummary): string[] {
  const { id, undoes, dry_run, is_already_undone, first_kept } = summary;
  if (is_already_undone) return [`${undoes} is already undone by ${id}; nothing was changed.`];
  return [
    ...first_kept.map(({ id, fields }) => `${id}: ${fields.join(', ') || 'the record'} changed later, and stays`),
    `${describeCounts(summary)}.`,
    dry_run ? 'Nothing was changed: this was a dry run.' : `To redo it: npm run indexer -- imports undo ${id}`,
  ];
}

function describeCounts({ restored, removed, recreated, kept }: UndoSummary): string {
  return `${countOf(restored, 'record')} restored, ${removed} removed, ${recreated} brought back, ${kept} left in part or whole`;
}

function describeKept({ kept, undoes }: UndoSummary): string {
  return `${countOf(kept, 'record')} changed after ${undoes}. What changed stays.`;
}
