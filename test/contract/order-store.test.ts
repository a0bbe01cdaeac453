import { describe, expect, it } from 'vitest';
import { claimKey, replaceKey } from '#accounts/change-order.ts';
import type { Order, OrderFilter } from '#accounts/order.ts';
import { endKey, opens, rotateSecret } from '#accounts/stored-key.ts';
import { testStores } from '#testing/backends.ts';
import { madeCheckoutEvent, madeKey, madeOrder, madePaymentEvent } from '#testing/made-order.ts';
import { useOne } from '#testing/use.ts';
import { daysAfter } from '#text/days.ts';

const now = new Date('2026-03-01T10:06:00.000Z');

describe.each(testStores)('the order store, $name', ({ open }) => {
  const backend = useOne(open);

  async function saved(given: Partial<Order> = {}): Promise<Order> {
    const order = madeOrder(given);
    await backend.orders.save(order);
    return order;
  }

  const statusOf = async ({ id }: Order) => (await backend.orders.find(id))?.status;

  it('finds an order with everything that was saved, and nothing under another id', async () => {
    const order = await saved({ email: null, paymentReference: 'pi_found' });
    expect(await backend.orders.find(order.id)).toEqual(order);
    expect(await backend.orders.find('ord_unknown')).toBeNull();
    expect(await backend.orders.find('')).toBeNull();
  });

  it('lists the latest orders by buyer, status and day', async () => {
    const email = '$Ada+1@shop.example';
    const early = await saved({ email, createdAt: '2031-01-01T23:59:59.999Z' });
    const late = await saved({ email: email.toLowerCase(), createdAt: '2031-01-02T00:00:00.000Z' });
    const failed = await saved({ status: 'failed', createdAt: '2031-01-02T23:59:59.999Z' });
    const list = async (filter: OrderFilter, limit = 9) =>
      (await backend.orders.list(filter, limit)).map(({ id }) => id);
    expect(await list({}, 2)).toEqual([failed.id, late.id]);
    expect(await list({ email: '$ADA+1@shop.example' })).toEqual([late.id, early.id]);
    expect(await list({ day: '2031-01-02' })).toEqual([failed.id, late.id]);
    expect(await list({ day: '2031-01-02', status: 'pending' })).toEqual([late.id]);
    expect(await list({ email: 'nobody@shop.example' })).toEqual([]);
    expect(await backend.orders.list({ email }, 1)).toEqual([late]);
  });

  it('saves one order under an id, and gives it to everybody who saves another', async () => {
    const order = madeOrder();
    const twin = { ...order, checkoutUrl: 'https://pay.example/twin' };
    const both = await Promise.all([backend.orders.save(order), backend.orders.save(twin)]);
    expect(both[0]).toEqual(both[1]);
    expect(await backend.orders.find(order.id)).toEqual(both[0]);
  });

  it('gives the key of an order to exactly one of many simultaneous claims', async () => {
    const order = await saved();
    await backend.orders.receive(madeCheckoutEvent(order), now);
    const keys = Array.from({ length: 20 }, madeKey);
    const claims = await Promise.all(
      keys.map((key) => backend.orders.change(order.id, (found) => claimKey(found, key, now))),
    );
    expect(claims.filter((claim) => claim?.isChanged)).toHaveLength(1);
    const stored = await Promise.all(keys.map(({ hash }) => backend.keys.findByHash(hash)));
    const [key, ...others] = stored.filter((found) => found !== null);
    expect(others).toEqual([]);
    expect(key).toMatchObject({ orderId: order.id, plan: { tier: 'pro', expiresAt: '2026-03-31T10:05:00.000Z' } });
    expect((await backend.orders.find(order.id))?.keyHash).toBe(key?.hash);
    expect(new Set(claims.map((claim) => claim?.order.keyHash))).toEqual(new Set([key?.hash]));
  });

  it('writes neither order nor key if the key cannot be saved', async () => {
    const [first, second] = [await saved(), await saved()];
    const key = madeKey();
    for (const order of [first, second]) await backend.orders.receive(madeCheckoutEvent(order), now);
    await backend.orders.change(first.id, (order) => claimKey(order, key, now));
    const twice = backend.orders.change(second.id, (order) => claimKey(order, key, now));
    await expect(twice).rejects.toThrow();
    expect(await backend.orders.find(second.id)).toMatchObject({ keyHash: null, keyClaimedAt: null });
    expect(await backend.keys.findByHash(key.hash)).toMatchObject({ orderId: first.id });
  });

  it('handles an event once, however often it arrives, even simultaneously', async () => {
    const order = await saved();
    const event = madeCheckoutEvent(order);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => backend.orders.receive(event, now)));
    expect(outcomes.filter((outcome) => outcome === 'handled')).toHaveLength(1);
    expect(await backend.orders.receive({ ...event, effect: 'refunded' }, now)).toBe('repeated');
    expect(await statusOf(order)).toBe('paid');
  });

  it('holds a refund and a dispute that arrive before the payment, and applies them with it', async () => {
    const [refunded, disputed] = [await saved(), await saved()];
    const at = '2026-03-01T10:07:00.000Z';
    const early = [
      madePaymentEvent('refunded', `pi_${refunded.id}`, { at }),
      madePaymentEvent('disputed', `pi_${disputed.id}`, { at }),
    ];
    for (const event of early) {
      expect(await backend.orders.receive(event, now)).toBe('held');
      expect(await backend.orders.receive(event, now)).toBe('held');
    }
    await backend.orders.receive(madeCheckoutEvent(refunded), now);
    await backend.orders.receive(madeCheckoutEvent(disputed), now);
    expect(await backend.orders.find(refunded.id)).toMatchObject({
      status: 'refunded',
      refundedAt: '2026-03-01T10:07:00.000Z',
      paidAt: '2026-03-01T10:05:00.000Z',
    });
    expect(await backend.orders.find(disputed.id)).toMatchObject({
      status: 'paid',
      suspendedAt: '2026-03-01T10:07:00.000Z',
    });
    for (const event of early) expect(await backend.orders.receive(event, now)).toBe('repeated');
  });

  it('never loses a refund that arrives at the same time as its payment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const order = await saved();
      await Promise.all([
        backend.orders.receive(madeCheckoutEvent(order), now),
        backend.orders.receive(madePaymentEvent('refunded', `pi_${order.id}`), now),
      ]);
      expect(await statusOf(order)).toBe('refunded');
    }
  });

  it('holds an event that matches no order, and never mixes up those without a payment', async () => {
    expect(await backend.orders.receive(madeCheckoutEvent(madeOrder()), now)).toBe('held');
    const order = await saved();
    expect(await backend.orders.receive(madeCheckoutEvent(order, { payment: null }), now)).toBe('handled');
    expect(await statusOf(order)).toBe('paid');
    expect(await backend.orders.receive(madePaymentEvent('refunded', null), now)).toBe('held');
    expect(await statusOf(order)).toBe('paid');
  });

  it('holds what another checkout or payment says about an order, whatever it claims', async () => {
    const [order, other] = [await saved(), await saved()];
    const orderId = order.id;
    for (const effect of ['paid', 'expired', 'failed', 'none'] as const) {
      const foreign = madeCheckoutEvent(madeOrder(), { effect, orderId });
      expect(await backend.orders.receive(foreign, now), effect).toBe('held');
      expect(await backend.orders.receive(foreign, now), effect).toBe('held');
    }
    const cheap = madeCheckoutEvent({ ...order, price: 1 });
    expect(await backend.orders.receive(cheap, now)).toBe('held');
    expect(await backend.orders.find(orderId)).toEqual(order);

    await backend.orders.receive(madeCheckoutEvent(order), now);
    await backend.orders.receive(madeCheckoutEvent(other), now);
    const paid = await backend.orders.find(orderId);
    for (const payment of [`pi_${other.id}`, 'pi_elsewhere']) {
      await backend.orders.receive(madePaymentEvent('refunded', payment, { orderId }), now);
      await backend.orders.receive(madePaymentEvent('disputed', payment, { orderId }), now);
    }
    expect(await backend.orders.find(orderId)).toEqual(paid);
    expect(await statusOf(other)).toBe('refunded');
  });

  it('applies events of a checkout whose order is saved later, with those held for its payment', async () => {
    const order = madeOrder();
    const [paid, refunded] = [madeCheckoutEvent(order), madePaymentEvent('refunded', `pi_${order.id}`)];
    expect(await backend.orders.receive(refunded, now)).toBe('held');
    expect(await backend.orders.receive(paid, now)).toBe('held');
    await backend.orders.save(order);
    expect(await backend.orders.find(order.id)).toMatchObject({ status: 'refunded', paidAt: paid.at });
    for (const event of [paid, refunded]) expect(await backend.orders.receive(event, now)).toBe('repeated');
  });

  it('replaces the key of an order under the same identity, and ends its suspension', async () => {
    const order = await saved();
    const [first, second] = [madeKey(), madeKey()];
    await backend.orders.receive(madeCheckoutEvent(order), now);
    await backend.orders.change(order.id, (found) => claimKey(found, first, now));
    await backend.orders.receive(madePaymentEvent('disputed', `pi_${order.id}`), now);
    expect(await backend.keys.findByHash(first.hash)).toMatchObject({ revokedAt: now.toISOString() });

    const change = await backend.orders.change(order.id, (found) => replaceKey(found, second, now));
    expect(change).toMatchObject({ isChanged: true, order: { keyHash: first.hash, suspendedAt: null } });
    const key = await backend.keys.findByHash(second.hash);
    expect(key).toMatchObject({ hash: first.hash, prefix: second.prefix, revokedAt: null, orderId: order.id });
    expect(key && [opens(key, first.hash, now), opens(key, second.hash, now)]).toEqual([false, true]);

    await backend.orders.receive(madePaymentEvent('refunded', `pi_${order.id}`), now);
    expect((await backend.keys.findByHash(second.hash))?.revokedAt).not.toBeNull();
    const refunded = await backend.orders.change(order.id, (found) => replaceKey(found, madeKey(), now));
    expect(refunded?.isChanged).toBe(false);
  });

  describe('with orders that renew a key', () => {
    /** A claimed key, whose plan ends on 2026-03-31. */
    async function claimed() {
      const order = await saved();
      const key = madeKey();
      await backend.orders.receive(madeCheckoutEvent(order), now);
      await backend.orders.change(order.id, (found) => claimKey(found, key, now));
      return key;
    }
    const renewing = (hash: string, given: Partial<Order> = {}) => saved({ renewsHash: hash, ...given });
    const endOf = async (hash: string) => (await backend.keys.findByHash(hash))?.plan.expiresAt;

    it('moves the end of the key with the payment, and gives no key', async () => {
      const key = await claimed();
      const order = await renewing(key.hash);
      expect(await backend.orders.find(order.id)).toEqual(order);
      await backend.orders.receive(madeCheckoutEvent(order), now);
      expect(await endOf(key.hash)).toBe('2026-04-30T10:05:00.000Z');
      const paid = await backend.orders.find(order.id);
      expect(paid).toMatchObject({ status: 'paid', renewsHash: key.hash, planExpiresAt: null });
      const claim = await backend.orders.change(order.id, (found) => claimKey(found, madeKey(), now));
      expect(claim).toMatchObject({ isChanged: false, order: { keyHash: null } });
    });

    it('loses no day and no rotation of many payments, refunds and rotations at once', async () => {
      const key = await claimed();
      const orders = await Promise.all(Array.from({ length: 8 }, () => renewing(key.hash)));
      await Promise.all(
        orders.flatMap((order, place) => [
          backend.orders.receive(madeCheckoutEvent(order), now),
          backend.keys.change(key.hash, (current) =>
            rotateSecret(current, { sent: key.hash, next: madeKey(), overlapHours: 24 }, now),
          ),
          ...(place % 4 === 0 ? [backend.orders.receive(madePaymentEvent('refunded', `pi_${order.id}`), now)] : []),
        ]),
      );
      expect(await endOf(key.hash)).toBe(daysAfter('2026-03-31T10:05:00Z', 6 * 30));
      const stored = await backend.keys.findByHash(key.hash);
      expect(stored?.secretHash).toBeDefined();
      expect(stored && opens(stored, key.hash, now)).toBe(true);
    });

    it('never leaves a payment without a plan while the key is revoked at the same time', async () => {
      for (let round = 0; round < 8; round += 1) {
        const key = await claimed();
        const order = await renewing(key.hash);
        await Promise.all([
          backend.keys.change(key.hash, (key) => endKey(key, now.toISOString())),
          backend.orders.receive(madeCheckoutEvent(order), now),
        ]);
        const stored = await backend.keys.findByHash(key.hash);
        const renewed = stored?.renewals?.orders.length ?? 0;
        const found = await backend.orders.find(order.id);
        expect([renewed, found?.renewsHash]).toEqual(renewed === 1 ? [1, key.hash] : [0, null]);
      }
    });
  });

  it('purges old unpaid orders with their events, and old events that match no order', async () => {
    const cutoff = new Date('2025-06-01T00:00:00.000Z');
    const [old, young] = [new Date('2025-05-31T23:59:59.999Z'), cutoff];
    const [createdAt, receivedAt] = [old.toISOString(), old];
    const [unpaid, paid] = [await saved({ createdAt }), await saved({ createdAt })];
    const late = await saved({ createdAt: young.toISOString() });
    const [expired, payment] = [madeCheckoutEvent(unpaid, { effect: 'expired' }), madeCheckoutEvent(paid)];
    for (const event of [expired, payment]) await backend.orders.receive(event, receivedAt);
    const stranger = madeOrder();
    await backend.orders.receive(madeCheckoutEvent(stranger, { effect: 'failed' }), receivedAt);
    await backend.orders.receive(madeCheckoutEvent(stranger), young);

    expect(await backend.orders.purge(cutoff)).toEqual({ orders: 1, events: 1 });
    expect(await backend.orders.purge(cutoff)).toEqual({ orders: 0, events: 0 });
    expect([await statusOf(unpaid), await statusOf(late), await statusOf(paid)]).toEqual([
      undefined,
      'pending',
      'paid',
    ]);
    expect(await backend.orders.receive(payment, now)).toBe('repeated');
    // A purged event is unknown, so it would be held again.
    expect(await backend.orders.receive(expired, now)).toBe('held');
    await backend.orders.save(stranger);
    expect(await statusOf(stranger)).toBe('paid');
  });

  it('never pays and purges an order at the same time', async () => {
    const [createdAt, cutoff] = ['2025-05-31T00:00:00.000Z', new Date('2025-06-01T00:00:00.000Z')];
    for (let round = 0; round < 20; round += 1) {
      const order = await saved({ createdAt });
      const [outcome] = await Promise.all([
        backend.orders.receive(madeCheckoutEvent(order), now),
        backend.orders.purge(cutoff),
      ]);
      expect(await statusOf(order)).toBe(outcome === 'handled' ? 'paid' : undefined);
    }
  });

  it('never loses an event that arrives while its order is saved', async () => {
    for (let round = 0; round < 20; round += 1) {
      const order = madeOrder();
      const event = madeCheckoutEvent(order);
      await Promise.all([backend.orders.save(order), backend.orders.receive(event, now)]);
      expect(await statusOf(order)).toBe('paid');
    }
  });
});
