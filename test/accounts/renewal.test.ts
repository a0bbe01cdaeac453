import { describe, expect, it } from 'vitest';
import { endAfter, replaceKey, settleChange, settleRenewal } from '#accounts/change-order.ts';
import type { Order } from '#accounts/order.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { madeKey, madeOrder } from '#testing/made-order.ts';

/** Midnight on a day of January 2026, or after it. */
const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();

/** A key whose plan ends on the 31st. */
function keyUntil(end = day(31)): StoredKey {
  const holder = { email: null, orderId: null, createdAt: day(1), revokedAt: null };
  return { ...madeKey(), plan: { tier: 'pro', expiresAt: end }, ...holder };
}

function renewalOf(key: StoredKey, paidAt: string, given: Partial<Order> = {}): Order {
  return madeOrder({ renewsHash: key.hash, status: 'paid', paidAt, ...given });
}

/** The key after these orders, in this order. */
function keyAfter(key: StoredKey, ...orders: Order[]): StoredKey {
  return orders.reduce((current, order) => {
    const effect = settleRenewal(order, key.hash, current);
    return effect !== null && 'key' in effect ? effect.key : current;
  }, key);
}

const refunded = (order: Order): Order => ({ ...order, status: 'refunded', refundedAt: day(50) });

describe('a key that orders renew', () => {
  it('ends later by the days of each, from its end, or from the payment if it had ended', () => {
    const key = keyUntil();
    const early = keyAfter(key, renewalOf(key, day(20)));
    expect(early.plan).toEqual({ tier: 'pro', expiresAt: day(61) });
    expect(keyAfter(early, renewalOf(key, day(21), { days: 10 })).plan.expiresAt).toBe(day(71));
    expect(keyAfter(early, renewalOf(key, day(70))).plan.expiresAt).toBe(day(100));
    expect(keyAfter(key, renewalOf(key, day(31))).plan.expiresAt).toBe(day(61));
  });

  it('takes the days of a refund back once, and those of no other order', () => {
    const key = keyUntil();
    const [first, second] = [renewalOf(key, day(40)), renewalOf(key, day(60))];
    const both = keyAfter(key, first, second);
    expect(both.plan.expiresAt).toBe(day(100));
    expect(keyAfter(both, refunded(second), refunded(second)).plan.expiresAt).toBe(day(70));
    // The second was paid on day 60 for 30 days: without the first, the key had ended before.
    expect(keyAfter(both, refunded(first)).plan.expiresAt).toBe(day(90));
    expect(keyAfter(both, refunded(first), refunded(second)).plan.expiresAt).toBe(key.plan.expiresAt);
  });

  it('ends at the same time, whatever the order of events and however often they come', () => {
    const key = keyUntil();
    const orders = [20, 25, 64, 200].map((paid) => renewalOf(key, day(paid)));
    const kept = keyAfter(key, ...orders.filter((_, place) => place !== 1));
    const [one, two, three, four] = orders as [Order, Order, Order, Order];
    for (const events of [
      [one, two, three, four, refunded(two)],
      [four, two, refunded(two), one, three, three],
      [refunded(two), three, one, one, four, refunded(two)],
    ]) {
      expect(keyAfter(key, ...events)).toMatchObject({ plan: kept.plan });
    }
  });

  it('does not have the days of a disputed order until an operator settles it', () => {
    const key = keyUntil();
    const order = renewalOf(key, day(20));
    const disputed = keyAfter(key, order, { ...order, suspendedAt: day(22) });
    expect(disputed.plan.expiresAt).toBe(day(31));
    expect(keyAfter(disputed, order).plan.expiresAt).toBe(day(61));
  });

  it('says when the plan ends with the days of one order', () => {
    const key = keyUntil();
    const [first, second] = [renewalOf(key, day(20)), renewalOf(key, day(21))];
    const both = keyAfter(key, second, first);
    expect([endAfter(both, first.id), endAfter(both, second.id)]).toEqual([day(61), day(91)]);
    expect([endAfter(both, 'ord_other'), endAfter(key, first.id)]).toEqual([null, null]);
  });

  it('is not renewed by an order that is not paid, or that renews another key', () => {
    const key = keyUntil();
    expect(settleRenewal(madeOrder({ renewsHash: key.hash }), key.hash, key)).toBeNull();
    expect(settleRenewal(renewalOf(keyUntil(), day(20)), key.hash, key)).toBeNull();
  });
});

