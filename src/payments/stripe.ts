import { z } from 'zod';
import { httpUrl } from '#src/settings/setting.ts';
import type { ProviderDefinition } from './provider-definition.ts';

const bareUrl = 'an http(s) URL without a path, such as http://127.0.0.1:12111';

const trueOrFalse = z.enum(['true', 'false'], 'true or false');

/** Stripe Checkout. The client is in stripe-provider.ts, because it takes an eighth of a second to load. */
export const stripe: ProviderDefinition = {
  name: 'stripe',
  title: 'Stripe',
  settings: [
    {
      name: 'STRIPE_SECRET_KEY',
      doc: 'Secret or restricted key of your Stripe account.',
      secret: true,
      schema: z
        .string()
        .regex(/^(sk|rk)_(test|live)_[A-Za-z0-9_]{3,}$/, 'a secret or restricted Stripe key, such as sk_live_…'),
    },
    {
      name: 'STRIPE_WEBHOOK_SECRET',
      doc: 'Signing secret of the Stripe webhook endpoint /api/v1/webhooks/stripe; required with STRIPE_SECRET_KEY.',
      secret: true,
      schema: z.string().regex(/^whsec_[\x21-\x7e]{4,}$/, 'the signing secret of a webhook endpoint, such as whsec_…'),
    },
    {
      name: 'STRIPE_PROMOTION_CODES',
      default: 'false',
      doc: 'Whether buyers can enter promotion codes of your Stripe account: true or false. A code of 100 % gives the plan away.',
      schema: trueOrFalse,
    },
    {
      name: 'STRIPE_INVOICES',
      default: 'false',
      doc: 'Whether Stripe makes an invoice for each payment: true or false.',
      schema: trueOrFalse,
    },
    {
      name: 'STRIPE_AUTOMATIC_TAX',
      default: 'false',
      doc: 'Whether Stripe Tax adds taxes: true or false. First set up Stripe Tax in your account, with a default tax behaviour.',
      schema: trueOrFalse,
    },
    {
      name: 'STRIPE_PORTAL_URL',
      doc: 'Login page of your Stripe customer portal, such as https://billing.stripe.com/p/login/…, for `billing_portal_url` in GET /me. With it, each payment makes a customer.',
      schema: httpUrl('an http(s) URL, such as https://billing.stripe.com/p/login/…'),
    },
    {
      name: 'STRIPE_API_BASE',
      doc: "Base URL of Stripe's API; only for tests.",
      schema: httpUrl(bareUrl).refine((url) => URL.parse(url)?.pathname === '/', bareUrl),
    },
  ],
  secretPattern: /\b(?:(?:sk|rk)_(?:test|live)|whsec)_[^\s"\\]+/g,
  async load({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: apiBase,
    ...values
  }) {
    const { createStripeClient, StripeProvider } = await import('./stripe-provider.ts');
    const client = createStripeClient(secretKey ?? '', apiBase ?? null);
    const extras = {
      promotionCodes: values.STRIPE_PROMOTION_CODES === 'true',
      invoices: values.STRIPE_INVOICES === 'true',
      automaticTax: values.STRIPE_AUTOMATIC_TAX === 'true',
      portalUrl: values.STRIPE_PORTAL_URL ?? null,
    };
    return (publicUrl, warn) => new StripeProvider(client, webhookSecret ?? '', publicUrl, warn, extras);
  },
};
