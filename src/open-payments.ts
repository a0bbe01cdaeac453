import type { Logger } from 'pino';
import type { AppDeps } from '#http/app-deps.ts';
import { type Config, ConfigError } from './config.ts';
import { readStripeEvent } from './payments/read-stripe-event.ts';
import { createSandbox } from './payments/sandbox.ts';
import { createStripeClient, StripeProvider } from './payments/stripe-provider.ts';

type Payments = Pick<AppDeps, 'payments' | 'readStripeEvent' | 'hasSandbox'>;

/** The payments that the settings choose. `publicUrl` is where buyers come back to. */
export function openPayments({ payments }: Config, publicUrl: string, log: Logger): Payments {
  switch (payments.kind) {
    case 'none':
      log.warn('no payments are set up: nothing can be bought (PAYMENTS, STRIPE_SECRET_KEY)');
      return { payments: null, readStripeEvent: null, hasSandbox: false };
    case 'sandbox':
      log.info('payments are the sandbox: nobody pays, and every order can be marked as paid');
      return { payments: createSandbox(publicUrl), readStripeEvent: null, hasSandbox: true };
    case 'stripe': {
      const { secretKey, webhookSecret, apiBase } = payments.stripe;
      const stripe = createStripeClient(secretKey, apiBase);
      return {
        payments: new StripeProvider(stripe, publicUrl, (fields, message) => log.warn(fields, message)),
        readStripeEvent: (body, signature, now) => readStripeEvent(stripe, webhookSecret, body, signature, now),
        hasSandbox: false,
      };
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
