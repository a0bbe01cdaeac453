import { Command } from 'commander';
import { doAudited } from '../audited.ts';
import { deleteRecords } from '../delete-records.ts';
import { hideDeleted } from '../suppress/hide-records.ts';
import { letterId } from '../upkeep/generation-writer.ts';
import { withBackends } from './with-backends.ts';

export const deleteCommand = new Command('delete')
  .description('remove records, at once also from searches; exit 0 only when all were there')
  .argument('<id...>', 'ids of records')
  .option('--json', 'print the outcome as JSON')
  .action(async (ids: string[], { json = false }: { json?: boolean }) => {
    await withBackends(async ({ records, upkeep, whenPrepared }, { auditor }) => {
      await whenPrepared();
      const deletion = await doAudited(auditor, {
        action: 'delete',
        subjects: ids.map((id) => `record ${letterId(id.trim())}`),
        describe: ({ deleted, unknown }) => `${deleted.length} deleted, ${unknown.length} unknown`,
        async work() {
          const done = await deleteRecords(records, ids);
          // Those that are unknown may have been deleted by a run that was cut off.
          await hideDeleted(upkeep, [...done.deleted, ...done.unknown]);
          return done;
        },
      });
      console.log(json ? JSON.stringify(deletion, null, 2) : describe(deletion.deleted.length));
      if (deletion.unknown.length === 0) return;
      console.error(`masthead: There is no record with the id ${deletion.unknown.join(', ')}.`);
      process.exitCode = 1;
    });
  });

function describe(deleted: number): string {
  return `${deleted} ${deleted === 1 ? 'record' : 'records'} deleted.`;
}
