import { describe, expect, it } from 'vitest';
import { claimKey } from '#accounts/change-order.ts';
import type { MongoStore } from '#backends/mongo/open-mongo.ts';
import { engines } from '#testing/engines.ts';
import { madeCheckoutEvent, madeKey, madeOrder, madePaymentEvent } from '#testing/made-order.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { useEach } from '#testing/use.ts';

const url = engines.mongodb;
const now = new Date('2026-03-01T10:06:00.000Z');

describe.skipIf(url === null)('keys and orders in MongoDB with several processes', () => {
  const database = useEach(() => newTestDatabase(url ?? ''));

  /** A paid order, its key claimed. */
  async function claimedOrder(store: MongoStore) {
    const order = madeOrder();
    const key = madeKey();
    await store.orders.save(order);
    await store.orders.receive(madeCheckoutEvent(order), now);
    await store.orders.change(order.id, (found) => claimKey(found, key, now));
    return { order, key };
  }

  it('a refund revokes a key at once in this process, and soon where it is cached', async () => {
    const [here, there] = [await database.open(), await database.open()];
    const { order, key } = await claimedOrder(here);
    const isEnded = async (store: MongoStore) => (await store.keys.findByHash(key.hash))?.revokedAt != null;
    expect([await isEnded(here), await isEnded(there)]).toEqual([false, false]);

    await here.orders.receive(madePaymentEvent('refunded', `pi_${order.id}`), now);
    expect(await isEnded(here)).toBe(true);
    expect((await there.keys.find(key.hash))?.revokedAt).not.toBeNull();
    await expect.poll(() => isEnded(there)).toBe(true);
  });
});
