import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import { isWellFormedApiKey } from '#accounts/api-key.ts';
import { newOrderId, type OrderStore } from '#accounts/order.ts';
import { claimTokenOf } from '#accounts/pepper.ts';
import type { AppDeps } from '#http/app-deps.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { useOne } from '#testing/use.ts';
import { shopAt } from './shop.ts';
import { createService, pepper, publicUrl, type TestService, testNow } from './test-service.ts';

describe('buying a plan in the sandbox', () => {
  const backend = useOne(openEmbeddedForTest);
  let service: TestService;
  const { post, start: startCheckout, act, read, pathOf: orderPath } = shopAt(() => service);
  beforeEach(() => {
    service = createShop();
  });

  /** The service with payments in the sandbox. */
  const createShop = (given: Partial<AppDeps> = {}) =>
    createService(backend, { payments: createSandbox(publicUrl), ...given });

  it('goes from checkout through payment to a working key, given once', async () => {
    const checkout = await startCheckout({ tier: 'premium', email: 'Ada <ada@Shop.example>' });
    expect(Object.keys(checkout)).toEqual(['checkout_url', 'order_id', 'claim_token']);
    expect(checkout.checkout_url).toBe(`${publicUrl}/sandbox/${checkout.order_id}`);
    expect(checkout.claim_token).toBe(claimTokenOf(checkout.order_id, pepper));

    const before = await read(checkout);
    expect(before.headers['cache-control']).toContain('no-store');
    expect(before.body).toEqual({
      order_id: checkout.order_id,
      status: 'pending',
      tier: 'premium',
      price: 9_900,
      currency: 'USD',
      created_at: testNow.toISOString(),
      paid_at: null,
      plan_expires_at: null,
      key_claimed_at: null,
      renews: null,
      reference: null,
    });

    await act(checkout, 'pay');
    const { body: first } = await read(checkout);
    expect(first).toEqual({
      ...before.body,
      status: 'paid',
      paid_at: '2026-11-21T12:00:00.000Z',
      plan_expires_at: '2026-12-21T12:00:00.000Z',
      key_claimed_at: '2026-11-21T12:00:00.000Z',
      api_key: first.api_key,
    });
    expect(isWellFormedApiKey(first.api_key)).toBe(true);
    const { api_key, ...rest } = first;
    expect((await read(checkout)).body).toEqual(rest);

    expect((await service.get('/api/v1/me', api_key)).body).toMatchObject({
      plan: 'premium',
      status: 'active',
      order_id: checkout.order_id,
    });
    await act(checkout, 'refund');
    expect((await read(checkout)).body.status).toBe('refunded');
    expect((await service.get('/api/v1/me', api_key)).status).toBe(401);
  });

  it('keeps the key from a HEAD, a prefetch and a wrong token', async () => {
    const checkout = await startCheckout();
    await act(checkout, 'pay');
    const head = await request(service.app).head(orderPath(checkout));
    expect([head.status, head.headers['cache-control']]).toEqual([200, 'private, no-store']);
    for (const header of [
      { 'Sec-Purpose': 'prefetch;prerender' },
      { Purpose: 'prefetch' },
      { 'X-Purpose': 'preview' },
    ]) {
      expect((await read(checkout).set(header)).body).toMatchObject({ status: 'paid', key_claimed_at: null });
    }
    const wrong = { ...checkout, claim_token: claimTokenOf(newOrderId(), pepper) };
    expect((await read(wrong)).status).toBe(404);
    expect((await read(checkout)).body.api_key).toMatch(/^mh_/);
  });

  it('answers a wrong token and an unknown order alike, with the same queries', async () => {
    const asked: string[] = [];
    const orders = new Proxy(backend.orders, {
      get(target, name: keyof OrderStore) {
        asked.push(name);
        return target[name].bind(target);
      },
    });
    service = createShop({ orders });
    const checkout = await startCheckout();
    await act(checkout, 'pay');

    const answersAndQueries = [];
    for (const path of [
      orderPath({ ...checkout, claim_token: claimTokenOf(newOrderId(), pepper) }),
      orderPath({ ...checkout, claim_token: 'x' }),
      orderPath({ ...checkout, order_id: newOrderId() }),
      orderPath({ ...checkout, order_id: 'no%20order' }),
    ]) {
      asked.length = 0;
      const { status, body, headers } = await service.get(path);
      const { instance, request_id, ...problem } = body;
      answersAndQueries.push({ status, problem, type: headers['content-type'], asked: [...asked] });
    }
    for (const answer of answersAndQueries) expect(answer).toEqual(answersAndQueries[0]);
    expect(answersAndQueries[0]).toMatchObject({
      status: 404,
      problem: { code: 'order_not_found' },
      asked: ['find'],
    });
  });

  it('requires a claim token', async () => {
    const { status, body } = await service.get(`/api/v1/orders/${newOrderId()}`);
    expect([status, body.errors[0].name, body.errors[0].code]).toEqual([400, 'claim_token', 'missing']);
  });

  it.each([
    ['null', null],
    ['an empty text', ''],
    ['a blank text', ' \t'],
  ])('treats %s as an omitted address', async (_what, email) => {
    const checkout = await startCheckout({ tier: 'pro', email });
    expect((await backend.orders.find(checkout.order_id))?.email).toBeNull();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await post({ tier: 'pro' }, headers);
    expect((await post({ tier: 'pro', email }, headers)).body).toEqual(first.body);
  });

  it('gives the same order for the same Idempotency-Key and body, even simultaneously', async () => {
    for (const key of [randomUUID(), 'x9'.repeat(16)]) {
      const send = () => post({ tier: 'pro', email: 'ada@shop.example' }, { 'Idempotency-Key': key });
      const answers = await Promise.all([send(), send(), send(), send()]);
      const [first] = answers;
      for (const answer of [...answers, await send()]) {
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual(first?.body);
      }
      expect((await send()).body.order_id).not.toBe((await startCheckout()).order_id);
      const other = await post({ tier: 'premium', email: 'ada@shop.example' }, { 'Idempotency-Key': key });
      expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    }
  });

  it.each<[what: string, body: object, name: string, headers?: Record<string, string>]>([
    ['a guessable Idempotency-Key', { tier: 'pro' }, 'Idempotency-Key', { 'Idempotency-Key': 'order-1' }],
    ['an unknown tier', { tier: 'prro' }, 'tier'],
    ['no tier', {}, 'tier'],
    ['no address', { tier: 'pro', email: 'ada at shop' }, 'email'],
    ['two addresses', { tier: 'pro', email: 'ada@shop.example, bo@shop.example' }, 'email'],
    [
      'a page of somebody else',
      { tier: 'pro', return_url: 'https://evil.example/?https://shop.example' },
      'return_url',
    ],
    ['a page at a host that begins alike', { tier: 'pro', return_url: `${publicUrl}.evil.example` }, 'return_url'],
    ['a page with a password', { tier: 'pro', return_url: 'https://a:b@shop.example' }, 'return_url'],
    ['a script', { tier: 'pro', return_url: 'javascript:alert(1)' }, 'return_url'],
    ['a long reference', { tier: 'pro', reference: 'é'.repeat(201) }, 'reference'],
    ['an unknown field', { tier: 'pro', mail: 'ada@shop.example' }, 'mail'],
    ['a list', [], ''],
  ])('rejects %s by name', async (_what, body, name, headers = {}) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.errors.map((error: { name: string }) => error.name)).toEqual([name]);
  });

  it('leads back to the page that was asked for, and has the reference', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { tier: 'pro', return_url: 'https://shop.example/thanks?a="b"', reference: ` ${'é'.repeat(200)} ` };
    const checkout = await startCheckout(body, headers);
    expect((await startCheckout(body, headers)).order_id).toBe(checkout.order_id);
    expect((await post({ tier: 'pro' }, headers)).body.code).toBe('idempotency_conflict');
    await act(checkout, 'pay');
    const { text } = await service.get(`/sandbox/${checkout.order_id}`);
    expect(text).toContain('<a href="https://shop.example/thanks?a=%22b%22">');
    expect((await read(checkout)).body.reference).toBe('é'.repeat(200));
    await startCheckout({ tier: 'pro', return_url: `${publicUrl}/lists`, reference: '' });
  });

  it('limits checkouts under a key by the key, far above those of an address', async () => {
    service = createShop({ rateLimits: { anonymous: 100, pro: 100, premium: 100, checkout: 1, checkout_key: 120 } });
    const authorization = { Authorization: `Bearer ${await service.issueKey('pro')}` };
    for (const remaining of ['119', '118']) {
      const { headers } = await post({ tier: 'pro' }, authorization);
      expect([headers['ratelimit-policy'], headers['ratelimit-remaining']]).toEqual([
        '"checkout_key";q=120;w=60',
        remaining,
      ]);
    }
    for (const status of [401, 429]) {
      expect((await post({ tier: 'pro' }, { Authorization: 'Bearer mh_guess' })).status).toBe(status);
    }
  });

  it('limits checkouts and order reads together, per address, whatever key they have', async () => {
    service = createShop({ rateLimits: { anonymous: 100, pro: 100, premium: 100, checkout: 3 } });
    const checkout = await startCheckout();
    const key = await service.issueKey('premium');
    expect((await service.get(orderPath(checkout), key)).headers['ratelimit-remaining']).toBe('1');
    expect((await read(checkout)).headers['ratelimit-remaining']).toBe('0');
    for (const answer of [
      await read(checkout),
      await post({ tier: 'pro' }),
      await service.get(orderPath(checkout), key),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await service.get('/api/v1/plans')).headers['ratelimit-remaining']).toBe('99');
  });

  it('has no path for Stripe events without a Stripe key', async () => {
    const answer = await service.post('/api/v1/webhooks/stripe').send({});
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  it('sells nothing if payments are not set up', async () => {
    service = createShop({ payments: null });
    const answer = await post({ tier: 'pro' });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect((await service.get(`/sandbox/${newOrderId()}`)).status).toBe(404);
  });

  describe('the sandbox page', () => {
    it('says that it is a test, and has one form per action, Pay first, without any script', async () => {
      const { order_id } = await startCheckout();
      const { text, headers } = await service.get(`/sandbox/${order_id}`);
      expect(text).toMatch(/test sandbox\. No money moves/);
      expect([...text.matchAll(/<form method="post" action="([^"]+)"><button>/g)].map(([, action]) => action)).toEqual(
        ['pay', 'decline', 'expire', 'refund', 'dispute'].map((action) => `/sandbox/${order_id}/${action}`),
      );
      expect(text).not.toMatch(/<script|javascript:/i);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action/);
    });

    it('records the payment before it answers, once however often it is pressed', async () => {
      const checkout = await startCheckout();
      const pressed = await Promise.all(
        Array.from({ length: 5 }, () => service.post(`/sandbox/${checkout.order_id}/pay`)),
      );
      for (const answer of pressed) {
        expect([answer.status, answer.headers.location]).toEqual([303, `/sandbox/${checkout.order_id}`]);
      }
      expect((await read(checkout)).body.status).toBe('paid');
    });

    it('can fail or expire a payment, which a payment overrides, and dispute it', async () => {
      const checkout = await startCheckout();
      for (const [action, status] of [
        ['expire', 'expired'],
        ['decline', 'failed'],
        ['pay', 'paid'],
      ] as const) {
        await act(checkout, action);
        expect((await read(checkout).set('Sec-Purpose', 'prefetch')).body.status).toBe(status);
      }
      const { api_key } = (await read(checkout)).body;
      await act(checkout, 'dispute');
      expect((await service.get('/api/v1/me', api_key)).status).toBe(401);
      expect((await read(checkout)).body).not.toHaveProperty('api_key');
    });

    it('knows no other orders and actions', async () => {
      const { order_id } = await startCheckout();
      expect((await service.get(`/sandbox/${newOrderId()}`)).status).toBe(404);
      expect((await service.post(`/sandbox/${newOrderId()}/pay`)).status).toBe(404);
      expect((await service.post(`/sandbox/${order_id}/constructor`)).status).toBe(404);
      expect((await service.get(`/sandbox/${order_id}/pay`)).status).toBe(405);
    });
  });
});
