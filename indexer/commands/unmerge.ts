import { type IndexerBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import type { RecordKey } from '#records/media-record.ts';
import { deadLetterId } from '#records/normalize/normalize-id.ts';
import { countOf, type JsonFlag, printResult, reportFault } from '#src/command-line/command-line.ts';
import { doRecorded } from '../records/do-recorded.ts';
import { findMerge, type NotedMerge } from '../records/merge-duplicates.ts';

interface UnmergeFlags extends JsonFlag {
  dryRun?: boolean;
}

interface UnmergeSummary {
  change_set: string | null;
  dry_run: boolean;
  kept: string;
  /** Records that are there again. */
  back: string[];
  /** Fields of the kept record that stay, as something changed them since the merge. */
  stays: RecordKey[];
}

/** `unmerge` */
export async function unmergeRecord(given: string, { dryRun = false, json }: UnmergeFlags): Promise<void> {
  await withReadyBackends(async (backends) => {
    const keys = new Set((await backends.suppressions.list()).map(({ key }) => key));
    const merge = await findMerge(backends, given.trim(), keys);
    if ('fault' in merge) {
      reportFault(merge.fault);
      return;
    }
    const summary = dryRun
      ? await undo(backends, merge, null)
      : await doRecorded(backends, {
          action: 'unmerge',
          subjects: merge.dropIds.map((id) => `record ${deadLetterId(id)}`),
          work: (changeSet) => undo(backends, merge, changeSet),
          count: ({ back, stays }) => ({ back: back.length, stays: stays.length }),
          describe: ({ back, stays }) =>
            `${countOf(back.length, 'record')} back, ${countOf(stays.length, 'field')} kept`,
        });
    if (!dryRun) await backends.maintenance.settle(summary.back.length + 1);
    printResult(summary, describeSummary, json);
    if (summary.stays.length > 0) {
      reportFault(`${summary.kept} keeps ${summary.stays.join(', ')}, as something changed that since the merge.`);
    }
  });
}

/** @param changeSet null to find out what would happen */
async function undo(
  { records }: IndexerBackends,
  { keptId, changes }: NotedMerge,
  changeSet: string | null,
): Promise<UnmergeSummary> {
  const reversals = await (changeSet === null ? records.previewRevert(changes) : records.revert(changes, changeSet));
  const outcomes = changes.map(({ id }, place) => ({ id, reversal: reversals[place] }));
  return {
    change_set: changeSet,
    dry_run: changeSet === null,
    kept: keptId,
    back: outcomes.filter(({ reversal }) => reversal?.outcome === 'recreated').map(({ id }) => id),
    stays: outcomes.flatMap(({ id, reversal }) => (id === keptId ? (reversal?.kept ?? []) : [])),
  };
}

function describeSummary({ dry_run, kept, back }: UnmergeSummary): string {
  const records = back.length === 1 ? 'is a record of its own' : 'are records of their own';
  const done = `${back.join(', ')} ${records} again, and ${kept} is without what it took from there.`;
  return dry_run ? `After an unmerge, ${done}\nNothing was changed: this was a dry run.` : done;
}
