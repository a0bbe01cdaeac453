import type { Command } from 'commander';
import { type IndexerBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import { everSince } from '#outbound/late-suppressions.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { deadLetterId } from '#records/normalize/normalize-values.ts';
import {
  type JsonFlag,
  print,
  printJson,
  printResult,
  reportFault,
  UsageError,
} from '#src/command-line/command-line.ts';
import { describeUndo } from '#src/command-line/output.ts';
import { countOf } from '#text/printed.ts';
import { changedFields, describeFields } from '../records/change-sets.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { withoutHiddenContacts } from '../records/explain-hiding.ts';
import { type Merge, type PlannedMerge, planMerge, tooManyContacts } from '../records/merge-duplicates.ts';
import { readMergeList } from '../records/read-merge-list.ts';

type MergeFlags = JsonFlag & { from?: string; dryRun?: boolean };

type MergeSummary = ReturnType<typeof nothingMerged>;

function nothingMerged(dryRun: boolean) {
  return {
    /** One change set for each kept record, to undo its merge; none in a dry run. */
    change_sets: [] as string[],
    dry_run: dryRun,
    ...{ kept: 0, dropped: 0, done_before: 0, refused: 0 },
  };
}

export function addTo(program: Command): void {
  program
    .command('merge')
    .description('merge duplicates into the first record; their ids lead to it from then on, see docs/data-staff.md')
    .argument('[id...]', 'the id of the record to keep, then those to merge into it')
    .option('--from <file>', 'a CSV file that `duplicates --output` wrote and you checked')
    .option('--dry-run', 'print how each field would change, and change nothing')
    .action(mergeRecords);
}

async function mergeRecords(ids: string[], { from, dryRun = false, json }: MergeFlags): Promise<void> {
  if (from !== undefined && ids.length > 0) throw new UsageError('pass either ids or --from FILE, not both');
  const merges = from === undefined ? [readMerge(ids)] : await readMergeList(from);
  await withReadyBackends(async (backends) => {
    const summary = nothingMerged(dryRun);
    for (const merge of merges) {
      const suppressed = await backends.suppressions.listKeysSince(everSince);
      const planned = await planMerge(backends, merge, suppressed);
      const isIdle = 'fault' in planned || planned.drop.length === 0;
      const outcome = isIdle || dryRun ? { ...planned, changeSet: null } : await carryOut(backends, planned);
      if ('fault' in outcome) {
        summary.refused += 1;
        reportFault(outcome.fault);
      } else if (outcome.drop.length === 0) summary.done_before += 1;
      else {
        summary.kept += 1;
        summary.dropped += outcome.drop.length;
        if (outcome.changeSet !== null) summary.change_sets.push(outcome.changeSet);
        if (!json) print(describeMerge(showMerge(outcome, suppressed), outcome.changeSet));
        else if (dryRun) printJson(showMerge(outcome, suppressed));
      }
    }
    if (!dryRun) await backends.maintenance.settle(summary.kept + summary.dropped);
    printResult(summary, describeSummary, json);
  });
}

function readMerge([keep, ...drop]: string[]): Merge {
  if (keep === undefined || drop.length === 0) {
    throw new UsageError('pass the id of the record to keep, then the ids to merge into it; or --from FILE');
  }
  return { keep: keep.trim(), drop: drop.map((id) => id.trim()) };
}

/** Merges the records as one change set. They may have changed since the merge was planned. */
function carryOut(
  backends: IndexerBackends,
  planned: PlannedMerge,
): Promise<(PlannedMerge & { changeSet: string }) | { fault: string }> {
  const dropIds = planned.drop.map(({ id }) => id);
  return doRecorded(backends, {
    action: 'merge',
    subjects: [planned.keep.id, ...dropIds].map((id) => `record ${deadLetterId(id)}`),
    async work(changeSet) {
      const merged = await backends.records.mergeDuplicates(planned.keep.id, dropIds, changeSet);
      if ('missing' in merged) return { fault: `No record has the id ${merged.missing.join(', ')} any longer.` };
      if ('tooManyContacts' in merged) return { fault: tooManyContacts };
      await backends.maintenance.hideDeleted(dropIds);
      return { ...planned, joined: merged.record, changeSet };
    },
    count: (done) => ({ dropped: 'fault' in done ? 0 : dropIds.length }),
    describe: (done) => ('fault' in done ? 'refused' : `${countOf(dropIds.length, 'record')} merged into one`),
  });
}

/** What a merge does, without what it says of contacts that suppressions hide. */
function showMerge({ keep, drop, joined }: PlannedMerge, suppressed: ReadonlySet<string>) {
  const visible = (record: MediaRecord) => withoutHiddenContacts(keep.id, record, suppressed);
  return { keep: keep.id, drop: drop.map(({ id }) => id), fields: changedFields(visible(keep), visible(joined)) };
}

function describeMerge({ keep, drop, fields }: ReturnType<typeof showMerge>, changeSet: string | null): string {
  const lines = describeFields(fields);
  const undo = changeSet === null ? [] : [describeUndo(changeSet)];
  const below = [...(lines.length === 0 ? ['no field changes'] : lines), ...undo];
  return [`${keep} takes in ${drop.join(', ')}`, ...below.map((line) => `   ${line}`)].join('\n');
}

function describeSummary({ dry_run, kept, dropped, done_before, refused }: MergeSummary): string {
  return [
    `${countOf(dropped, 'record')}${dry_run ? ' would be' : ''} merged into ${countOf(kept, 'record')}.`,
    ...(done_before === 0 ? [] : [`${countOf(done_before, 'merge')} had been done before.`]),
    ...(refused === 0 ? [] : [`${countOf(refused, 'merge')} could not be done.`]),
    ...(dry_run ? [describeUndo(null)] : []),
  ].join('\n');
}
