import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { type JsonFlag, printResult, readNumber, reportFault } from '#src/command-line/command-line.ts';
import { describeUndo, printRows } from '#src/command-line/output.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { countOf, formatNumber } from '#text/printed.ts';
import { type ShownChangeSet, showChangeSets } from '../records/change-sets.ts';
import { describeUndone, type UndoSummary, undoChanges, wouldMerge } from '../records/undo-changes.ts';

export function addTo(program: Command): void {
  const imports = program.command('imports').description('list, show and undo imports and other changes');
  imports
    .command('list')
    .description('list imports, deletions and other changes, newest first')
    .option('--limit <count>', 'how many', readNumber(1), 20)
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
    const changeSets = await showChangeSets(changes, await changes.list(limit));
    const rows = changeSets.map((changeSet) => {
      const { id, action, started_at, operator } = changeSet;
      const files = changeSet.files.map(({ name }) => name).join(', ');
      return {
        id,
        action,
        started_at,
        operator,
        did: describeCounts(changeSet),
        state: describeState(changeSet),
        files,
      };
    });
    printRows<object>(json ? changeSets : rows, 'Nothing was imported or changed so far.', json);
  });
}

/** Counts of what was left as it was. */
const unchanged: ReadonlySet<string> = new Set(['read', 'examined', 'unchanged', 'repeated', 'rejected']);

/** What the command counted as done, as its summary had it; how many changes it made where it counted nothing. */
function describeCounts({ counts, changes }: ShownChangeSet): string {
  const done = Object.entries(counts).filter(([name, count]) => count > 0 && !unchanged.has(name));
  if (done.length === 0) return changes === 0 ? '' : `${formatNumber(changes)} changed`;
  const singular = (name: string) => name.replace(/^people_/, 'person_');
  return done
    .map(([name, count]) => `${formatNumber(count)} ${(count === 1 ? singular(name) : name).replaceAll('_', ' ')}`)
    .join(', ');
}

function describeState({ ended_at, undone_by, is_partly_undone, undoes, changes }: ShownChangeSet): string {
  if (undone_by !== null)
    return is_partly_undone ? `undone in part by ${undone_by}: undo it again for the rest` : `undone by ${undone_by}`;
  if (ended_at === null) return 'running or cut off';
  if (changes === 0) return 'changed nothing';
  return undoes === null ? 'done' : `undid ${undoes}`;
}

async function showImport(id: string, { json }: JsonFlag): Promise<void> {
  await withBackends(async ({ changes }) => {
    const changeSet = await changes.find(id);
    if (changeSet === null) return reportFault(unknown(id));
    for (const shownChangeSet of await showChangeSets(changes, [changeSet]))
      printResult(shownChangeSet, describeShown, json);
  });
}

function describeShown(changeSet: ShownChangeSet): string {
  const { id, action, operator, counts, files, started_at, ended_at, changes } = changeSet;
  const canBeUndone = changes > 0 || ended_at === null;
  return [
    `${action} ${id} by ${operator}`,
    `from ${started_at} to ${ended_at ?? '(running or cut off)'}`,
    ...files.map(({ name, size, sha256 }) => `file: ${name}, ${size} bytes, SHA-256 ${sha256 ?? '(not read whole)'}`),
    ...Object.entries(counts).map(([name, count]) => `${name.replaceAll('_', ' ')}: ${count}`),
    `records changed: ${changes}`,
    describeState(changeSet),
    ...(canBeUndone && changeSet.undone_by === null ? [describeUndo(id)] : []),
  ].join('\n');
}

async function undoImport(id: string, { dryRun = false, json }: JsonFlag & { dryRun?: boolean }): Promise<void> {
  await withBackends(async (backends) => {
    const { changes, maintenance } = backends;
    const undone = await changes.find(id);
    if (undone === null) return reportFault(unknown(id));
    if (await wouldMerge(changes, undone))
      return reportFault(
        `Undoing ${id} would merge records again. Use \`merge\` instead, which checks suppressions and keeps old ids.`,
      );
    const progress = countRecords(undone.changes, { isSilent: json });
    const onProgress = (done: number) => progress.show(dryRun ? 'comparing' : 'undoing', done);
    const summary = await undoChanges(backends, undone, { dryRun, onProgress }).finally(progress.stop);
    printResult(summary, describeSummary, json);
    if (summary.kept > 0) reportFault(`${countOf(summary.kept, 'record')} changed after ${id}. What changed stays.`);
    if (!dryRun) await maintenance.settle(summary.restored + summary.removed + summary.recreated);
  });
}

function describeSummary(summary: UndoSummary): string {
  const { id, undoes, is_already_undone, was_cut_off, first_kept, restored, removed, recreated } = summary;
  if (is_already_undone) return `${undoes} is already undone by ${id}; nothing was changed.`;
  const hasChanged = restored + removed + recreated > 0;
  return [
    ...first_kept.map((record) => `${record.id}: ${record.fields.join(', ') || 'the record'} changed later, and stays`),
    `${describeUndone(summary)}.`,
    ...(was_cut_off ? [`${undoes} was cut off, or is still running. If it is, undo it again when it has ended.`] : []),
    ...(id === null || hasChanged ? [describeUndo(id)] : []),
  ].join('\n');
}
