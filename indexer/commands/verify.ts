import { Command } from 'commander';
import { doAudited } from '../audited.ts';
import { createPhaseDisplay } from '../show-count.ts';
import { describeComparison } from '../upkeep/describe-upkeep.ts';
import { countDifferences } from '../upkeep/repair-index.ts';
import { verifyIndex } from '../upkeep/verify-index.ts';
import { withUpkeep } from './with-backends.ts';

export const verifyCommand = new Command('verify')
  .description('compare the search index with the records, completely; exit 0 only when they are the same in the end')
  .option('--repair', 'write anew what differs')
  .option('--json', 'print the outcome as JSON, and nothing else')
  .action(async ({ repair = false, json = false }: { repair?: boolean; json?: boolean }) => {
    await withUpkeep(async (upkeep, { auditor }) => {
      const display = createPhaseDisplay(await upkeep.source.count(), json);
      const onProgress = (done: number) => display.show('comparing', done);
      const compare = () => verifyIndex(upkeep, { repairs: repair, onProgress }).finally(display.stop);
      const verification = repair
        ? await doAudited(auditor, {
            action: 'repair',
            subjects: ['search index'],
            work: compare,
            describe: ({ index, compared, missing, extra, stale }) =>
              `${index}: ${compared} compared; written again: ${missing} missing, ${extra} extra, ${stale} stale`,
          })
        : await compare();
      console.log(json ? JSON.stringify(verification) : describeComparison(verification, repair));
      if (countDifferences(verification) > 0 && !repair) process.exitCode = 1;
    });
  });
