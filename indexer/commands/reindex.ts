import { Command } from 'commander';
import { doAudited } from '../audited.ts';
import { createPhaseDisplay } from '../show-count.ts';
import { describeRebuild, describeRebuildForAudit } from '../upkeep/describe-upkeep.ts';
import { rebuildIndex } from '../upkeep/rebuild-index.ts';
import { withUpkeep } from './with-backends.ts';

export const reindexCommand = new Command('reindex')
  .description('build the search index anew from the records; exit 0 only when every record is in')
  .option('--allow-shrink', 'publish it though it holds much less than the one that is searched now')
  .option('--json', 'print the outcome as JSON, and nothing else')
  .action(async ({ allowShrink = false, json = false }: { allowShrink?: boolean; json?: boolean }) => {
    await withUpkeep(async (upkeep, { auditor }) => {
      const display = createPhaseDisplay(await upkeep.source.count(), json);
      const summary = await doAudited(auditor, {
        action: 'reindex',
        subjects: ['search index'],
        work: () => rebuildIndex(upkeep, { allowsShrink: allowShrink, onProgress: display.show }).finally(display.stop),
        describe: describeRebuildForAudit,
      });
      console.log(json ? JSON.stringify(summary) : describeRebuild(summary));
      if (summary.deadLetters === 0) return;
      console.error(
        `masthead: ${summary.deadLetters} ${summary.deadLetters === 1 ? 'record' : 'records'} could not be indexed. To see why: npm run indexer -- dead-letters`,
      );
      process.exitCode = 1;
    });
  });
