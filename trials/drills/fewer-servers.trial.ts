import { Client } from '@elastic/elasticsearch';
import { afterAll, describe, expect, it } from 'vitest';
import { issueKey } from '../../src/accounts/keys.ts';
import { openElasticsearch } from '../../src/backends/elasticsearch/open-elasticsearch.ts';
import { openMongo } from '../../src/backends/mongo/open-mongo.ts';
import { jobTimeoutMs } from '../../src/start/open-backends.ts';
import type { EngineCluster } from '../../test/support/engines/engine.ts';
import { findPrimary } from '../../test/support/engines/probe-engine.ts';
import { startOwnCluster } from '../../test/support/engines/start-engine.ts';
import { madeRecord } from '../../test/support/made-record.ts';

const [replicaSet, twoNodes] = await Promise.all([startOwnCluster('mongodb', 3), startOwnCluster('elasticsearch', 2)]);
afterAll(() => Promise.all([replicaSet?.stop(), twoNodes?.stop()]));

describe.skipIf(replicaSet === null)('a replica set that loses servers', () => {
  const { url, nodes } = replicaSet as EngineCluster;

  it('finishes an import while another server becomes primary', async () => {
    const { records, whenPrepared, close } = await openMongo({ uri: url, logLine: () => {}, timeoutMs: jobTimeoutMs });
    await whenPrepared();
    const batches = Array.from({ length: 3 }, (_, batch) => [madeRecord({ id: `record-${batch}` })]);
    await records.merge(batches[0] ?? []);
    const primary = await findPrimary(nodes);
    await primary.kill();
    for (const batch of batches.slice(1)) await records.merge(batch);
    expect(await records.count()).toBe(3);
    await primary.start();
    await close();
  });

  it('accepts no key while there is no primary, and every key again afterwards', async () => {
    const { keys, audit, close } = await openMongo({ uri: url, logLine: () => {} });
    const grant = { tier: 'pro', days: 30, email: null };
    const { stored } = await issueKey({ keys, audit, operator: 'trial' }, 'p'.repeat(32), grant, new Date());
    const [, ...lost] = nodes;
    await Promise.all(lost.map((node) => node.kill()));
    await expect.poll(() => keys.findByHash(stored.hash).catch(({ code }) => code)).toBe('store_unavailable');
    expect(await keys.isReady()).toBe(false);
    await Promise.all(lost.map((node) => node.start()));
    await expect.poll(() => keys.findByHash(stored.hash).catch(() => null)).toEqual(stored);
    await close();
  });
});

describe.skipIf(twoNodes === null)('a new index in a cluster of two nodes', () => {
  it('is on both before it is live', async () => {
    const nodes = twoNodes?.nodes.map(({ url }) => url) ?? [];
    const { generations, close } = await openElasticsearch({
      address: { nodes },
      alias: 'masthead-two-nodes',
      layout: { shards: 2, replicas: '1' },
      logLine: () => {},
    });
    const index = await generations.create(new Date());
    const records = Array.from({ length: 50 }, (_, place) => madeRecord({ id: `id-${place}` }));
    await generations.write(
      index,
      records.map((record) => generations.prepare({ id: record.id, version: 1n, record })),
    );
    await generations.finish(index);
    await generations.publish(index);
    const client = new Client({ node: nodes[0] ?? '' });
    expect((await client.cluster.health({ index })).status).toBe('green');
    await client.close();
    await close();
  });
});
