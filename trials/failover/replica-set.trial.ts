import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredKey } from '../../src/accounts/stored-key.ts';
import { type MongoStore, openMongo } from '../../src/backends/mongo/open-mongo.ts';
import { jobTimeoutMs } from '../../src/start/open-backends.ts';
import type { EngineCluster } from '../../test/support/engines/engine.ts';
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

  it('accepts no key while there is no primary, and every key again afterwards', async () => {
    const key = madeKey('used');
    await store.keys.save(key);
    // Another process, with the timeout of a request.
    const other = await openMongo({ uri: cluster.url, logLine: () => {} });
    const [, ...lost] = cluster.nodes;
    await Promise.all(lost.map((node) => node.kill()));
    await expect.poll(() => other.keys.findByHash(key.hash).catch(({ code }) => code)).toBe('store_unavailable');
    expect(await other.keys.isReady()).toBe(false);
    await Promise.all(lost.map((node) => node.start()));
    await expect.poll(() => other.keys.findByHash(key.hash).catch(() => null)).toEqual(key);
    await other.close();
  });
});

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
