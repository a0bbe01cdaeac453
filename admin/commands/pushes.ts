import type { Command } from 'commander';
import { type JsonFlag, readNumber } from '#src/command-line/command-line.ts';
import { printRows } from '#src/command-line/output.ts';
import { withStores } from '../open-stores.ts';

export function addTo(program: Command): void {
  program
    .command('pushes')
    .description('list what was pushed to outbound tools')
    .command('list')
    .description('list the latest pushes, newest first: by which key, where to, and the result')
    .option('--limit <count>', 'how many', readNumber(1), 20)
    .action(listPushes);
}

async function listPushes({ limit, json }: JsonFlag & { limit: number }): Promise<void> {
  await withStores(async ({ pushes }) => {
    const rows = (await pushes.list({ limit })).map(
      ({ id, keyPrefix, tool, campaignId, status, counts, failure, startedAt }) => ({
        id,
        started_at: startedAt,
        key_prefix: keyPrefix,
        tool,
        campaign_id: campaignId,
        status,
        ...counts,
        failure: failure && `${failure.code}: ${failure.detail}`,
      }),
    );
    printRows(rows, 'Nothing was pushed so far.', json);
  });
}
