import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectCluster } from '#backends/elasticsearch/connect-elasticsearch.ts';
import { openScan } from '#backends/elasticsearch/open-scan.ts';
import { engines } from '#testing/engines.ts';
import { openProduction, type Production } from '#testing/open-production.ts';

const { mongodb, elasticsearch } = engines;

describe.skipIf(!mongodb || !elasticsearch)('a scan in Elasticsearch', () => {
  let production: Production;
  beforeAll(async () => {
    production = await openProduction({ mongodb: mongodb ?? '', elasticsearch: elasticsearch ?? '' });
    await production.reindex();
  });
  afterAll(() => production.close());

  it('renews its point in time while its reader is slow, until it is closed', async () => {
    const cluster = connectCluster({ nodes: (elasticsearch ?? '').split(',') });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const search = vi.spyOn(cluster.client, 'search');
      const scan = await openScan(cluster, production.alias, { text: null, filters: [] });
      const asked = search.mock.calls.length;
      // The engine keeps it for two minutes.
      vi.advanceTimersByTime(100_000);
      expect(search.mock.calls.length).toBe(asked + 2);
      expect(search.mock.lastCall?.[0]).toMatchObject({ size: 0, pit: { keep_alive: '2m' } });
      await scan.close();
      vi.advanceTimersByTime(100_000);
      expect(search.mock.calls.length).toBe(asked + 2);
    } finally {
      vi.useRealTimers();
      await cluster.client.close();
    }
  });
});
