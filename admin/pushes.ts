import type { JsonFlag } from '#src/command-line/command-line.ts';
import { printRows } from '#src/command-line/output.ts';
import { withStores } from './with-stores.ts';

/** `pushes list`: who pushed what, where to, and the result. */
export async function list({ limit, json }: JsonFlag & { limit: number }): Promise<void> {
  await withStores(async ({ pushes }) => {
    const rows = (await pushes.list(limit)).map(
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
