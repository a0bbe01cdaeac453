import type { ProviderDefinition } from './provider-definition.ts';
import { stripe } from './stripe.ts';

/**
 * THE PAYMENT PROVIDERS, in addition to the sandbox. Settings, webhooks, the log and the API reference use this list.
 */
export const providers: readonly ProviderDefinition[] = [stripe];
