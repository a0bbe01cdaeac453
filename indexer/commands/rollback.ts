import { Command } from 'commander';
import { doAudited } from '../audited.ts';
import { type RollbackSummary, rollBack } from '../upkeep/roll-back.ts';
import { withUpkeep } from './with-backends.ts';

export const rollbackCommand = new Command('rollback')
  .description('search the index again that was searched before the last reindex, brought up to date')
  .option('--to <index>', 'another one of those that are kept; status names them')
  .option('--json', 'print the outcome as JSON, and nothing else')
  .action(async ({ to, json = false }: { to?: string; json?: boolean }) => {
    await withUpkeep(async (upkeep, { auditor }) => {
      const summary = await doAudited(auditor, {
        action: 'rollback',
        subjects: [to ?? 'to the index before'],
        work: () => rollBack(upkeep, to ?? null),
        describe,
      });
      console.log(json ? JSON.stringify(summary) : describe(summary));
    });
  });

function describe({ index, replaced }: RollbackSummary): string {
  return `${index} is searched now, in the place of ${replaced}.`;
}
