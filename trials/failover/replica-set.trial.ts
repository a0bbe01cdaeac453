import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MongoStore, openMongo } from '../../src/backends/mongo/open-mongo.ts';
import type { StoredKey } from '../../src/domain/plans/stored-key.ts';
import { jobPatienceMs } from '../../src/start/open-backends.ts';
import type { Engine, EngineCluster } from '../../testing/engines/engine.ts';
import { findPrimary } from '../../testing/engines/find-primary.ts';
import { startOwnCluster } from '../../testing/engines/own-engine.ts';
import { madeRecord } from '../../testing/made-record.ts';

const started = await startOwnCluster('mongodb', 3);

describe.skipIf(started === null)('a replica set that loses servers', () => {
  const cluster = started as EngineCluster;
  let store: MongoStore;
  beforeAll(async () => {
    store = await openMongo({ uri: cluster.url, say: () => {}, patienceMs: jobPatienceMs });
    await store.whenPrepared();
  });
  afterAll(async () => {
    await store.close();
    await cluster.stop();
  });

  it('finishes an import while another server becomes primary', async () => {
    const batches = Array.from({ length: 3 }, (_, batch) => [madeRecord({ id: `record-${batch}` })]);
    await store.records.merge(batches[0] ?? []);
    const primary = await findPrimary(cluster.nodes);
    await primary.kill();
    for (const batch of batches.slice(1)) await store.records.merge(batch);
    expect(await store.records.count()).toBe(3);
    await primary.start();
  });

  it('still knows every key and is ready while no server is primary, and answers for no key that it may not know yet', async () => {
    const key: StoredKey = {
      hash: 'known',
      prefix: 'mh_AbCdEfGh',
      plan: { tier: 'pro', expiresAt: '2030-01-01T00:00:00.000Z' },
      email: null,
      orderId: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      revokedAt: null,
    };
    await store.keys.save(key);
    // A process that has not asked for the key before, with the patience of a request.
    const other = await openMongo({ uri: cluster.url, say: () => {} });
    const primary = await findPrimary(cluster.nodes);
    const [left] = cluster.nodes.filter((node) => node !== primary);
    // A confirmed write is on two of the three servers, and on the third one a little later.
    await expect.poll(() => holdsKey(left as Engine, key.hash)).toBe(true);
    await Promise.all(cluster.nodes.filter((node) => node !== left).map((node) => node.kill()));

    await expect.poll(() => other.keys.findByHash(key.hash).catch(() => null)).toEqual(key);
    await expect.poll(() => other.keys.isReady()).toBe(true);
    await expect(other.keys.findByHash('unknown')).rejects.toMatchObject({ code: 'store_unavailable' });
    await left?.kill();
    await expect(other.keys.findByHash('unknown')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await other.keys.isReady()).toBe(false);
    await other.close();
  });
});

async function holdsKey({ url }: Engine, hash: string): Promise<boolean> {
  const client = new MongoClient(url, { readConcern: { level: 'majority' } });
  try {
    return (await client.db('masthead').collection<{ _id: string }>('api_keys').findOne({ _id: hash })) !== null;
  } finally {
    await client.close();
  }
}
