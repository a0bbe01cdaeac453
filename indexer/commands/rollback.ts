import type { Command } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { withReadyBackends } from '#indexer/open-indexer.ts';
import type { RollbackSummary } from '#search/indexed/index-maintenance.ts';
import { type JsonFlag, printResult } from '#src/command-line/command-line.ts';

export function addTo(program: Command): void {
  program
    .command('rollback')
    .description('bring the previous index up to date and make it live again')
    .option('--to <index>', 'another kept index; `status` lists them')
    .action(rollBack);
}

async function rollBack({ to, json }: JsonFlag & { to?: string }): Promise<void> {
  await withReadyBackends(async (backends) => {
    const summary = await doAudited(backends, {
      action: 'rollback',
      subjects: [to ?? 'to the previous index'],
      work: () => backends.maintenance.rollBack(to ?? null),
      describe: describeRollback,
    });
    printResult(summary, describeRollback, json);
  });
}

function describeRollback({ index, replaced }: RollbackSummary): string {
  return `${index} is live now. It replaces ${replaced}.`;
}
