import { Command } from 'commander';
import { rollBack } from '../upkeep/roll-back.ts';
import { withUpkeep } from './with-backends.ts';

export const rollbackCommand = new Command('rollback')
  .description('search the index again that was searched before the last reindex, brought up to date')
  .option('--to <index>', 'another one of those that are kept; status names them')
  .option('--json', 'print the outcome as JSON, and nothing else')
  .action(async ({ to, json = false }: { to?: string; json?: boolean }) => {
    await withUpkeep(async (upkeep) => {
      const summary = await rollBack(upkeep, to ?? null);
      console.log(
        json ? JSON.stringify(summary) : `${summary.index} is searched now, in the place of ${summary.replaced}.`,
      );
    });
  });
