import { Client } from '@elastic/elasticsearch';
import { afterAll, describe, expect, it } from 'vitest';
import { openElasticsearch } from '../../src/backends/elasticsearch/open-elasticsearch.ts';
import { startOwnCluster } from '../../test/support/engines/own-engine.ts';
import { madeRecord } from '../../test/support/made-record.ts';

const cluster = await startOwnCluster('elasticsearch', 2);
afterAll(() => cluster?.stop());

describe.skipIf(cluster === null)('a new index in a cluster of two nodes', () => {
  const nodes = cluster?.nodes.map(({ url }) => url) ?? [];

  it('is on both before it is live', async () => {
    const { generations, close } = await openElasticsearch({
      address: { nodes },
      alias: 'masthead-two-nodes',
      layout: { shards: 2, replicas: '1' },
      logLine: () => {},
    });
    const index = await generations.create(new Date());
    const changes = Array.from({ length: 50 }, (_, place) => madeRecord({ id: `id-${place}` })).map((record) =>
      generations.prepare({ id: record.id, version: 1n, record }),
    );
    await generations.write(index, changes);
    await generations.finish(index);
    await generations.publish(index);
    const client = new Client({ node: nodes[0] ?? '' });
    expect((await client.cluster.health({ index })).status).toBe('green');
    await client.close();
    await close();
  });
});
