import { type IndexerBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import { SuppressedKeys } from '#outbound/late-suppressions.ts';
import { describeChange } from '#records/changes/record-change.ts';
import { deadLetterId } from '#records/normalize/normalize-id.ts';
import {
  countOf,
  type JsonFlag,
  print,
  printJson,
  printResult,
  reportFault,
  UsageError,
} from '#src/command-line/command-line.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { type Merge, type PlannedMerge, planMerge } from '../records/merge-duplicates.ts';
import { changedFields, describeField, type ShownChange } from './change-sets.ts';
import { readMergeList } from './read-merge-list.ts';

interface MergeFlags extends JsonFlag {
  from?: string;
  dryRun?: boolean;
}

/** What a merge makes of the kept record. */
interface ShownMerge {
  keep: string;
  drop: string[];
  fields: ShownChange['fields'];
}

/** What became of all merges. */
interface MergeSummary {
  /** The change set that undoes them; null in a dry run. */
  change_set: string | null;
  dry_run: boolean;
  /** Records that others were merged into, and the records that are gone. */
  kept: number;
  dropped: number;
  /** Merges that were done before. */
  done_before: number;
  /** Merges that could not be done. */
  refused: number;
}

/** `merge` */
export async function mergeRecords(ids: string[], { from, dryRun = false, json }: MergeFlags): Promise<void> {
  if (from !== undefined && ids.length > 0) throw new UsageError('pass ids or --from FILE, not both');
  const merges = from === undefined ? [readMerge(ids)] : await readMergeList(from);
  await withReadyBackends(async (backends) => {
    const suppressed = new SuppressedKeys(backends.suppressions);
    const work = async (changeSet: string | null): Promise<MergeSummary> => {
      const summary = { change_set: changeSet, dry_run: dryRun, kept: 0, dropped: 0, done_before: 0, refused: 0 };
      for (const merge of merges) {
        const planned = await planMerge(backends, merge, await suppressed.current());
        const done = 'fault' in planned || changeSet === null ? planned : await carryOut(backends, planned, changeSet);
        if ('fault' in done) {
          summary.refused += 1;
          reportFault(done.fault);
        } else if (done.drop.length === 0) summary.done_before += 1;
        else {
          summary.kept += 1;
          summary.dropped += done.drop.length;
          if (!json) print(describeMerge(showMerge(done)));
          else if (dryRun) printJson(showMerge(done));
        }
      }
      return summary;
    };
    const summary = dryRun ? await work(null) : await record(backends, merges, from, work);
    if (!dryRun) await backends.maintenance.settle(summary.kept + summary.dropped);
    printResult(summary, describeSummary, json);
  });
}

function readMerge([keep, ...drop]: string[]): Merge {
  if (keep === undefined || drop.length === 0) {
    throw new UsageError('pass the id of the record to keep, then those to merge into it; or --from FILE');
  }
  return { keep: keep.trim(), drop: drop.map((id) => id.trim()) };
}

function record(
  backends: IndexerBackends,
  merges: readonly Merge[],
  from: string | undefined,
  work: (changeSet: string) => Promise<MergeSummary>,
): Promise<MergeSummary> {
  const named = merges.flatMap(({ keep, drop }) => [keep, ...drop]).map((id) => `record ${deadLetterId(id)}`);
  return doRecorded(backends, {
    action: 'merge',
    subjects: from === undefined ? named : [from],
    work,
    count: ({ kept, dropped, refused }) => ({ kept, dropped, refused }),
    describe: ({ kept, dropped, refused }) => `${dropped} merged into ${kept}, ${refused} refused`,
  });
}

/** Merges the records, which others may have changed since. */
async function carryOut(
  { records, maintenance }: IndexerBackends,
  planned: PlannedMerge,
  changeSet: string,
): Promise<PlannedMerge | { fault: string }> {
  const dropIds = planned.drop.map(({ id }) => id);
  if (dropIds.length === 0) return planned;
  const merged = await records.mergeDuplicates(planned.keep.id, dropIds, changeSet);
  if ('missing' in merged) return { fault: `No record has the id ${merged.missing.join(', ')} any longer.` };
  await maintenance.hideDeleted(dropIds);
  return { ...planned, joined: merged.record };
}

function showMerge({ keep, drop, joined }: PlannedMerge): ShownMerge {
  const change = describeChange({ id: keep.id, before: keep, after: joined });
  return {
    keep: keep.id,
    drop: drop.map(({ id }) => id),
    fields: change === null ? {} : changedFields({ ...change, changeSet: '', at: '' }),
  };
}

function describeMerge({ keep, drop, fields }: ShownMerge): string {
  const lines = Object.entries(fields).map((field) => `   ${describeField(field)}`);
  return [`${keep} takes in ${drop.join(', ')}`, ...(lines.length === 0 ? ['   no field changes'] : lines)].join('\n');
}

function describeSummary({ change_set, dry_run, kept, dropped, done_before, refused }: MergeSummary): string {
  const before = done_before === 0 ? [] : [`${countOf(done_before, 'merge')} had been done before.`];
  const faults = refused === 0 ? [] : [`${countOf(refused, 'merge')} could not be done.`];
  const would = dry_run ? ' would be' : '';
  const undo =
    dropped === 0 ? [] : [`To undo it: npm run indexer -- imports undo ${change_set}, or unmerge ID for one.`];
  return [
    `${countOf(dropped, 'record')}${would} merged into ${countOf(kept, 'record')}.`,
    ...before,
    ...faults,
    ...(dry_run ? ['Nothing was changed: this was a dry run.'] : undo),
  ].join('\n');
}
