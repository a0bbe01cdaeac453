import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '#src/payments/sandbox.ts';
import { daysAfter } from '#text/days.ts';
import { type StartedCheckout, shopAt } from './shop.ts';
import { publicUrl, testNow, useService } from './test-service.ts';

const daysLater = (days: number) => daysAfter(testNow, days);

describe('a checkout under a key', () => {
  const { service } = useService([], { payments: createSandbox(publicUrl) });

  const shop = shopAt(() => service);
  const under = (key: string | null) => ({ ...(key !== null && { Authorization: `Bearer ${key}` }) });
  const post = (key: string | null, headers: Record<string, string> = {}) =>
    shop.post({ tier: 'pro' }, { ...headers, ...under(key) });
  const start = (key: string | null, body: object = { tier: 'pro' }) => shop.start(body, under(key));
  const { act } = shop;
  const read = async (checkout: StartedCheckout) => (await shop.read(checkout)).body;
  const endOf = async (key: string) => (await service.get('/api/v1/me', key)).body.expires_at;
  const rotate = async (key: string, hours: number): Promise<string> =>
    (await service.post('/api/v1/me/key/rotate', key).send({ overlap_hours: hours })).body.api_key;

  it('renews it: the same key goes on, later by the days of the plan, and the order never gives one', async () => {
    const key = await service.issueKey('pro', 10);
    const checkout = await start(key);
    expect(await read(checkout)).toMatchObject({ status: 'pending', renews: key.slice(0, 11), plan_expires_at: null });
    expect(await endOf(key)).toBe(daysLater(10));
    await act(checkout, 'pay');
    const paid = await read(checkout);
    expect(service.shapeOf('GET /api/v1/orders/:id').safeParse(paid).error).toBeUndefined();
    expect(paid).toMatchObject({ status: 'paid', renews: key.slice(0, 11), plan_expires_at: daysLater(40) });
    expect(paid).toMatchObject({ key_claimed_at: null });
    expect(paid).not.toHaveProperty('api_key');
    expect(await endOf(key)).toBe(daysLater(40));
    await act(checkout, 'pay');
    expect(await endOf(key)).toBe(daysLater(40));
    await act(checkout, 'refund');
    expect(await read(checkout)).toMatchObject({ status: 'refunded', plan_expires_at: null });
    expect(await endOf(key)).toBe(daysLater(10));
  });

  it('of a larger plan raises it, adds what its days left are worth, and a refund gives them back', async () => {
    const key = await service.issueKey('pro', 10);
    const about = async () => (await service.get('/api/v1/me', key)).body;
    const checkout = await start(key, { tier: 'premium' });
    await act(checkout, 'pay');
    const paid = await read(checkout);
    expect(paid).toMatchObject({ tier: 'premium', renews: key.slice(0, 11), plan_expires_at: daysLater(34) });
    expect(paid).not.toHaveProperty('api_key');
    expect(await about()).toMatchObject({ plan: 'premium', expires_at: daysLater(34) });
    const renewal = await start(key, { tier: 'premium' });
    await act(renewal, 'pay');
    await act(checkout, 'refund');
    // What renewed Premium raises Pro now.
    expect(await about()).toMatchObject({ plan: 'premium', expires_at: daysLater(34) });
    await act(renewal, 'refund');
    expect(await about()).toMatchObject({ plan: 'pro', expires_at: daysLater(10) });
  });

  it('of a smaller plan gives a new key, and so does one without a key', async () => {
    const key = await service.issueKey('premium', 10);
    for (const checkout of [await start(key), await start(null)]) {
      await act(checkout, 'pay');
      expect(await read(checkout)).toMatchObject({ renews: null, api_key: expect.stringMatching(/^mh_/) });
    }
    expect(await endOf(key)).toBe(daysLater(10));
  });

  it('is listed with the order that the key came from, the newest first', async () => {
    const bought = await start(null);
    await act(bought, 'pay');
    const { api_key: key } = await read(bought);
    const renewal = await start(key);
    const list = async () => (await service.get('/api/v1/me/orders', key)).body;
    expect((await list()).orders).toHaveLength(1);
    await act(renewal, 'pay');
    const answer = await list();
    expect(service.shapeOf('GET /api/v1/me/orders').safeParse(answer).error).toBeUndefined();
    expect(answer.orders).toMatchObject([
      { order_id: renewal.order_id, status: 'paid', tier: 'pro', price: 4_900, currency: 'USD' },
      { order_id: bought.order_id, paid_at: testNow.toISOString() },
    ]);
  });

  it('reaches the key however often it is rotated before the payment, and whichever secret was sent', async () => {
    const first = await service.issueKey('pro', 10);
    const second = await rotate(first, 24);
    const [byOld, byNew] = [await start(first), await start(second)];
    const third = await rotate(first, 24);
    await act(byOld, 'pay');
    await act(byNew, 'pay');
    expect([await endOf(first), await endOf(third)]).toEqual([daysLater(70), daysLater(70)]);
    expect((await read(byOld)).renews).toBe(third.slice(0, 11));
  });

  it('is refused for a key that is unknown, malformed or revoked', async () => {
    const revoked = await service.issueKey('pro');
    await service.revoke(revoked);
    for (const key of [`${'mh_'}${'x'.repeat(38)}`, revoked, 'no key']) {
      const answer = await post(key);
      expect([answer.status, answer.body.code]).toEqual([401, 'key_invalid']);
    }
  });

  it('is the same for one Idempotency-Key only under the same key, which rotations leave as it is', async () => {
    const [one, other] = [await service.issueKey('pro'), await service.issueKey('pro')];
    const headers = { 'Idempotency-Key': randomUUID() };
    const { body } = await post(one, headers);
    expect((await post(await rotate(one, 24), headers)).body).toEqual(body);
    for (const key of [other, null]) expect((await post(key, headers)).body.code).toBe('idempotency_conflict');
  });
});
