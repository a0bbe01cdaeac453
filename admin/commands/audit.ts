import type { Command } from 'commander';
import type { JsonFlag } from '#src/command-line/command-line.ts';
import { printRows } from '#src/command-line/output.ts';
import { withStores } from '../open-stores.ts';

export function addTo(program: Command): void {
  program.command('audit').description('show the audit log, newest first').action(showAudit);
}

const maxEntries = 1_000;

async function showAudit({ json }: JsonFlag): Promise<void> {
  await withStores(async ({ audit }) => printRows(await audit.list(maxEntries), 'The audit log is empty.', json));
}
