import { afterAll, describe, expect, it } from 'vitest';
import { findSuccess } from '#src/payments/read-stripe.ts';
import { createStripeClient, createStripeProvider } from '#src/payments/stripe-provider.ts';
import { startStripeMock } from '#testing/engines/start-stripe-mock.ts';
import { madeOrder } from '#testing/made-order.ts';

const mock = await startStripeMock();

/* stripe-mock checks each request against Stripe's own schema. It keeps nothing: each session is the same example. */
describe.skipIf(mock === null)("requests to Stripe, checked with Stripe's own schema", () => {
  const stripe = createStripeClient('sk_test_123', mock?.url ?? null);
  const warnings: object[] = [];
  const deps = { stripe, webhookSecret: 'whsec_none', publicUrl: 'https://masthead.example' };
  const provider = createStripeProvider({ ...deps, warn: (fields) => warnings.push(fields) });
  afterAll(() => mock?.stop());

  it.each([
    ['with an address', madeOrder()],
    ['without one', madeOrder({ email: null, tier: 'premium', currency: 'JPY' })],
  ])('open a checkout session with known parameters, %s', async (_what, order) => {
    expect(await provider.open({ ...order, planTitle: 'Pro' })).toEqual({
      url: expect.stringMatching(/^https:/),
      reference: expect.stringMatching(/^cs_/),
    });
  });

  it('open a checkout session with promotion codes, an invoice, taxes and a customer, all by known parameters', async () => {
    const extras = {
      promotionCodes: true,
      invoices: true,
      automaticTax: true,
      portalUrl: 'https://billing.stripe.com/p/login/1',
    };
    const full = createStripeProvider({ ...deps, extras, warn() {} });
    const { reference } = await full.open({ ...madeOrder(), planTitle: 'Pro' });
    expect(reference).toMatch(/^cs_/);
  });

  it('look up a session with known parameters', async () => {
    expect(await provider.look(madeOrder(), new Date())).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('look up the payment time of a session with known parameters', async () => {
    const { id, created } = await stripe.checkout.sessions.retrieve('cs_test_1');
    expect(await findSuccess(stripe, { id, created }, {})).toBeNull();
  });

  it('would be rejected with a parameter that Stripe does not know', async () => {
    const unknown = { mode: 'payment', success_url: 'https://masthead.example', prices: [1] } as const;
    await expect(stripe.checkout.sessions.create(unknown as never)).rejects.toThrow(/additional properties/);
  });
});
