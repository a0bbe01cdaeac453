import { showKey } from '#domain/suppression.ts';
import { printJson } from '../command-line.ts';
import { printTable } from '../print-table.ts';
import { withBackends } from './with-backends.ts';

/** `suppressions` */
export async function listSuppressions(json: boolean): Promise<void> {
  await withBackends(async ({ suppressions }) => {
    const rows = (await suppressions.list()).map(({ key, reason, addedAt }) => ({
      ...showKey(key),
      reason,
      added_at: addedAt,
    }));
    if (json) printJson(rows);
    else printTable(rows, 'Nothing is suppressed.');
  });
}
