import type { ProviderDefinition } from './provider-definition.ts';
import { stripe } from './stripe.ts';

/** THE PAYMENT PROVIDERS, beside the sandbox. Settings, webhooks, the log and the API reference are read from here. */
export const providers: readonly ProviderDefinition[] = [stripe];
