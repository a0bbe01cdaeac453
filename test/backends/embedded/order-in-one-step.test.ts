import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { claimKey } from '#accounts/change-order.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { madeCheckoutEvent, madeKey, madeOrder } from '#testing/made-order.ts';
import { useEach } from '#testing/use.ts';

const now = new Date('2026-03-01T10:06:00.000Z');

/* A store that cannot write one part of a change, as when a disk fills up midway. */
describe('an order in the embedded store, if one part of a write fails', () => {
  const store = useEach(openEmbeddedForTest);
  const intruder = useEach(() => new DatabaseSync(join(store.stored.dataDir, 'masthead.db')));

  it('issues no key for a claim that the order does not store, and can be claimed afterwards', async () => {
    const order = madeOrder();
    await store.orders.save(order);
    await store.orders.receive(madeCheckoutEvent(order), now);
    const key = madeKey();
    const claim = () => store.orders.change(order.id, (found) => claimKey(found, key, now));
    intruder.exec(`
      CREATE TRIGGER refuse_claims BEFORE UPDATE ON orders WHEN NEW.body ->> 'keyHash' IS NOT NULL
      BEGIN SELECT RAISE(FAIL, 'no room'); END`);
    await expect(claim()).rejects.toThrow();
    expect(await store.keys.findByHash(key.hash)).toBeNull();
    expect(await store.orders.find(order.id)).toMatchObject({ status: 'paid', keyHash: null, keyClaimedAt: null });

    intruder.exec('DROP TRIGGER refuse_claims');
    expect(await claim()).toMatchObject({ isChanged: true });
    expect(await store.keys.findByHash(key.hash)).toMatchObject({ orderId: order.id });
  });

  it('handles an event again if the order did not store its effect', async () => {
    const order = madeOrder();
    await store.orders.save(order);
    const paid = madeCheckoutEvent(order);
    intruder.exec(`
      CREATE TRIGGER refuse_payments BEFORE UPDATE ON orders WHEN NEW.body ->> 'status' = 'paid'
      BEGIN SELECT RAISE(FAIL, 'no room'); END`);
    await expect(store.orders.receive(paid, now)).rejects.toThrow();
    intruder.exec('DROP TRIGGER refuse_payments');
    expect(await store.orders.receive(paid, now)).toBe('handled');
    expect(await store.orders.find(order.id)).toMatchObject({ status: 'paid' });
  });
});
