import { doAudited } from '#accounts/do-audited.ts';
import { withReadyBackends } from '#indexer/open-indexer.ts';
import type { RollbackSummary } from '#search/index-maintenance.ts';
import { describeRebuildForAudit } from '#search/index-maintenance.ts';
import { countOf, type JsonFlag, printJson, printResult, reportFault } from '#src/command-line/command-line.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { countDifferences } from '../syncing/compare-index.ts';
import { describeComparison, describeRebuild, describeStatus } from '../syncing/describe-index.ts';

/** `reindex` */
export async function reindex({ allowShrink = false, json }: JsonFlag & { allowShrink?: boolean }): Promise<void> {
  await withReadyBackends(async (backends) => {
    const progress = countRecords(await backends.records.count(), json);
    const summary = await doAudited(backends, {
      action: 'reindex',
      subjects: ['search index'],
      work: () =>
        backends.maintenance.rebuild({ allowsShrink: allowShrink, onProgress: progress.show }).finally(progress.stop),
      describe: describeRebuildForAudit,
    });
    printResult(summary, describeRebuild, json);
    if (summary.deadLetters === 0) return;
    reportFault(
      `${countOf(summary.deadLetters, 'record')} could not be indexed. To see why: npm run indexer -- dead-letters`,
    );
  });
}

/** `rollback` */
export async function rollBack({ to, json }: JsonFlag & { to?: string }): Promise<void> {
  await withReadyBackends(async (backends) => {
    const summary = await doAudited(backends, {
      action: 'rollback',
      subjects: [to ?? 'to the previous index'],
      work: () => backends.maintenance.rollBack(to ?? null),
      describe: describeRollback,
    });
    printResult(summary, describeRollback, json);
  });
}

function describeRollback({ index, replaced }: RollbackSummary): string {
  return `${index} is live now. It replaces ${replaced}.`;
}

/** `verify` */
export async function verify({ repair = false, json }: JsonFlag & { repair?: boolean }): Promise<void> {
  await withReadyBackends(async (backends) => {
    const progress = countRecords(await backends.records.count(), json);
    const onProgress = (compared: number) => progress.show('comparing', compared);
    const compare = () => backends.maintenance.verify({ repairs: repair, onProgress }).finally(progress.stop);
    const verification = repair
      ? await doAudited(backends, {
          action: 'repair',
          subjects: ['search index'],
          work: compare,
          describe: ({ index, compared, missing, extra, stale }) =>
            `${index}: ${compared} compared; fixed: ${missing} missing, ${extra} extra, ${stale} stale`,
        })
      : await compare();
    printResult(verification, () => describeComparison(verification, repair), json);
    if (countDifferences(verification) > 0 && !repair) process.exitCode = 1;
  });
}

/** `status` */
export async function showStatus({ json }: JsonFlag): Promise<void> {
  await withReadyBackends(async ({ maintenance }) => {
    printResult(await maintenance.readStatus(new Date()), describeStatus, json);
  });
}

/** `dead-letters` */
export async function printDeadLetters({ json }: JsonFlag): Promise<void> {
  await withReadyBackends(async ({ maintenance }) => {
    const deadLetters = [];
    for await (const deadLetter of maintenance.readDeadLetters()) {
      if (json) deadLetters.push(deadLetter);
      else printJson(deadLetter);
    }
    if (json) printJson(deadLetters);
  });
}
