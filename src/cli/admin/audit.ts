import { printJson } from '../command-line.ts';
import { printTable } from '../print-table.ts';
import { withStores } from './with-stores.ts';

/** Number of audit log entries to print. */
const maxEntries = 1_000;

/** `audit` */
export async function showAudit(json: boolean): Promise<void> {
  await withStores(async ({ audit }) => {
    const entries = await audit.list(maxEntries);
    if (json) printJson(entries);
    else printTable(entries, 'The audit log is empty.');
  });
}
