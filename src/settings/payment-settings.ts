import { z } from 'zod';
import { isLoopbackHost } from '#text/hosts.ts';
import type { ProviderDefinition } from '../payments/provider-definition.ts';
import { coreSettings, trustsNobody } from './core-settings.ts';
import { type OwnSetting, textOf } from './setting.ts';

const andWords = new Intl.ListFormat('en-GB');
const orWords = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The setting that chooses one of these providers. */
export function paymentsSetting(providers: readonly ProviderDefinition[]): OwnSetting {
  const names = orWords.format([...providers.map(({ name }) => name), 'sandbox']);
  return {
    name: 'PAYMENTS',
    doc: `Payment provider: ${names}. In the sandbox nobody pays and anyone can mark an order as paid. Default: the provider whose secret is set; otherwise sandbox if the embedded backend listens on a loopback HOST, PUBLIC_URL is unset or loopback and TRUST_PROXY is false (the service then answers to loopback host names only); otherwise none. The sandbox cannot be combined with a provider's secret.`,
    schema: z.string().refine((name) => name === 'sandbox' || providers.some((known) => known.name === name), names),
  };
}

/** A provider with the values of its settings, by their names; null for an absent one. */
export interface ProviderChoice {
  kind: 'provider';
  provider: ProviderDefinition;
  values: Readonly<Record<string, string | null>>;
}

/** The payment provider, or the sandbox; `none`: nothing can be bought. */
export type PaymentsChoice = ProviderChoice | { kind: 'sandbox'; wasAskedFor: boolean } | { kind: 'none' };

/** Rules between the settings of payments. */
export function findPaymentFaults(env: NodeJS.ProcessEnv, providers: readonly ProviderDefinition[]): string[] {
  const asked = textOf(env, 'PAYMENTS');
  const isSet = (name: string) => textOf(env, name) !== null;
  const present = providers.filter((provider) => secretsOf(provider).some(isSet));
  const titles = andWords.format(present.map(({ title }) => title));
  const names = present.map(({ name }) => `PAYMENTS=${name}`);
  if (asked === 'sandbox' && present.length > 0) {
    const secrets = andWords.format(present.flatMap(secretsOf).filter(isSet));
    return [
      `PAYMENTS=sandbox, where nobody pays, cannot be combined with ${secrets}. Set ${orWords.format(names)}, or remove the ${titles} secrets.`,
    ];
  }
  const chosen = providers.filter(({ name }) => name === asked);
  const [provider, ...others] = asked === null ? present : chosen;
  if (provider === undefined) return [];
  if (others.length > 0)
    return [`The ${titles} secrets are both set. Set ${orWords.format(names)} to choose a provider.`];
  const { title } = provider;
  return secretsOf(provider)
    .filter((name) => !isSet(name))
    .map(
      (name) =>
        `${name} must be set for payments with ${title}. To try the service without ${title}, set PAYMENTS=sandbox and no ${title} secret.`,
    );
}

/** The names of the settings that a provider cannot do without. */
export function secretsOf({ settings }: ProviderDefinition): string[] {
  return settings.flatMap(({ name, secret }) => (secret ? [name] : []));
}

/**
 * One secret selects the provider, so a second one that was forgotten is an error instead of a silent switch to the
 * sandbox.
 */
export function choosePayments(env: NodeJS.ProcessEnv, choices: readonly ProviderChoice[]): PaymentsChoice {
  const asked = textOf(env, 'PAYMENTS');
  if (asked === 'sandbox') return { kind: 'sandbox', wasAskedFor: true };
  const isChosen = ({ provider }: ProviderChoice) =>
    asked === null ? secretsOf(provider).some((name) => textOf(env, name) !== null) : asked === provider.name;
  return (
    choices.find(isChosen) ?? (isForThisMachineAlone(env) ? { kind: 'sandbox', wasAskedFor: false } : { kind: 'none' })
  );
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
