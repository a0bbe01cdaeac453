import { Command } from 'commander';
import { showKey } from '#domain/suppression.ts';
import { printTable } from '#src/print-table.ts';
import { withBackends } from './with-backends.ts';

export const suppressionsCommand = new Command('suppressions')
  .description('print what is suppressed, oldest first; of an address the beginning of its hash')
  .option('--json', 'as one JSON array')
  .action(async ({ json = false }: { json?: boolean }) => {
    await withBackends(async ({ suppressions }) => {
      const rows = (await suppressions.list()).map(({ key, reason, addedAt }) => ({
        ...showKey(key),
        reason,
        added_at: addedAt,
      }));
      if (json) console.log(JSON.stringify(rows, null, 2));
      else printTable(rows, 'Nothing is suppressed.');
    });
  });
