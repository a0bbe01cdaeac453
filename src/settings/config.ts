import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { type Offer, plans } from '#accounts/plans.ts';
import { countEdits } from '#text/edit-distance.ts';
import { isLoopbackHost } from '#text/hosts.ts';
import { leadTools } from '../lead-tools/lead-tools.ts';
import { minPepperLength, planSettings, type Setting, secretSettings, settings, type Values } from './settings.ts';

type Environment = NodeJS.ProcessEnv;

/** If the changes that commands made take more, the oldest are deleted, but never the last. */
const maxHistoryBytes = 1_000_000_000;

/** Checkouts a minute under one key, unless more are allowed without one (contract A20). */
const checkoutsUnderKey = 120;

export const stripeSecrets = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

/** Everything that is wrong with the settings, one line for each fault. No line shows a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

export type Config = ReturnType<typeof toConfig>;

/** Reads the settings from the environment, and secrets also from files. An empty value counts as absent. Throws ConfigError. */
export function loadConfig(environment: Environment = process.env): Config {
  const { env, faults } = readSecretFiles(environment);
  const hasEverySecret = faults.length === 0;
  const values = Object.fromEntries(
    Object.entries<Setting>(settings).map(([name, setting]) => {
      const text = textOf(env, name) ?? setting.default;
      if (text === undefined) return [name, null];
      const { data, error } = setting.schema.safeParse(text);
      if (error) faults.push(describeFault(name, setting, text, error));
      return [name, error ? null : data];
    }),
  ) as Values & Record<string, unknown>;
  // Otherwise a secret whose file could not be read would also be reported as missing.
  if (hasEverySecret) faults.push(...findConflicts(env));
  if (faults.length > 0) throw new ConfigError(faults);
  return toConfig(values);
}

function textOf(env: Environment, name: string): string | null {
  return env[name]?.trim() || null;
}

/**
 * Reads the secrets that are given as files, as Docker and Kubernetes do: the value of `NAME` is the trimmed content of the file
 * at `NAME_FILE`. Faults do not repeat the path, because somebody may have put the secret itself there.
 */
