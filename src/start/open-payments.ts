import type { Logger } from 'pino';
import type { AppDeps } from '#http/app-deps.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { type Config, ConfigError } from '#src/settings/config.ts';

type Payments = Pick<AppDeps, 'payments' | 'readStripeEvent' | 'hasSandbox' | 'servesLoopbackHostsOnly'>;

const withoutSandbox = { hasSandbox: false, servesLoopbackHostsOnly: false };

/**
 * Loads the configured payment provider: Stripe's client, which takes an eighth of a second, only for Stripe.
 *
 * @returns opens it, once the URL that buyers return to is known
 */
export async function loadPayments(
  { payments }: Pick<Config, 'payments'>,
  log: Logger,
): Promise<(publicUrl: string) => Payments> {
  switch (payments.kind) {
    case 'none':
      return () => {
        log.warn('payments are not set up, so plans are not for sale (PAYMENTS, STRIPE_SECRET_KEY)');
        return { payments: null, readStripeEvent: null, ...withoutSandbox };
      };
    case 'sandbox':
      return (publicUrl) => {
        const { wasAskedFor } = payments;
        const sandbox = 'payments run in the sandbox: nobody pays, and anyone can mark an order as paid';
        if (wasAskedFor) log.warn(`${sandbox} (PAYMENTS=sandbox)`);
        else log.info(`${sandbox}; the service answers to loopback host names only`);
        return {
          payments: createSandbox(publicUrl),
          readStripeEvent: null,
          hasSandbox: true,
          servesLoopbackHostsOnly: !wasAskedFor,
        };
      };
    case 'stripe': {
      const { secretKey, webhookSecret, apiBase } = payments.stripe;
      const [{ createStripeClient, StripeProvider }, { readStripeEvent }] = await Promise.all([
        import('#src/payments/stripe-provider.ts'),
        import('#src/payments/read-stripe-event.ts'),
      ]);
      const stripe = createStripeClient(secretKey, apiBase);
      return (publicUrl) => ({
        payments: new StripeProvider(stripe, publicUrl, (fields, message) => log.warn(fields, message)),
        readStripeEvent: (body, signature, now) => readStripeEvent(stripe, webhookSecret, body, signature, now),
        ...withoutSandbox,
      });
    }
  }
}

/** Refuses to start on the production backend without payments. Throws ConfigError. */
export function requirePayments({ payments, mongoUri }: Config): void {
  if (mongoUri === null || payments.kind !== 'none') return;
  throw new ConfigError([
    'The production backend needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or PAYMENTS=sandbox, where nobody pays.',
  ]);
}
