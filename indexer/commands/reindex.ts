import { Command } from 'commander';
import { createPhaseDisplay } from '../show-count.ts';
import { describeRebuild } from '../upkeep/describe-upkeep.ts';
import { rebuildIndex } from '../upkeep/rebuild-index.ts';
import { withUpkeep } from './with-backends.ts';

export const reindexCommand = new Command('reindex')
  .description('build the search index anew from the records; exit 0 only when every record is in')
  .option('--allow-shrink', 'publish it though it holds much less than the one that is searched now')
  .option('--json', 'print the outcome as JSON, and nothing else')
  .action(async ({ allowShrink = false, json = false }: { allowShrink?: boolean; json?: boolean }) => {
    await withUpkeep(async (upkeep) => {
      const display = createPhaseDisplay(await upkeep.source.count(), json);
      const summary = await rebuildIndex(upkeep, { allowsShrink: allowShrink, onProgress: display.show }).finally(
        display.stop,
      );
      console.log(json ? JSON.stringify(summary) : describeRebuild(summary));
      if (summary.deadLetters > 0) process.exitCode = 1;
    });
  });
