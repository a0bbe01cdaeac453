import { z } from 'zod';
import { isLoopbackHost } from '#text/hosts.ts';
import { coreSettings, trustsNobody } from './core-settings.ts';
import { httpUrl, type Setting, textOf } from './setting.ts';

const bareUrl = 'an http(s) URL without a path, such as http://127.0.0.1:12111';

const trueOrFalse = z.enum(['true', 'false'], 'true or false').transform((text) => text === 'true');

/** The settings of payments: through Stripe, or in the sandbox. */
export const paymentSettings = {
  PAYMENTS: {
    doc: "Payment provider: stripe or sandbox. In the sandbox nobody pays and anyone can mark an order as paid. Default: stripe if one of its secrets is set; otherwise sandbox if the embedded backend listens on a loopback HOST, PUBLIC_URL is unset or loopback and TRUST_PROXY is false (the service then answers to loopback host names only); otherwise none. The sandbox cannot be combined with Stripe's secrets.",
    schema: z.enum(['stripe', 'sandbox'], 'stripe or sandbox'),
  },
  STRIPE_SECRET_KEY: {
    doc: 'Secret or restricted key of your Stripe account.',
    secret: true,
    schema: z
      .string()
      .regex(/^(sk|rk)_(test|live)_[A-Za-z0-9_]{3,}$/, 'a secret or restricted Stripe key, such as sk_live_…'),
  },
  STRIPE_WEBHOOK_SECRET: {
    doc: 'Signing secret of the Stripe webhook endpoint /api/v1/webhooks/stripe; required with STRIPE_SECRET_KEY.',
    secret: true,
    schema: z.string().regex(/^whsec_[\x21-\x7e]{4,}$/, 'the signing secret of a webhook endpoint, such as whsec_…'),
  },
  STRIPE_PROMOTION_CODES: {
    default: 'false',
    doc: 'Whether buyers can enter promotion codes of your Stripe account: true or false. A code of 100 % gives the plan away.',
    schema: trueOrFalse,
  },
  STRIPE_INVOICES: {
    default: 'false',
    doc: 'Whether Stripe makes an invoice for each payment: true or false.',
    schema: trueOrFalse,
  },
  STRIPE_AUTOMATIC_TAX: {
    default: 'false',
    doc: 'Whether Stripe Tax adds taxes: true or false. First set up Stripe Tax in your account, with a default tax behaviour.',
    schema: trueOrFalse,
  },
  STRIPE_PORTAL_URL: {
    doc: 'Login page of your Stripe customer portal, such as https://billing.stripe.com/p/login/…, for `billing_portal_url` in GET /me. With it, each payment makes a customer.',
    schema: httpUrl('an http(s) URL, such as https://billing.stripe.com/p/login/…'),
  },
  STRIPE_API_BASE: {
    doc: "Base URL of Stripe's API; only for tests.",
    schema: httpUrl(bareUrl).refine((url) => URL.parse(url)?.pathname === '/', bareUrl),
  },
} as const satisfies Record<string, Setting>;

/** What Stripe cannot do without. */
export const stripeSecrets = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

type PaymentValue<Name extends keyof typeof paymentSettings> =
  | z.output<(typeof paymentSettings)[Name]['schema']>
  | ((typeof paymentSettings)[Name] extends { default: string } ? never : null);

/** Rules between the settings of payments. */
export function findPaymentFaults(env: NodeJS.ProcessEnv): string[] {
  const asked = textOf(env, 'PAYMENTS');
  const present = stripeSecrets.filter((name) => textOf(env, name) !== null);
  if (asked === 'sandbox' && present.length > 0) {
    return [
      `PAYMENTS=sandbox, where nobody pays, cannot be combined with ${present.join(' and ')}. Set PAYMENTS=stripe, or remove the Stripe secrets.`,
    ];
  }
  if (asked !== 'stripe' && present.length === 0) return [];
  return stripeSecrets
    .filter((name) => !present.includes(name))
    .map(
      (name) =>
        `${name} must be set for payments with Stripe. To try the service without Stripe, set PAYMENTS=sandbox and no Stripe secret.`,
    );
}

/**
 * Stripe with its settings, or the sandbox; `none`: nothing can be bought. One secret selects Stripe, so a second one that was forgotten is an error instead of a silent switch to the sandbox.
 *
 * @param values of all settings, once they are valid
 */
export function choosePayments(env: NodeJS.ProcessEnv, values: ReadonlyMap<string, unknown>) {
  const read = <Name extends keyof typeof paymentSettings>(name: Name) => values.get(name) as PaymentValue<Name>;
  if (read('PAYMENTS') === 'sandbox') return { kind: 'sandbox', wasAskedFor: true } as const;
  const [secretKey, webhookSecret] = stripeSecrets.map((name) => read(name));
  if (!secretKey || !webhookSecret) {
    return isForThisMachineAlone(env)
      ? ({ kind: 'sandbox', wasAskedFor: false } as const)
      : ({ kind: 'none' } as const);
  }
  return {
    kind: 'stripe',
    secretKey,
    webhookSecret,
    apiBase: read('STRIPE_API_BASE'),
    extras: {
      promotionCodes: read('STRIPE_PROMOTION_CODES'),
      invoices: read('STRIPE_INVOICES'),
      automaticTax: read('STRIPE_AUTOMATIC_TAX'),
      portalUrl: read('STRIPE_PORTAL_URL'),
    },
  } as const;
}

/**
 * Whether only people at this machine can be using the service. A loopback HOST alone does not tell: a service behind a
 * reverse proxy has one too, which shows in another PUBLIC_URL or a trusted proxy.
 */
function isForThisMachineAlone(env: NodeJS.ProcessEnv): boolean {
  const publicUrl = textOf(env, 'PUBLIC_URL');
  return (
    textOf(env, 'MONGODB_URI') === null &&
    isLoopbackHost(textOf(env, 'HOST') ?? coreSettings.HOST.default) &&
    (publicUrl === null || isLoopbackHost(URL.parse(publicUrl)?.hostname ?? '')) &&
    trustsNobody.test(textOf(env, 'TRUST_PROXY') ?? coreSettings.TRUST_PROXY.default)
  );
}