describe('a Pro key that Premium raises', () => {
  // 30 days of Premium for 99.00, of Pro for 49.00.
  const raise = { tier: 'premium', days: 4900 * 30, lowerDays: 30 * 9900 };
  const key = keyUntil();
  const premium = (paid: number) => renewalOf(key, day(paid), { tier: 'premium', price: 9900, raise });
  const pro = (paid: number) => renewalOf(key, day(paid));

  it.each<[string, Order[], 'refunded' | null, string, number]>([
    ['10 days left: 4.95 of Premium', [premium(21)], null, 'premium', 21 + 30 + 4],
    ['none left', [premium(40)], null, 'premium', 70],
    ['Premium renewed', [premium(21), premium(25)], null, 'premium', 85],
    ['Pro renewed before: 40 days left, 19.8', [pro(20), premium(21)], null, 'premium', 21 + 30 + 19],
    ['Pro paid after, as it was opened before: 30 days, 14.8', [premium(21), pro(22)], null, 'premium', 55 + 14],
    ['the first Premium refunded: 6 left, 2.97', [premium(21), premium(25)], 'refunded', 'premium', 25 + 30 + 2],
    ['Premium refunded', [premium(21)], 'refunded', 'pro', 31],
    ['Premium refunded, but not what renews Pro', [premium(21), pro(22)], 'refunded', 'pro', 61],
  ])('with %s, whatever the order of events', (_, orders, refund, tier, end) => {
    const refunds = refund === null ? [] : orders.slice(0, 1).map(refunded);
    for (const events of [orders, orders.toReversed()]) {
      const raised = keyAfter(key, ...events, ...refunds);
      expect(raised.plan).toEqual({ tier, expiresAt: day(end) });
      expect(refund ?? endAfter(raised, orders.at(-1)?.id ?? '')).toBe(refund ?? day(end));
    }
  });
});

describe('an order whose key was revoked before its payment', () => {
  it('is freed from it, with a plan that runs from the payment', () => {
    const key = { ...keyUntil(), revokedAt: day(10) };
    const order = renewalOf(key, day(20));
    const freed = { ...order, renewsHash: null, planExpiresAt: day(50) };
    expect(settleRenewal(order, key.hash, key)).toEqual({ freed });
    expect(settleRenewal(order, key.hash, null)).toEqual({ freed });
  });

  it('stays with a key that is revoked only after it', () => {
    const key = keyUntil();
    const order = renewalOf(key, day(20));
    const revoked = { ...keyAfter(key, order), revokedAt: day(25) };
    expect(settleRenewal(order, key.hash, revoked)).toBeNull();
    expect(keyAfter(revoked, refunded(order)).plan.expiresAt).toBe(day(31));
  });
});

describe('a new key for an order that renews one', () => {
  it('is that key under another secret, with the days of all orders, also if it was revoked', () => {
    const key = keyUntil();
    const order = renewalOf(key, day(20), { suspendedAt: day(22) });
    const secret = madeKey();
    const change = replaceKey(order, secret, new Date(day(30)));
    const settled = change && settleChange(change, [{ ...key, revokedAt: day(25) }]);
    expect(settled).toMatchObject({
      order: { renewsHash: key.hash, suspendedAt: null },
      changed: [{ hash: key.hash, secretHash: secret.hash, revokedAt: null, plan: { expiresAt: day(61) } }],
    });
  });
});
