import { describeRebuild, describeRebuildForAudit } from '#src/syncing/describe-index.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { print, printError, printJson } from '../command-line.ts';
import { countRecords, createProgressDisplay } from '../progress.ts';
import { withIndex } from './with-backends.ts';

export interface ReindexFlags {
  allowShrink?: boolean;
  json?: boolean;
}

/** `reindex` */
export async function runReindex({ allowShrink = false, json = false }: ReindexFlags): Promise<void> {
  await withIndex(async ({ maintenance, records }, { auditor }) => {
    const display = createProgressDisplay(json);
    const onProgress = countRecords(display, await records.count());
    const summary = await doAudited(auditor, {
      action: 'reindex',
      subjects: ['search index'],
      work: () => maintenance.rebuild({ allowsShrink: allowShrink, onProgress }).finally(display.stop),
      describe: describeRebuildForAudit,
    });
    if (json) printJson(summary);
    else print(describeRebuild(summary));
    if (summary.deadLetters === 0) return;
    printError(
      `masthead: ${summary.deadLetters} ${summary.deadLetters === 1 ? 'record' : 'records'} could not be indexed. To see why: npm run indexer -- dead-letters`,
    );
    process.exitCode = 1;
  });
}
