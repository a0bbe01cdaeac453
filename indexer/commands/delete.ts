import { Command } from 'commander';
import { deleteRecords, describeDeletion } from '../delete-records.ts';
import { hideDeleted } from '../suppress/hide-records.ts';
import { withBackends } from './with-backends.ts';

export const deleteCommand = new Command('delete')
  .description('remove records, at once also from searches; exit 0 only when all were there')
  .argument('<id...>', 'ids of records')
  .option('--json', 'print the outcome as JSON')
  .action(async (ids: string[], { json = false }: { json?: boolean }) => {
    await withBackends(async ({ records, upkeep, whenPrepared }) => {
      await whenPrepared();
      const deletion = await deleteRecords(records, ids);
      // Those that are unknown may have been deleted by a run that was cut off.
      await hideDeleted(upkeep, [...deletion.deleted, ...deletion.unknown]);
      console.log(json ? JSON.stringify(deletion, null, 2) : describeDeletion(deletion));
      if (deletion.unknown.length > 0) process.exitCode = 1;
    });
  });
