import type { Logger } from 'pino';
import type { AppDeps } from '#http/app-deps.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { type Config, ConfigError } from '#src/settings/config.ts';

type Payments = Pick<AppDeps, 'payments' | 'readStripeEvent' | 'hasSandbox' | 'servesLoopbackHostsOnly'>;

const withoutSandbox = { hasSandbox: false, servesLoopbackHostsOnly: false };

/**
 * Loads what takes the payments that the settings choose: Stripe's client, which takes an eighth of a second, only for Stripe.
 *
 * @returns opens them, once it is known where buyers come back to
 */
export async function loadPayments(
  { payments }: Pick<Config, 'payments'>,
  log: Logger,
): Promise<(publicUrl: string) => Payments> {
  switch (payments.kind) {
    case 'none':
      return () => {
        log.warn('no payments are set up: nothing can be bought (PAYMENTS, STRIPE_SECRET_KEY)');
        return { payments: null, readStripeEvent: null, ...withoutSandbox };
      };
    case 'sandbox':
      return (publicUrl) => {
        const { wasAskedFor } = payments;
        const sandbox = 'payments are the sandbox: nobody pays, and every order can be marked as paid';
        if (wasAskedFor) log.warn(`${sandbox} (PAYMENTS=sandbox)`);
        else log.info(`${sandbox}; only loopback host names are served`);
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

/** Refuses to serve from the production backend without payments. Throws ConfigError. */
export function requirePayments({ payments, mongoUri }: Config): void {
  if (mongoUri === null || payments.kind !== 'none') return;
  throw new ConfigError([
    'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set to serve from the production backend, or PAYMENTS=sandbox said, under which nobody pays.',
  ]);
}
