import type { Logger } from 'pino';
import type { AppDeps } from '#http/app-deps.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { type Config, ConfigError, stripeSecrets } from '#src/settings/config.ts';

type Payments = Pick<AppDeps, 'payments' | 'servesLoopbackHostsOnly'>;

const neededSecrets = stripeSecrets.join(' and ');

/** Loads the configured payment provider. Call the returned function to open it, once the URL that buyers return to is known. */
export async function loadPayments(
  { payments }: Pick<Config, 'payments'>,
  log: Logger,
): Promise<(publicUrl: string) => Payments> {
  switch (payments.kind) {
    case 'none':
      return () => {
        log.warn(`payments are not set up, so plans are not for sale (PAYMENTS, ${neededSecrets})`);
        return { payments: null, servesLoopbackHostsOnly: false };
      };
    case 'sandbox':
      return (publicUrl) => {
        const { wasAskedFor } = payments;
        const sandbox = 'payments run in the sandbox: nobody pays, and anyone can mark an order as paid';
        if (wasAskedFor) log.warn(`${sandbox} (PAYMENTS=sandbox)`);
        else log.info(`${sandbox}; the service answers to loopback host names only`);
        return { payments: createSandbox(publicUrl), servesLoopbackHostsOnly: !wasAskedFor };
      };
    case 'stripe': {
      // Loaded only here, because the Stripe client takes an eighth of a second to load.
      const { createStripeClient, createStripeProvider } = await import('#src/payments/stripe-provider.ts');
      const { secretKey, webhookSecret, apiBase, extras } = payments;
      const stripe = createStripeClient(secretKey, apiBase);
      const warn = (fields: object, message: string) => log.warn(fields, message);
      return (publicUrl) => ({
        payments: createStripeProvider({ stripe, webhookSecret, publicUrl, extras, warn }),
        servesLoopbackHostsOnly: false,
      });
    }
  }
}

/** Refuses to start on the production backend without payments. Throws ConfigError. */
export function requirePayments({ payments, mongoUri }: Config): void {
  if (mongoUri === null || payments.kind !== 'none') return;
  throw new ConfigError([`The production backend needs ${neededSecrets}, or PAYMENTS=sandbox, where nobody pays.`]);
}