function readSecretFiles(env: Environment): { env: Environment; faults: string[] } {
  const values: Environment = {};
  const faults: string[] = [];
  for (const name of secretSettings) {
    const path = textOf(env, `${name}_FILE`);
    if (path === null) continue;
    if (textOf(env, name) !== null) faults.push(`${name} and ${name}_FILE are both set. Set one of them.`);
    try {
      values[name] = readFileSync(path, 'utf8').trim();
      if (values[name] === '') faults.push(`${name}_FILE names an empty file. Write the secret into it, or unset it.`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      faults.push(`${name}_FILE names an unreadable file (${code}). Use a file that this user can read.`);
    }
  }
  return { env: { ...env, ...values }, faults };
}

function describeFault(name: string, { isSecret, doc }: Setting, text: string, error: z.ZodError): string {
  const expected = error.issues[0]?.message ?? doc;
  const isPrivate = isSecret || /:\/\/[^/]*@/.test(text);
  return `${name} must be ${expected}${isPrivate ? '' : `, not ${JSON.stringify(text)}`}.`;
}

/** A line for each variable of the environment that is probably a misspelt setting, such as `MONGDB_URI`. */
export function findMisspelt(env: Environment = process.env): string[] {
  const names = [...Object.keys(settings), ...secretSettings.map((name) => `${name}_FILE`)];
  return Object.keys(env).flatMap((name) => {
    // Short names, and names with more than two typos, are more likely those of other programs.
    if (names.includes(name) || name.length < 6) return [];
    const nearest = names.find(
      (settingName) => !(settingName in env) && countEdits(name.toUpperCase(), settingName, 2) <= 2,
    );
    return nearest === undefined ? [] : [`${name} is not a setting and has no effect. Did you mean ${nearest}?`];
  });
}

/** Which settings do not fit together, and what to do. */
function findConflicts(env: Environment): string[] {
  const isSet = (name: keyof Values) => textOf(env, name) !== null;
  const faults: string[] = [];
  const together = (first: keyof Values, second: keyof Values, why = '') => {
    if (isSet(first) === isSet(second)) return;
    const [presentName, absentName] = isSet(first) ? [first, second] : [second, first];
    faults.push(`${absentName} must be set too, because ${presentName} is set.${why}`);
  };
  together('EMBEDDINGS_URL', 'EMBEDDINGS_MODEL');
  together('MONGODB_URI', 'ELASTICSEARCH_URL', ' The production backend needs both, the embedded backend neither.');
  if (isSet('MONGODB_URI') && isSet('ELASTICSEARCH_URL') && !isSet('KEY_PEPPER')) {
    faults.push(
      `KEY_PEPPER must be set for the production backend: at least ${minPepperLength} characters, the same for every process.`,
    );
  }
  together('ELASTICSEARCH_USERNAME', 'ELASTICSEARCH_PASSWORD');
  if (isSet('SMTP_URL') && !isSet('MAIL_FROM') && !isSet('CONTACT_EMAIL')) {
    faults.push(
      'MAIL_FROM or CONTACT_EMAIL must be set, because SMTP_URL is set: mails need an address that they come from.',
    );
  }
  const askedPayments = textOf(env, 'PAYMENTS');
  const presentSecrets = stripeSecrets.filter(isSet);
  if (askedPayments === 'sandbox' && presentSecrets.length > 0) {
    faults.push(
      `PAYMENTS=sandbox, where nobody pays, cannot be combined with ${presentSecrets.join(' and ')}. Set PAYMENTS=stripe, or remove the Stripe secrets.`,
    );
  } else if (askedPayments === 'stripe' || presentSecrets.length > 0) {
    const way = 'To try the service without Stripe, set PAYMENTS=sandbox and no Stripe secret.';
    for (const name of stripeSecrets)
      if (!isSet(name)) faults.push(`${name} must be set for payments with Stripe. ${way}`);
  }
  return faults;
}

function toConfig(values: Values & Readonly<Record<string, unknown>>) {
  const offers = plans.map((plan): Offer => {
    const names = planSettings(plan.tier);
    const number = (name: string) => values[name] as number;
    const ownValues = { price: number(names.price), days: number(names.days) };
    return { ...plan, currency: values.CURRENCY, ...ownValues, requestsPerMinute: number(names.requestsPerMinute) };
  });
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_KEY: key, METRICS_PORT: metricsPort } = values;
  return {
    port: values.PORT,
    host: values.HOST,
    /** Without a trailing slash; null for the listening address. */
    publicUrl: values.PUBLIC_URL,
    returnOrigins: values.RETURN_ORIGINS ?? [],
    dataDir: values.MASTHEAD_DATA_DIR,
    /** Both set for the production backend, both null for the embedded one. */
    mongoUri: values.MONGODB_URI,
    elasticsearch: readElasticsearch(values),
    indexAlias: values.INDEX_ALIAS,
    indexLayout: { shards: values.INDEX_SHARDS, replicas: values.INDEX_REPLICAS },
    /** Null only for the embedded backend, which then creates its own. */
    keyPepper: values.KEY_PEPPER,
    contactEmail: values.CONTACT_EMAIL,
    smtp: readSmtp(values),
    operator: {
      name: values.OPERATOR_NAME,
      termsUrl: values.TERMS_URL,
      privacyUrl: values.PRIVACY_URL,
      refundDays: values.REFUND_DAYS,
    },
    payments: choosePayments(values),
    plans: offers,
    /** The base URLs of outbound tools' APIs, without a trailing slash. */
    leadToolBases: Object.fromEntries(
      leadTools.flatMap(({ name, push }) => (push === null ? [] : [[name, values[push.base.setting] as string]])),
    ),
    history: { days: values.HISTORY_DAYS, maxBytes: maxHistoryBytes },
    /** The DNS resolvers to ask about mail domains; empty for those of the system. */
    dnsServers: values.DNS_SERVERS ?? [],
    pushMaxLeads: values.PUSH_MAX_LEADS,
    answersMeaning: values.MEANING,
    embeddings: url && model ? { url, model, key, textsPerDay: values.EMBEDDINGS_TEXTS_PER_DAY } : null,
    rateLimits: {
      ...Object.fromEntries(offers.map(({ tier, requestsPerMinute }) => [tier, requestsPerMinute])),
      anonymous: values.RATE_LIMIT_ANONYMOUS,
      checkout: values.RATE_LIMIT_CHECKOUT,
      checkout_key: Math.max(values.RATE_LIMIT_CHECKOUT, checkoutsUnderKey),
    },
    trustProxy: values.TRUST_PROXY,
    metrics: metricsPort === null ? null : { host: values.METRICS_HOST, port: metricsPort },
    logLevel: values.LOG_LEVEL,
  };
}

