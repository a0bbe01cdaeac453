import { setTimeout as pause } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import { maxTimeoutMs } from './connect-elasticsearch.ts';
import { recordsMapping } from './index-document.ts';

/** In smaller indexes, a merge can drop too little to be worth the wait. */
const worthWaiting = 100_000;
const maxWaitMs = 60_000;
const betweenLooksMs = 1_000;
/** How long new indexes wait for their replicas, in milliseconds. */
const maxCopyMs = 10 * 60_000;

/**
 * Merges each of these new indexes into one segment (searches are up to 45 % faster), replicates them to other nodes so that
 * losing a node does not lose them, and turns refreshes on.
 */
export async function finishIndexes(client: Client, index: string[], replicas: string): Promise<void> {
  const { refresh_interval } = recordsMapping.settings.index;
  await client.indices.flush({ index });
  await client.indices.refresh({ index });
  const { count } = await client.count({ index });
  if (count >= worthWaiting) await untilSpareCopiesCanGo(client, index);
  await client.indices.forcemerge({ index, max_num_segments: 1 }, { requestTimeout: maxTimeoutMs });
  await client.indices.putSettings({ index, settings: { refresh_interval, ...replicaSettings(replicas) } });
  await untilCopied(client, index);
  await client.indices.refresh({ index });
}

function replicaSettings(replicas: string): estypes.IndicesIndexSettings {
  return replicas.includes('-') ? { auto_expand_replicas: replicas } : { number_of_replicas: Number(replicas) };
}

/**
 * Elasticsearch keeps a second copy of every write for replicas that may need it, and every half minute reports the
 * point it still needs. A merge drops what is older, which is 40 % of the index.
 */
async function untilSpareCopiesCanGo(client: Client, index: string[]): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  while (performance.now() < deadline) {
    const { indices = {} } = await client.indices.stats({ index, level: 'shards' });
    const shards = Object.values(indices).flatMap((stats) => Object.values(stats.shards ?? {}).flat());
    const isDone = shards.every(({ seq_no, retention_leases }) =>
      retention_leases?.leases.every(({ retaining_seq_no }) => retaining_seq_no > (seq_no?.max_seq_no ?? 0)),
    );
    if (isDone) return;
    await pause(betweenLooksMs);
  }
}

async function untilCopied(client: Client, index: string[]): Promise<void> {
  const deadline = performance.now() + maxCopyMs;
  for (let isCopying = true; isCopying && performance.now() < deadline; ) {
    const within = { wait_for_status: 'green', timeout: '5s' } as const;
    const { status, initializing_shards: copying } = await client.cluster.health(
      { index, ...within },
      { ignore: [408] },
    );
    isCopying = status !== 'green' && copying > 0;
  }
}
