import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';

import { newPushId, noCounts, type Push } from '#outbound/push.ts';
import { purgeOrders, purgePushes, pushLogDays, unpaidDays } from '#src/start/purge.ts';
import { startService } from '#testing/run-service.ts';
import { madeCheckoutEvent, madeOrder } from '../made-order.ts';

const dayMs = 24 * 60 * 60 * 1000;
const pepper = 'a pepper of 32 characters or more';
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

describe('the push log', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'masthead-purge-'));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  it('keeps a push for the days documented in docs/exports.md', async () => {
    expect(pushLogDays).toBe(90);
    const cutoffs: Date[] = [];
    const pushes = {
      purge: async (before: Date) => {
        cutoffs.push(before);
        return 0;
      },
    };
    await purgePushes(pushes, new Date('2026-11-21T12:00:00.000Z'));
    expect(cutoffs).toEqual([new Date('2026-08-23T12:00:00.000Z')]);
  });

  it('is purged by a service at its start', async () => {
    const [old, young] = [91, 89].map((days): Push => {
      const at = daysAgo(days).toISOString();
      const whose = { keyHash: 'h', keyPrefix: 'mh_12345678', tool: 'instantly', campaignId: 'c' } as const;
      const end = { status: 'done', counts: noCounts, details: {}, failure: null } as const;
      return { id: newPushId(), ...whose, ...end, startedAt: at, updatedAt: at };
    }) as [Push, Push];
    const store = await openEmbedded({ dataDir, logLine: () => {} });
    for (const push of [old, young]) await store.pushes.save(push);
    await store.close();

    const service = await startService({ MASTHEAD_DATA_DIR: dataDir, KEY_PEPPER: pepper });
    await service.logs('purged old entries of the push log');
    service.process.kill('SIGTERM');
    await service.ended;
    expect(service.stderr()).toContain('"pushes":1,"msg":"purged');

    const after = await openEmbedded({ dataDir, logLine: () => {} });
    expect(await after.pushes.list(10)).toEqual([young]);
    await after.close();
  });
});

describe('unpaid orders', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masthead-purge-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are kept for the days documented in docs/purchase.md', async () => {
    expect(unpaidDays).toBe(90);
    const cutoffs: Date[] = [];
    const orders = {
      purge: async (before: Date) => {
        cutoffs.push(before);
        return { orders: 0, events: 0 };
      },
    };
    await purgeOrders(orders, new Date('2026-11-21T12:00:00.000Z'));
    expect(cutoffs).toEqual([new Date('2026-08-23T12:00:00.000Z')]);
  });

  it('are purged by a service at its start, with events that match no order; paid and recent ones stay', async () => {
    const dataDir = join(folder, 'data');
    const madeAgo = (days: number) => madeOrder({ createdAt: daysAgo(days).toISOString() });
    const [old, young, paid] = [madeAgo(91), madeAgo(89), madeAgo(200)];
    const store = await openEmbedded({ dataDir, logLine: () => {} });
    for (const order of [old, young, paid]) await store.orders.save(order, null);
    await store.orders.receive(madeCheckoutEvent(paid), daysAgo(199));
    await store.orders.receive(madeCheckoutEvent(madeOrder()), daysAgo(91));
    await store.close();

    const service = await startService({ MASTHEAD_DATA_DIR: dataDir, KEY_PEPPER: pepper });
    await service.logs('purged unpaid orders');
    service.process.kill('SIGTERM');
    await service.ended;
    expect(service.stderr()).toMatch(/"orders":1,"events":1,"msg":"purged/);

    const after = await openEmbedded({ dataDir, logLine: () => {} });
    expect(await after.orders.find(old.id)).toBeNull();
    expect(await after.orders.find(young.id)).toEqual(young);
    expect(await after.orders.find(paid.id)).toMatchObject({ status: 'paid' });
    await after.close();
  });
});
