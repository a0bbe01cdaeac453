import { Command } from 'commander';
import { describeStatus } from '../upkeep/describe-upkeep.ts';
import { readStatus } from '../upkeep/read-status.ts';
import { withUpkeep } from './with-backends.ts';

export const statusCommand = new Command('status')
  .description('say what is searched, how far it is behind the records, and who works on it')
  .option('--json', 'print it as JSON')
  .action(async ({ json = false }: { json?: boolean }) => {
    await withUpkeep(async (upkeep, { followsItself }) => {
      const status = await readStatus(upkeep, { followsItself, now: new Date() });
      console.log(json ? JSON.stringify(status, null, 2) : describeStatus(status));
    });
  });
