import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import type { ChangeSet } from '#records/changes/change-set.ts';
import {
  countOf,
  type JsonFlag,
  printJson,
  printResult,
  readLimit,
  reportFault,
} from '#src/command-line/command-line.ts';
import { printTable } from '#src/command-line/output.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { purgeChanges } from '#src/start/purge.ts';
import { describeMergingAgain, type ShownChangeSet, showChangeSets } from '../records/change-sets.ts';
import { describeUndone, type UndoSummary, undoChanges, wouldMerge } from '../records/undo-changes.ts';

export function addTo(program: Command): void {
  const imports = program.command('imports').description('list, show and undo imports and other changes');
  imports
    .command('list')
    .description('list imports, deletions and other changes, newest first')
    .option('--limit <count>', 'how many', readLimit, 20)
    .action(listImports);
  imports
    .command('show')
    .description('show who imported which file and when, its counts, and what it changed')
    .argument('<id>', 'id of the import; `imports list` shows it')
    .action(showImport);
  imports
    .command('undo')
    .description('undo an import or another change; exits with 0 only if nothing of it changed later')
    .argument('<id>', 'id of the import; `imports list` shows it')
    .option('--dry-run', 'report what would happen and change nothing')
    .action(undoImport);
}

const unknown = (id: string) => `No change set has the id ${id}. To list them: npm run indexer -- imports list`;

async function listImports({ limit, json }: JsonFlag & { limit: number }): Promise<void> {
  await withBackends(async ({ changes }) => {
    const shown = await showChangeSets(changes, await changes.list(limit));
    if (json) {
      printJson(shown);
      return;
    }
    const rows = shown.map((each) => {
      const { id, action, started_at, operator, changes: records } = each;
      const files = each.files.map(({ name }) => name).join(', ');
      return { id, action, started_at, operator, records, state: describeState(each), files };
    });
    printTable(rows, 'Nothing was imported or changed so far.');
  });
}

function describeState(changeSet: ShownChangeSet): string {
  const { ended_at, undone_by, left, undoes, can_be_undone } = changeSet;
  if (undone_by !== null) return left === null ? `undone by ${undone_by}` : describePartly(undone_by, left);
  if (ended_at === null) return 'running or cut off';
  if (hasNothing(changeSet)) return 'changed nothing';
  return `${undoes === null ? 'done' : `undid ${undoes}`}${can_be_undone ? '' : '; merge again to redo'}`;
}

/** Whether there is nothing to undo: it has ended and changed no record. */
function hasNothing({ ended_at, changes }: ShownChangeSet): boolean {
  return ended_at !== null && changes === 0;
}

function describePartly(undoneBy: string, { fields, records }: NonNullable<ShownChangeSet['left']>): string {
  const left = [
    ...(fields === 0 ? [] : [countOf(fields, 'field')]),
    ...(records === 0 ? [] : [countOf(records, 'whole record')]),
  ];
  return `undone in part by ${undoneBy}: ${left.length === 0 ? 'undo it again' : `${left.join(' and ')} left`}`;
}

async function showImport(id: string, { json }: JsonFlag): Promise<void> {
  await withBackends(async ({ changes }) => {
    const changeSet = await changes.find(id);
    if (changeSet === null) {
      reportFault(unknown(id));
      return;
    }
    const [shown] = await showChangeSets(changes, [changeSet]);
    if (shown === undefined) return;
    const again = shown.can_be_undone ? null : await describeMergingAgain(changes, id);
    printResult(shown, () => describeShown(shown, again), json);
  });
}

/** @param again how to redo what it took back, if it cannot be undone */
function describeShown(changeSet: ShownChangeSet, again: string | null): string {
  const { counts, files, undone_by, left, undoes, ended_at, ...shown } = changeSet;
  const undo = `npm run indexer -- imports undo ${shown.id}`;
  return [
    `${shown.action} ${shown.id} by ${shown.operator}`,
    `from ${shown.started_at} to ${ended_at ?? '(running or cut off)'}`,
    ...(undoes === null ? [] : [`undid ${undoes}`]),
    ...files.map(({ name, size, sha256 }) => `file: ${name}, ${size} bytes, SHA-256 ${sha256 ?? '(not read whole)'}`),
    ...Object.entries(counts).map(([name, count]) => `${name.replaceAll('_', ' ')}: ${count}`),
    `records changed: ${shown.changes}`,
    ...(undone_by === null ? [] : [describeState(changeSet)]),
    ...(undone_by === null && !hasNothing(changeSet) ? [again ?? `To undo it: ${undo}`] : []),
    ...(left === null ? [] : [`To complete the undo: ${undo}`]),
  ].join('\n');
}

interface UndoFlags extends JsonFlag {
  dryRun?: boolean;
}

async function undoImport(id: string, { dryRun = false, json }: UndoFlags): Promise<void> {
  await withBackends(async (backends, { history }) => {
    const { changes, maintenance } = backends;
    const undone = await changes.find(id);
    if (undone === null) {
      reportFault(unknown(id));
      return;
    }
    if (await wouldMerge(changes, undone)) {
      reportFault(
        `Undoing ${id} would merge records again, which an undo cannot. ${await describeMergingAgain(changes, id)}`,
      );
      return;
    }
    const progress = countRecords(undone.changes, json);
    const onProgress = (done: number) => progress.show(dryRun ? 'comparing' : 'undoing', done);
    const summary = await undoChanges(backends, undone, { dryRun, onProgress }).finally(progress.stop);
    const again = undone.action === 'merge' && !dryRun ? await describeMergingAgain(changes, summary.id ?? '') : null;
    printResult(summary, (shown) => describeSummary(shown, undone, again), json);
    if (summary.went_on) {
      reportFault(
        `${id} is still running. Stop it, or wait until it has ended. Then undo it again to complete the undo.`,
      );
    }
    if (summary.kept > 0) reportFault(`${countOf(summary.kept, 'record')} changed after ${id}. What changed stays.`);
    if (dryRun) return;
    await maintenance.settle(summary.restored + summary.removed + summary.recreated);
    await purgeChanges(changes, history, new Date());
  });
}

/** @param again how to redo it, if another undo cannot */
function describeSummary(summary: UndoSummary, { endedAt }: ChangeSet, again: string | null): string {
  const { id, undoes, dry_run, is_already_undone, first_kept } = summary;
  const hasChanged = summary.restored + summary.removed + summary.recreated > 0;
  if (is_already_undone) return `${undoes} is already undone by ${id}; nothing was changed.`;
  return [
    ...first_kept.map((kept) => `${kept.id}: ${kept.fields.join(', ') || 'the record'} changed later, and stays`),
    `${describeUndone(summary)}.`,
    ...(endedAt === null
      ? [`${undoes} was cut off, or is still running. If it is, undo it again when it has ended.`]
      : []),
    ...(dry_run
      ? ['Nothing was changed: this was a dry run.']
      : hasChanged
        ? [again ?? `To redo it: npm run indexer -- imports undo ${id}`]
        : []),
  ].join('\n');
}
