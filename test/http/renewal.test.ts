import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashApiKey } from '#accounts/api-key.ts';
import { reissueKey } from '#accounts/keys.ts';
import type { AppDeps } from '#http/app-deps.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { openEmbeddedForTest, type TestBackend } from '#testing/backends.ts';
import { createService, pepper, publicUrl, type TestService, testNow, unlimited } from './test-service.ts';

interface StartedCheckout {
  order_id: string;
  claim_token: string;
}

const daysLater = (days: number) => new Date(testNow.getTime() + days * 24 * 60 * 60 * 1000).toISOString();

describe('a checkout under a key', () => {
  let backend: TestBackend;
  let service: TestService;
  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    service = createShop();
  });
  afterAll(() => backend.close());

  const createShop = (given: Partial<AppDeps> = {}) =>
    createService(backend, { payments: createSandbox(publicUrl), ...given });

  const post = (key: string | null, headers: Record<string, string> = {}, body: object = { tier: 'pro' }) =>
    request(service.app)
      .post('/api/v1/checkout')
      .set(key === null ? headers : { ...headers, Authorization: `Bearer ${key}` })
      .send(body);
  async function start(key: string | null, body?: object): Promise<StartedCheckout> {
    const answer = await post(key, {}, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }
  const act = async ({ order_id }: StartedCheckout, action: string) =>
    expect((await request(service.app).post(`/sandbox/${order_id}/${action}`)).status).toBe(303);
  const read = async ({ order_id, claim_token }: StartedCheckout) =>
    (await service.get(`/api/v1/orders/${order_id}?claim_token=${claim_token}`)).body;
  const endOf = async (key: string) => (await service.get('/api/v1/me', key)).body.expires_at;
  const rotate = async (key: string, hours: number): Promise<string> =>
    (
      await request(service.app)
        .post('/api/v1/me/key/rotate')
        .set('Authorization', `Bearer ${key}`)
        .send({ overlap_hours: hours })
    ).body.api_key;
  const reissue = ({ order_id }: StartedCheckout) =>
    reissueKey({ ...backend, operator: 'ada' }, pepper, order_id, testNow);

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

  it('renews an expired key from the payment', async () => {
    const key = await service.issueKey('pro', -5);
    const checkout = await start(key);
    await act(checkout, 'pay');
    expect((await service.get('/api/v1/me', key)).body).toMatchObject({ status: 'active', expires_at: daysLater(30) });
  });

  it('of another plan gives a new key, and so does one without a key', async () => {
    const key = await service.issueKey('pro', 10);
    for (const checkout of [await start(key, { tier: 'premium' }), await start(null)]) {
      await act(checkout, 'pay');
      expect(await read(checkout)).toMatchObject({ renews: null, api_key: expect.stringMatching(/^mh_/) });
    }
    expect(await endOf(key)).toBe(daysLater(10));
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

  it('is refused for a key that is unknown, malformed or revoked, within the limit on unknown keys', async () => {
    const revoked = await service.issueKey('pro');
    await service.revoke(revoked);
    for (const key of [`${'mh_'}${'x'.repeat(38)}`, revoked, 'no key']) {
      const answer = await post(key);
      expect([answer.status, answer.body.code]).toEqual([401, 'key_invalid']);
    }
    const limited = createShop({ rateLimits: { ...unlimited, anonymous: 2 } });
    const statuses = [];
    for (let guess = 0; guess < 3; guess += 1) {
      const answer = await request(limited.app)
        .post('/api/v1/checkout')
        .set('Authorization', `Bearer ${revoked}`)
        .send({ tier: 'pro' });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('is the same for one Idempotency-Key only under the same key, which rotations leave as it is', async () => {
    const [one, other] = [await service.issueKey('pro'), await service.issueKey('pro')];
    const headers = { 'Idempotency-Key': randomUUID() };
    const { body } = await post(one, headers);
    expect((await post(await rotate(one, 24), headers)).body).toEqual(body);
    for (const key of [other, null]) expect((await post(key, headers)).body.code).toBe('idempotency_conflict');
  });

  it('gives a key of its own if the one it should renew was revoked before the payment', async () => {
    const key = await service.issueKey('pro');
    const checkout = await start(key);
    await service.revoke(key);
    await act(checkout, 'pay');
    const paid = await read(checkout);
    expect(paid).toMatchObject({ renews: null, plan_expires_at: daysLater(30) });
    expect(await endOf(paid.api_key)).toBe(daysLater(30));
    expect((await service.get('/api/v1/me', key)).status).toBe(401);
  });

  it('leaves its days with a key that an operator replaces, for either order', async () => {
    const first = await start(null);
    await act(first, 'pay');
    const { api_key: lost } = await read(first);
    const renewal = await start(lost);
    await act(renewal, 'pay');
    for (const order of [first, renewal]) {
      const result = await reissue(order);
      if (result.outcome !== 'reissued') throw new Error(result.outcome);
      expect(result.stored.plan.expiresAt).toBe(daysLater(60));
      expect(await endOf(result.key)).toBe(daysLater(60));
    }
    expect((await service.get('/api/v1/me', lost)).status).toBe(401);
    await act(renewal, 'refund');
    expect((await reissue(renewal)).outcome).toBe('not_paid');
    expect((await reissue(first)).outcome).toBe('reissued');
  });

  it('gives no day twice if its key was revoked: an operator gives the same key back for either order', async () => {
    const first = await start(null);
    await act(first, 'pay');
    const { api_key: key } = await read(first);
    const renewal = await start(key);
    await act(renewal, 'pay');
    await service.revoke(key);
    for (const order of [renewal, first, renewal]) {
      const result = await reissue(order);
      if (result.outcome !== 'reissued') throw new Error(result.outcome);
      expect(result.stored.hash).toBe(hashApiKey(key, pepper));
      expect(await endOf(result.key)).toBe(daysLater(60));
    }
  });

  it('keeps its own days for a key of its own, by an operator, if the first purchase is refunded', async () => {
    const first = await start(null);
    await act(first, 'pay');
    const { api_key: key } = await read(first);
    const renewal = await start(key);
    await act(renewal, 'pay');
    await act(first, 'refund');
    expect((await service.get('/api/v1/me', key)).status).toBe(401);
    const result = await reissue(renewal);
    if (result.outcome !== 'reissued') throw new Error(result.outcome);
    expect((await service.get('/api/v1/me', result.key)).body).toMatchObject({
      expires_at: daysLater(30),
      order_id: renewal.order_id,
    });
    expect((await backend.keys.findByHash(hashApiKey(key, pepper)))?.renewals?.orders).toEqual([]);
    await act(renewal, 'refund');
    expect((await service.get('/api/v1/me', result.key)).status).toBe(401);
  });
});
