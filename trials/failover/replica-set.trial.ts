import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { StoredKey } from '../../src/accounts/stored-key.ts';
import type { KeyDocument } from '../../src/backends/mongo/mongo-key-store.ts';
import { type MongoStore, openMongo } from '../../src/backends/mongo/open-mongo.ts';
import { jobTimeoutMs } from '../../src/start/open-backends.ts';
import type { Engine, EngineCluster } from '../../test/support/engines/engine.ts';
import { findPrimary } from '../../test/support/engines/find-primary.ts';
import { startOwnCluster } from '../../test/support/engines/own-engine.ts';
import { madeRecord } from '../../test/support/made-record.ts';

const started = await startOwnCluster('mongodb', 3);

describe.skipIf(started === null)('a replica set that loses servers', () => {
  const cluster = started as EngineCluster;
  let store: MongoStore;
  beforeAll(async () => {
    store = await openMongo({ uri: cluster.url, logLine: () => {}, timeoutMs: jobTimeoutMs });
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

  it('still accepts keys in use while there is no primary, but no others, none that was revoked, and none for long', async () => {
    const [used, revoked, unused] = ['used', 'revoked', 'unused'].map(madeKey) as [StoredKey, StoredKey, StoredKey];
    for (const key of [used, revoked, unused]) await store.keys.save(key);
    // Another process, with the timeout of a request.
    const other = await openMongo({ uri: cluster.url, logLine: () => {} });
    const primary = await findPrimary(cluster.nodes);
    const [left] = cluster.nodes.filter((node) => node !== primary);
    for (const key of [used, revoked]) expect(await other.keys.findByHash(key.hash)).toEqual(key);
    const revokedAt = '2026-03-01T00:00:00.000Z';
    await store.keys.revoke(revoked.hash, new Date(revokedAt));
    // A confirmed write is on two of the three servers, and on the third one a little later.
    await expect.poll(async () => (await findKey(left as Engine, revoked.hash))?.revoked_at).toBe(revokedAt);
    await Promise.all(cluster.nodes.filter((node) => node !== left).map((node) => node.kill()));

    // Not from memory alone, which ends after three seconds.
    const clock = vi.spyOn(performance, 'now');
    const laterBy = (ms: number) => clock.mockImplementation(() => realNow() + ms);
    laterBy(4_000);
    await expect.poll(() => other.keys.findByHash(used.hash).catch(() => null)).toEqual(used);
    await expect.poll(() => other.keys.findByHash(revoked.hash)).toEqual({ ...revoked, revokedAt });
    await expect(other.keys.findByHash(unused.hash)).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect.poll(() => other.keys.isReady()).toBe(true);
    laterBy(34_000);
    await expect(other.keys.findByHash(used.hash)).rejects.toMatchObject({ code: 'store_unavailable' });
    laterBy(4_000);
    expect(await other.keys.findByHash(used.hash)).toEqual(used);

    await left?.kill();
    await expect.poll(() => other.keys.findByHash(used.hash).catch(({ code }) => code)).toBe('store_unavailable');
    expect(await other.keys.isReady()).toBe(false);
    clock.mockRestore();
    await other.close();
  });
});

const realNow = performance.now.bind(performance);

function madeKey(hash: string): StoredKey {
  return {
    hash,
    prefix: 'mh_AbCdEfGh',
    plan: { tier: 'pro', expiresAt: '2030-01-01T00:00:00.000Z' },
    email: null,
    orderId: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    revokedAt: null,
  };
}

async function findKey({ url }: Engine, hash: string): Promise<KeyDocument | null> {
  const client = new MongoClient(url);
  try {
    return await client.db('masthead').collection<KeyDocument>('api_keys').findOne({ _id: hash });
  } finally {
    await client.close();
  }
}
