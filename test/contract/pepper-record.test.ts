import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confirmPepper } from '#accounts/confirm-pepper.ts';
import { issueKey } from '#accounts/issue-key.ts';
import { pepperProofOf } from '#accounts/pepper.ts';
import { type TestStores, testStores } from '#test/backends.ts';
import { madeCheckoutEvent, madeKey, madeOrder } from '#test/made-order.ts';

const first = 'the first pepper of these tests, 32 or more';
const other = 'another pepper of these tests, 32 or more';
const now = new Date('2026-11-21T13:00:00.000Z');
const service = { mayTrust: true, now };
const command = { mayTrust: false, now };

describe.each(testStores)('the pepper of a store, $name', ({ open }) => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await open();
  });
  afterEach(() => stores.close());

  const issue = () =>
    issueKey({ ...stores, operator: 'test' }, first, { tier: 'pro', days: 1, email: null }, new Date());

  it('is recorded at its first use as an HMAC of a known text, with the time', async () => {
    expect(await stores.pepper.find()).toBeNull();
    expect(await confirmPepper(stores.pepper, first, command)).toEqual({ outcome: 'confirmed' });
    // printf 'masthead: the pepper of this store' |
    //   openssl dgst -sha256 -hmac 'the first pepper of these tests, 32 or more' -binary | base64 | tr '+/' '-_' | tr -d =
    expect(await stores.pepper.find()).toEqual({
      proof: 'kR66qjJnhvwp1dd4pcyZAwf9ulC8BYvCdgb8zEywSFQ',
      since: now.toISOString(),
    });
    expect(await confirmPepper(stores.pepper, first, { ...service, now: new Date() })).toEqual({
      outcome: 'confirmed',
    });
    expect((await stores.pepper.find())?.since).toBe(now.toISOString());
  });

  it('is told apart from any other, whether or not something was made with it', async () => {
    await confirmPepper(stores.pepper, first, service);
    const kept = { proof: pepperProofOf(first), since: now.toISOString() };
    for (const mode of [service, command]) {
      expect(await confirmPepper(stores.pepper, other, mode)).toEqual({
        outcome: 'different',
        kept,
        dependents: { keys: 0, orders: 0 },
      });
    }
    expect(await stores.pepper.find()).toEqual(kept);
  });

  it('is one of those that many processes use first at the same time, and the same for all', async () => {
    const peppers = Array.from({ length: 12 }, (_, place) => `pepper ${place} of these tests, 32 or more`);
    const confirmations = await Promise.all(peppers.map((pepper) => confirmPepper(stores.pepper, pepper, service)));
    const confirmed = peppers.filter((_, place) => confirmations[place]?.outcome === 'confirmed');
    expect(confirmed).toHaveLength(1);
    expect((await stores.pepper.find())?.proof).toBe(pepperProofOf(confirmed[0] ?? ''));
    expect(confirmations.filter(({ outcome }) => outcome === 'different')).toHaveLength(11);
  });

  it('knows how many keys and orders depend on it', async () => {
    expect(await stores.pepper.countDependents()).toEqual({ keys: 0, orders: 0 });
    const { stored } = await issue();
    await stores.keys.save({ ...stored, ...madeKey(), revokedAt: now.toISOString() });
    expect(await stores.pepper.countDependents()).toEqual({ keys: 1, orders: 0 });
    const [pending, paid, failed] = [madeOrder(), madeOrder(), madeOrder()];
    for (const order of [pending, paid, failed]) await stores.orders.save(order, null);
    await stores.orders.receive(madeCheckoutEvent(paid), now);
    await stores.orders.receive(madeCheckoutEvent(failed, { effect: 'failed' }), now);
    expect(await stores.pepper.countDependents()).toEqual({ keys: 1, orders: 2 });
  });

  it('is accepted from the service, but not from a command, for what an earlier version made', async () => {
    await stores.orders.save(madeOrder(), null);
    const dependents = { keys: 0, orders: 1 };
    expect(await confirmPepper(stores.pepper, other, command)).toEqual({ outcome: 'unproven', dependents });
    expect(await stores.pepper.find()).toBeNull();
    expect(await confirmPepper(stores.pepper, first, service)).toEqual({ outcome: 'trusted', dependents });
    expect(await confirmPepper(stores.pepper, first, command)).toEqual({ outcome: 'confirmed' });
    expect(await confirmPepper(stores.pepper, other, service)).toMatchObject({ outcome: 'different', dependents });
  });

  it('can be replaced', async () => {
    await confirmPepper(stores.pepper, first, service);
    await stores.pepper.replace({ proof: pepperProofOf(other), since: '2026-12-01T00:00:00.000Z' });
    expect(await confirmPepper(stores.pepper, other, service)).toEqual({ outcome: 'confirmed' });
    expect(await confirmPepper(stores.pepper, first, service)).toMatchObject({
      outcome: 'different',
      kept: { since: '2026-12-01T00:00:00.000Z' },
    });
  });
});