/** The mail server, and who mails come from; null if none are sent. */
function readSmtp({ SMTP_URL: server, MAIL_FROM, CONTACT_EMAIL, OPERATOR_NAME: name }: Values) {
  const address = MAIL_FROM ?? CONTACT_EMAIL;
  return server === null || address === null ? null : { ...server, from: { name: name ?? 'Masthead', address } };
}

/** How the production backend reaches Elasticsearch: `nodes` without a trailing slash, `ca` certificates in PEM form. */
function readElasticsearch(values: Values) {
  const { ELASTICSEARCH_URL: nodes, ELASTICSEARCH_API_KEY: apiKey, ELASTICSEARCH_USERNAME: username } = values;
  if (nodes === null) return null;
  const user = username === null ? null : { username, password: values.ELASTICSEARCH_PASSWORD ?? '' };
  return { nodes, auth: apiKey === null ? user : { apiKey }, ca: values.ELASTICSEARCH_CA_FILE };
}

/**
 * Stripe, the sandbox, or `none`: nothing can be bought. If only people at this machine can use the service, the sandbox is the
 * default. A loopback HOST is not enough for that, because a service behind a reverse proxy has one too. So PUBLIC_URL and
 * TRUST_PROXY must not hint at a proxy either.
 */
function choosePayments(values: Values) {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, PUBLIC_URL: publicUrl } = values;
  if (values.PAYMENTS === 'sandbox') return { kind: 'sandbox', wasAskedFor: true } as const;
  if (secretKey === null || webhookSecret === null) {
    const isForThisMachineAlone =
      values.MONGODB_URI === null &&
      isLoopbackHost(values.HOST) &&
      (publicUrl === null || isLoopbackHost(URL.parse(publicUrl)?.hostname ?? '')) &&
      values.TRUST_PROXY === false;
    return isForThisMachineAlone ? ({ kind: 'sandbox', wasAskedFor: false } as const) : ({ kind: 'none' } as const);
  }
  return {
    kind: 'stripe',
    secretKey,
    webhookSecret,
    apiBase: values.STRIPE_API_BASE,
    extras: {
      promotionCodes: values.STRIPE_PROMOTION_CODES,
      invoices: values.STRIPE_INVOICES,
      automaticTax: values.STRIPE_AUTOMATIC_TAX,
      portalUrl: values.STRIPE_PORTAL_URL,
    },
  } as const;
}

/** Settings whose values name a person, or a folder that may. */
const personal: ReadonlySet<string> = new Set([
  'CONTACT_EMAIL',
  'MAIL_FROM',
  'OPERATOR_NAME',
  'ELASTICSEARCH_USERNAME',
  'MASTHEAD_DATA_DIR',
]);

/** Which settings are set, with the values of those that are neither secret nor personal. */
export function describeSettings(environment = process.env): Record<string, string> {
  const described: Record<string, string> = {};
  for (const [name, { isSecret }] of Object.entries<{ isSecret?: boolean }>(settings)) {
    const value = environment[name] ?? '';
    if (value !== '') described[name] = isSecret || personal.has(name) || value.includes('@') ? '(set)' : value;
    else if ((environment[`${name}_FILE`] ?? '') !== '') described[name] = '(set by a file)';
  }
  return described;
}
