import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { makeDataFolder } from '#testing/embedded-store.ts';
import { madeCheckoutEvent, madeOrder } from '#testing/made-order.ts';
import { startService } from '#testing/processes.ts';
import { useFolder } from '#testing/use.ts';
import { daysAfter } from '#text/days.ts';

const pepper = 'a pepper of 32 characters or more';
const daysAgo = (days: number) => new Date(daysAfter(new Date(), -days));

describe('unpaid orders', () => {
  const folder = useFolder();

  // 90 days, as docs/purchase.md says.
  it('are purged by a service at its start, with events that match no order; paid and recent ones stay', async () => {
    const dataDir = join(folder, 'data');
    const madeAgo = (days: number) => madeOrder({ createdAt: daysAgo(days).toISOString() });
    const [old, young, paid] = [madeAgo(91), madeAgo(89), madeAgo(200)];
    await makeDataFolder(dataDir);
    const store = await openEmbedded(dataDir);
    for (const order of [old, young, paid]) await store.orders.save(order);
    await store.orders.receive(madeCheckoutEvent(paid), daysAgo(199));
    await store.orders.receive(madeCheckoutEvent(madeOrder()), daysAgo(91));
    await store.close();

    const service = await startService({ MASTHEAD_DATA_DIR: dataDir, KEY_PEPPER: pepper });
    await service.logs('purged unpaid orders');
    service.process.kill('SIGTERM');
    await service.ended;
    expect(service.stderr()).toMatch(/"orders":1,"events":1,"msg":"purged/);

    const after = await openEmbedded(dataDir);
    expect(await after.orders.find(old.id)).toBeNull();
    expect(await after.orders.find(young.id)).toEqual(young);
    expect(await after.orders.find(paid.id)).toMatchObject({ status: 'paid' });
    await after.close();
  });
});
