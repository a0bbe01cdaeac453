import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppDeps } from '#http/app-deps.ts';
import { createStripeClient, createStripeProvider } from '#src/payments/stripe-provider.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { type Fault, type SignedEvent, StripeStandIn } from '#testing/stand-ins/stripe-stand-in.ts';
import { useOne } from '#testing/use.ts';
import { daysAfter } from '#text/days.ts';
import { type StartedCheckout, shopAt } from './shop.ts';
import { createService, publicUrl, type TestService, testNow } from './test-service.ts';

/** How long one attempt may take here, in milliseconds. */
const attemptMs = 250;

describe('buying a plan through Stripe', () => {
  const backend = useOne(openEmbeddedForTest);
  let service: TestService;
  let now = testNow;
  const standIn = new StripeStandIn(() => now);
  let stripe: ReturnType<typeof createStripeClient>;

  beforeAll(async () => {
    stripe = createStripeClient(standIn.secretKey, await standIn.start(), attemptMs);
  });
  afterAll(() => standIn.stop());
  beforeEach(() => {
    now = testNow;
    standIn.seen.length = 0;
    standIn.faults.length = 0;
    service = createShop();
  });

  function openStripe(given: Partial<Parameters<typeof createStripeProvider>[0]> = {}) {
    return createStripeProvider({ stripe, webhookSecret: standIn.webhookSecret, publicUrl, warn() {}, ...given });
  }

  function createShop(given: Partial<AppDeps> = {}): TestService {
    const shop: TestService = createService(backend, {
      payments: openStripe({ warn: (fields) => shop.logged.push(JSON.stringify(fields)) }),
      now: () => now,
      ...given,
    });
    return shop;
  }

  const { post, start, read } = shopAt(() => service);
  const startCheckout = () => start({ tier: 'pro', email: 'ada@shop.example' });
  /** Looks at the order without taking its key. */
  const peek = async (checkout: StartedCheckout) => (await read(checkout).set('Sec-Purpose', 'prefetch')).body;

  function send({ body, signature }: SignedEvent): request.Test {
    return request(service.app)
      .post('/api/v1/webhooks/stripe')
      .set({ 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature })
      .send(body);
  }

  async function deliver(...events: SignedEvent[]): Promise<void> {
    for (const event of events) expect((await send(event)).status).toBe(200);
  }

  it('requests a checkout session with the order, its price and the pinned version, and sends the buyer there', async () => {
    const { order_id, checkout_url } = await startCheckout();
    expect(checkout_url).toBe(standIn.sessionOf(order_id).url);
    expect(standIn.seen).toEqual([
      {
        method: 'POST',
        path: '/v1/checkout/sessions',
        version: '2026-10-28.endive',
        authorization: `Bearer ${standIn.secretKey}`,
        idempotencyKey: order_id,
        fields: {
          mode: 'payment',
          client_reference_id: order_id,
          'metadata[order_id]': order_id,
          'payment_intent_data[metadata][order_id]': order_id,
          'line_items[0][quantity]': '1',
          'line_items[0][price_data][currency]': 'usd',
          'line_items[0][price_data][unit_amount]': '4900',
          'line_items[0][price_data][product_data][name]': 'Masthead Pro, 30 days',
          customer_email: 'ada@shop.example',
          success_url: `${publicUrl}/claim?order_id=${order_id}`,
          cancel_url: `${publicUrl}/`,
          expires_at: String(testNow.getTime() / 1000 + 23 * 3600),
        },
      },
    ]);
    const elsewhere = await start({ tier: 'pro', return_url: 'https://shop.example/back' });
    expect(standIn.seen.at(-1)?.fields).toMatchObject({
      'metadata[order_id]': elsewhere.order_id,
      success_url: 'https://shop.example/back',
      cancel_url: 'https://shop.example/back',
    });
  });

  it('gives the key once the payment is reported, for a plan that runs from the payment', async () => {
    const checkout = await startCheckout();
    now = new Date(testNow.getTime() + 600_000);
    const paid = standIn.pay(checkout.order_id);
    now = new Date(testNow.getTime() + 660_000);
    await deliver(paid);
    const { body } = await read(checkout);
    expect(body).toMatchObject({
      status: 'paid',
      paid_at: '2026-11-21T12:10:00.000Z',
      plan_expires_at: '2026-12-21T12:10:00.000Z',
      key_claimed_at: '2026-11-21T12:11:00.000Z',
    });
    expect((await service.get('/api/v1/me', body.api_key)).status).toBe(200);
  });

  it('shows the customer portal to holders of keys that a customer bought or renewed, without asking Stripe', async () => {
    const portalUrl = 'https://billing.stripe.com/p/login/1';
    const portalOf = async (key: string) => (await service.get('/api/v1/me', key)).body.billing_portal_url;
    const before = await startCheckout();
    await deliver(standIn.pay(before.order_id));
    const { api_key: guest } = (await read(before)).body;
    expect(await portalOf(guest)).toBeNull();

    const extras = { promotionCodes: false, invoices: false, automaticTax: false, portalUrl };
    service = createShop({ payments: openStripe({ extras }) });
    expect(await portalOf(guest)).toBeNull();
    const checkout = await startCheckout();
    await deliver(standIn.pay(checkout.order_id));
    const { api_key: customer } = (await read(checkout)).body;
    const asked = standIn.seen.length;
    expect(await portalOf(customer)).toBe(portalUrl);
    expect(await portalOf(await service.issueKey('pro'))).toBeNull();
    expect(standIn.seen.length).toBe(asked);

    const renewal = await post({ tier: 'pro' }, { Authorization: `Bearer ${guest}` });
    await deliver(standIn.pay(renewal.body.order_id));
    expect(await portalOf(guest)).toBe(portalUrl);
  });

  describe('when Stripe fails', () => {
    it.each<[string, Fault[]]>([
      ['an error', ['error']],
      ['a connection cut before the work', ['reset']],
      ['a connection cut after the work', ['cut after the work']],
      ['timeout', ['hang']],
      ['a slow answer', [{ slowMs: attemptMs / 2 }]],
    ])('survives %s, with one session for the order', async (_what, faults) => {
      const before = standIn.sessionCount;
      standIn.faults.push(...faults);
      const checkout = await startCheckout();
      expect(standIn.sessionCount).toBe(before + 1);
      await deliver(standIn.pay(checkout.order_id));
      expect((await read(checkout)).body.api_key).toMatch(/^mh_/);
    });

    it.each<[string, Fault]>([
      ['errors', 'error'],
      ['silence', 'hang'],
    ])('answers 502 after lasting %s, and leaves no order that cannot be paid', async (_what, fault) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      standIn.faults.push(fault, fault, fault);
      const answer = await post({ tier: 'pro' }, headers);
      expect([answer.status, answer.body.code]).toEqual([502, 'payment_failed']);
      const [failed] = standIn.seen;
      expect(await backend.orders.find(failed?.idempotencyKey ?? '')).toBeNull();

      standIn.faults.length = 0;
      const again = await post({ tier: 'pro' }, headers);
      expect(again.status).toBe(200);
      expect(again.body.order_id).toBe(failed?.idempotencyKey);
      expect((await post({ tier: 'pro' }, headers)).body).toEqual(again.body);
    });

    it('says that the address is invalid if Stripe rejects it', async () => {
      const answer = await post({ tier: 'pro', email: 'ada@mail.refused.example' });
      expect([answer.status, answer.body.errors?.[0]?.name]).toEqual([400, 'email']);
    });

    it("never shows Stripe's messages or secrets", async () => {
      const other = createStripeClient('sk_test_of_somebody_else', stripeBase(), attemptMs);
      service = createShop({ payments: openStripe({ stripe: other }) });
      const answer = await post({ tier: 'pro', email: 'ada@shop.example' });
      expect(answer.status).toBe(502);
      for (const written of [answer.text, service.logged.join('')]) {
        expect(written).not.toMatch(/sk_test|Invalid API Key|ada@/);
      }
      expect(service.logged.join('')).toContain('req_1');
    });
  });

  function stripeBase(): string {
    return `http://${stripe.getApiField('host')}:${stripe.getApiField('port')}`;
  }

  describe('events', () => {
    it('of a full refund revoke the key, of a partial one leave it', async () => {
      const checkout = await startCheckout();
      await deliver(standIn.pay(checkout.order_id));
      const { api_key } = (await read(checkout)).body;
      await deliver(standIn.refund(checkout.order_id, 'in part'));
      expect((await service.get('/api/v1/me', api_key)).status).toBe(200);
      await deliver(standIn.refund(checkout.order_id, 'in full'));
      expect((await service.get('/api/v1/me', api_key)).status).toBe(401);
      expect((await peek(checkout)).status).toBe('refunded');
    });

    it('of a payment with a discount and a tax give the key, as its subtotal is the price', async () => {
      const extras = { promotionCodes: true, invoices: true, automaticTax: true, portalUrl: null };
      service = createShop({ payments: openStripe({ extras }) });
      const checkout = await startCheckout();
      expect(standIn.seen.at(-1)?.fields).toMatchObject({
        allow_promotion_codes: 'true',
        'invoice_creation[enabled]': 'true',
        'automatic_tax[enabled]': 'true',
      });
      Object.assign(standIn.sessionOf(checkout.order_id), { amount_total: 2_950 });
      await deliver(standIn.pay(checkout.order_id));
      expect((await read(checkout)).body).toMatchObject({ status: 'paid', api_key: expect.any(String) });
    });

    it('of a debit that failed make the order failed', async () => {
      const checkout = await startCheckout();
      await deliver(standIn.promise(checkout.order_id), standIn.breakPromise(checkout.order_id));
      expect((await peek(checkout)).status).toBe('failed');
    });

    it('of a promotion that leaves nothing to pay give the key', async () => {
      const checkout = await startCheckout();
      await deliver(standIn.redeem(checkout.order_id));
      expect((await read(checkout)).body).toMatchObject({ status: 'paid', api_key: expect.any(String) });
    });

    it.each<[string, (event: SignedEvent) => { body: string; signature: string }]>([
      ['a changed body', ({ body, signature }) => ({ body: body.replace('pi_', 'pi-'), signature })],
      ['another secret', ({ body }) => ({ body, signature: standIn.signatureOf(body, now, 'whsec_of_somebody_else') })],
      [
        'an old signature',
        ({ body }) => ({ body, signature: standIn.signatureOf(body, new Date(now.getTime() - 301_000)) }),
      ],
      ['no signature', ({ body }) => ({ body, signature: '' })],
      ['no body', () => ({ body: '', signature: standIn.signatureOf('', now) })],
      ['a signed body that is not JSON', () => ({ body: '{', signature: standIn.signatureOf('{', now) })],
    ])('with %s are rejected and change nothing', async (_what, forge) => {
      const checkout = await startCheckout();
      const paid = standIn.pay(checkout.order_id);
      // What the service could learn from Stripe itself is not tested here.
      const payments = openStripe();
      payments.look = async () => [];
      service = createShop({ payments });
      const answer = await send(forge(paid));
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
      expect((await peek(checkout)).status).toBe('pending');
    });

    it('are exempt from limits', async () => {
      service = createShop({ rateLimits: { anonymous: 1, pro: 1, premium: 1, checkout: 1 } });
      for (const id of ['cus_1', 'cus_2', 'cus_3']) await deliver(standIn.event('customer.created', { id }));
      const { headers } = await send(standIn.event('customer.created', { id: 'cus_4' }));
      expect(headers['ratelimit-remaining']).toBe('1');
    });
  });

  describe('if an event was lost', () => {
    const looks = () => standIn.seen.filter(({ method }) => method === 'GET').length;

    it('reading a pending order asks Stripe, and gives the key', async () => {
      const checkout = await startCheckout();
      standIn.pay(checkout.order_id);
      const { body } = await read(checkout);
      expect(body).toMatchObject({ status: 'paid', paid_at: testNow.toISOString(), api_key: expect.any(String) });
      expect((await service.get('/api/v1/me', body.api_key)).status).toBe(200);
    });

    it('a refund and an expiry are learned the same way', async () => {
      const [refunded, expired] = [await startCheckout(), await startCheckout()];
      standIn.pay(refunded.order_id);
      standIn.refund(refunded.order_id, 'in full');
      standIn.expire(expired.order_id);
      expect((await read(refunded)).body.status).toBe('refunded');
      expect((await read(expired)).body.status).toBe('expired');
    });

    it('a dispute is learned with the payment, and no key is given', async () => {
      const checkout = await startCheckout();
      standIn.pay(checkout.order_id);
      standIn.dispute(checkout.order_id);
      const { body } = await read(checkout);
      expect(body.status).toBe('paid');
      expect(body).not.toHaveProperty('api_key');
    });

    describe('the plan of a bank debit', () => {
      const daysLater = (days: number) => new Date(daysAfter(testNow, days));

      /** Begun at once, and paid after ten days without a word from Stripe. */
      async function payLate(): Promise<StartedCheckout> {
        const checkout = await startCheckout();
        await deliver(standIn.promise(checkout.order_id));
        expect((await peek(checkout)).status).toBe('pending');
        now = daysLater(10);
        standIn.keepPromise(checkout.order_id);
        return checkout;
      }

      it('starts when the payment succeeded, however late that is learned', async () => {
        const checkout = await payLate();
        now = daysLater(12);
        expect((await read(checkout)).body).toMatchObject({
          status: 'paid',
          paid_at: daysLater(10).toISOString(),
          plan_expires_at: daysLater(40).toISOString(),
        });
      });

      it('starts when the payment is learned if Stripe does not know when it succeeded', async () => {
        const checkout = await payLate();
        now = daysLater(12);
        for (let other = 0; other < 100; other += 1) {
          standIn.event('checkout.session.completed', { id: `cs_${other}`, payment_status: 'paid' });
        }
        expect((await read(checkout)).body.paid_at).toBe(daysLater(12).toISOString());
      });
    });

    it('Stripe is asked once in five seconds for an order, however many clients read it', async () => {
      const checkout = await startCheckout();
      await Promise.all(Array.from({ length: 20 }, () => read(checkout)));
      expect(looks()).toBe(1);
      now = new Date(testNow.getTime() + 4_999);
      await read(checkout);
      expect(looks()).toBe(1);
      now = new Date(testNow.getTime() + 5_000);
      await read(checkout);
      expect(looks()).toBe(2);
    });

    it.each<[string, Fault]>([
      ['an error', 'error'],
      ['a cut connection', 'reset'],
      ['no answer', 'hang'],
    ])('if Stripe returns %s, the order stays pending, and Stripe is asked again later', async (_what, fault) => {
      const checkout = await startCheckout();
      standIn.pay(checkout.order_id);
      standIn.faults.push(fault, fault);
      expect((await read(checkout)).body.status).toBe('pending');
      expect(service.logged.join('')).toContain(checkout.order_id);
      standIn.faults.length = 0;
      now = new Date(testNow.getTime() + 5_000);
      expect((await read(checkout)).body.status).toBe('paid');
    });
  });
});
