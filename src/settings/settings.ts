import { z } from 'zod';
import { plans } from '#accounts/plans.ts';
import { leadTools } from '../lead-tools/lead-tools.ts';
import {
  certificateFile,
  httpUrl,
  listed,
  nodeUrls,
  text,
  trueOrFalse,
  trustedProxies,
  wholeNumber,
} from './values.ts';

export interface Setting<Value = unknown> {
  /** The default as text; absent if the setting is optional. */
  default?: string;
  doc: string;
  /** Its value is never shown, not even in an error, and can come from a file: `NAME_FILE` instead of `NAME`. */
  isSecret?: true;
  /** The message of its issues completes the sentence "NAME must be …". */
  schema: z.ZodType<Value, string>;
}

const setting = <Value>(schema: z.ZodType<Value, string>, doc: string, fallback: string) => ({
  schema,
  doc,
  default: fallback,
});
const optional = <Value>(schema: z.ZodType<Value, string>, doc: string) => ({ schema, doc });
const secret = <Value>(schema: z.ZodType<Value, string>, doc: string) => ({ schema, doc, isSecret: true as const });

/** Minimum length of KEY_PEPPER: 32 characters; `openssl rand -base64 32` and similar give more. */
export const minPepperLength = 32;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = wholeNumber(0, 65_535, 'a port from 0 to 65535 (0 picks a free one)');
const currencies = new Set(Intl.supportedValuesOf('currency'));
const perMinute = wholeNumber(1, 1_000_000, 'requests per minute, from 1 to 1000000');
const days = wholeNumber(1, 3_650, 'a number of days from 1 to 3650');
const price = wholeNumber(1, 99_999_999, 'a price in minor units of CURRENCY, from 1 to 99999999');
const bareUrl = 'an http(s) URL without a path, such as http://127.0.0.1:12111';

const own = {
  PORT: setting(port, 'Port to listen on; 0 picks a free one.', '3000'),
  HOST: setting(
    z.string(),
    'Address or host name to listen on; 0.0.0.0 for every IPv4 interface, :: for all interfaces.',
    '127.0.0.1',
  ),
  PUBLIC_URL: optional(
    httpUrl('an http(s) URL, such as https://api.example.org'),
    'Base URL of the service, used in links. Default: the listening address.',
  ),
  MASTHEAD_DATA_DIR: setting(
    z.string().refine((path) => !path.includes('\0'), 'the path of a folder'),
    'Folder of the embedded backend: its database and its key pepper.',
    './data',
  ),
  MONGODB_URI: secret(
    text(/^mongodb(\+srv)?:\/\/./, 'a MongoDB connection string, such as mongodb://db.example.org'),
    'MongoDB replica set that stores records and keys. Together with ELASTICSEARCH_URL it selects the production backend.',
  ),
  ELASTICSEARCH_URL: optional(
    nodeUrls,
    'Elasticsearch 8 or 9 for the searches of the production backend: all nodes that hold data, separated by commas.',
  ),
  ELASTICSEARCH_USERNAME: optional(z.string(), 'User for Elasticsearch, together with ELASTICSEARCH_PASSWORD.'),
  ELASTICSEARCH_PASSWORD: secret(z.string(), 'Password of ELASTICSEARCH_USERNAME.'),
  ELASTICSEARCH_API_KEY: secret(
    text(/^[\x21-\x7e]+$/, 'the encoded form of an Elasticsearch API key, without spaces'),
    'API key for Elasticsearch in its encoded form, instead of a user and password.',
  ),
  ELASTICSEARCH_CA_FILE: optional(
    certificateFile,
    "PEM file with the certificate of the authority that signed Elasticsearch's certificates. Default: the system's authorities.",
  ),
  INDEX_ALIAS: setting(
    text(
      /^[a-z0-9][a-z0-9_.-]{0,200}$/,
      'at most 201 lower-case letters, digits, "-", "_" and ".", starting with a letter or digit',
    ),
    'Alias of the live Elasticsearch index.',
    'masthead-records',
  ),
  INDEX_SHARDS: setting(
    wholeNumber(1, 1_024, 'a number of shards from 1 to 1024'),
    'Primary shards of a new index. A changed value takes effect with the next `npm run indexer -- reindex`.',
    '1',
  ),
  INDEX_REPLICAS: setting(
    text(/^\d{1,2}(?:-(?:\d{1,2}|all))?$/, 'a number such as 2, or a range such as 0-1 or 0-all'),
    'Replicas of each shard of a new index: a number, or a range from which Elasticsearch picks according to the number of nodes. A changed value takes effect with the next `npm run indexer -- reindex`.',
    '0-1',
  ),
  KEY_PEPPER: secret(
    z
      .string()
      .min(minPepperLength, `at least ${minPepperLength} characters, for example from \`openssl rand -hex 32\``),
    `Secret that hashes API keys, at least ${minPepperLength} characters. Required for the production backend; the embedded backend creates one at its first start and stores it in its folder.`,
  ),
  PAYMENTS: optional(
    z.enum(['stripe', 'sandbox'], 'stripe or sandbox'),
    'Payment provider: stripe or sandbox. In the sandbox nobody pays and anyone can mark an order as paid. Default: stripe if one of its secrets is set; otherwise sandbox if the embedded backend listens on a loopback HOST, PUBLIC_URL is unset or loopback and TRUST_PROXY is false (the service then answers to loopback host names only); otherwise none.',
  ),
  STRIPE_SECRET_KEY: secret(
    text(/^(sk|rk)_(test|live)_[A-Za-z0-9_]{3,}$/, 'a secret or restricted Stripe key, such as sk_live_…'),
    'Secret or restricted key of your Stripe account.',
  ),
  STRIPE_WEBHOOK_SECRET: secret(
    text(/^whsec_[\x21-\x7e]{4,}$/, 'the signing secret of a webhook endpoint, such as whsec_…'),
    'Signing secret of the Stripe webhook endpoint /api/v1/webhooks/stripe; required with STRIPE_SECRET_KEY.',
  ),
  STRIPE_PROMOTION_CODES: setting(
    trueOrFalse,
    'Whether buyers can enter promotion codes of your Stripe account: true or false. A code of 100 % gives the plan away.',
    'false',
  ),
  STRIPE_INVOICES: setting(trueOrFalse, 'Whether Stripe makes an invoice for each payment: true or false.', 'false'),
  STRIPE_AUTOMATIC_TAX: setting(
    trueOrFalse,
    'Whether Stripe Tax adds taxes: true or false. First set up Stripe Tax in your account, with a default tax behaviour.',
    'false',
  ),
  STRIPE_PORTAL_URL: optional(
    httpUrl('an http(s) URL, such as https://billing.stripe.com/p/login/…'),
    'Login page of your Stripe customer portal, such as https://billing.stripe.com/p/login/…, for `billing_portal_url` in GET /me. With it, each payment makes a customer.',
  ),
  STRIPE_API_BASE: optional(
    httpUrl(bareUrl).refine((url) => URL.parse(url)?.pathname === '/', bareUrl),
    "Base URL of Stripe's API; only for tests.",
  ),
  CURRENCY: setting(
    z
      .string()
      .toUpperCase()
      .refine((code) => currencies.has(code), 'an ISO 4217 currency code, such as USD or EUR'),
    'Currency of the prices (ISO 4217 code).',
    'USD',
  ),
  CONTACT_EMAIL: optional(
    z.email('a plain email address, such as privacy@example.org'),
    'Email address for people who want to be removed from the list; shown on pages, in the API reference and in /.well-known/security.txt.',
  ),
  MEANING: setting(
    z.enum(['on', 'off'], 'on or off').transform((value) => value === 'on'),
    'Whether `match=meaning` is answered: on or off.',
    'on',
  ),
  EMBEDDINGS_URL: optional(
    httpUrl('an http(s) URL, such as http://127.0.0.1:11434/v1'),
    "Base URL of an API that speaks OpenAI's `/v1/embeddings`, such as http://127.0.0.1:11434/v1 for Ollama. Its model then helps to order what `match=meaning` finds. Needs EMBEDDINGS_MODEL.",
  ),
  EMBEDDINGS_MODEL: optional(z.string(), 'Name of the model at EMBEDDINGS_URL, such as nomic-embed-text.'),
  EMBEDDINGS_KEY: secret(text(/^[\x21-\x7e]+$/, 'a key without spaces'), 'Key for EMBEDDINGS_URL, if it needs one.'),
  EMBEDDINGS_TEXTS_PER_DAY: setting(
    wholeNumber(1, 100_000_000, 'a number of records from 1 to 100000000'),
    'Most records whose texts are sent to EMBEDDINGS_URL in a day (UTC): a limit on its cost.',
    '100000',
  ),
  RATE_LIMIT_ANONYMOUS: setting(perMinute, 'Requests per minute from one address without a key.', '120'),
  PUSH_MAX_LEADS: setting(
    wholeNumber(1, 100_000, 'leads, from 1 to 100000'),
    'Maximum number of leads in one push.',
    '10000',
  ),
  RATE_LIMIT_CHECKOUT: setting(perMinute, 'Checkouts and order reads per minute from one address.', '20'),
  HISTORY_DAYS: setting(
    days,
    'Days for which the changes of imports and other commands are kept, to show and undo them.',
    '90',
  ),
  DNS_SERVERS: optional(
    listed,
    'DNS resolvers that `indexer check-emails` asks, separated by commas, with a port if it is not 53. Default: those of the system.',
  ),
  TRUST_PROXY: setting(
    trustedProxies,
    'Proxies whose X-Forwarded-For is trusted: how many are in front of the service, or their addresses; false for none.',
    'false',
  ),
  METRICS_PORT: optional(
    port,
    'Port of a separate listener that serves /metrics to Prometheus; 0 picks a free one. Default: no metrics.',
  ),
  METRICS_HOST: setting(
    z.string(),
    'Address or host name of the metrics listener. It has no authentication: keep it on loopback or a private network.',
    '127.0.0.1',
  ),
  LOG_LEVEL: setting(
    z.enum(logLevels, `one of ${logLevels.join(', ')}`),
    `Minimum level of log lines: ${logLevels.join(', ')}.`,
    'info',
  ),
} satisfies Record<string, Setting>;

export function planSettings(tier: string) {
  const name = tier.toUpperCase();
  return { price: `${name}_PRICE`, days: `${name}_DAYS`, requestsPerMinute: `RATE_LIMIT_${name}` };
}

const ofPlans = plans.flatMap(({ tier, title, ...offer }): [string, Setting][] => {
  const names = planSettings(tier);
  const doc = `Price of the ${title} plan in minor units of CURRENCY (cents).`;
  return [
    [names.price, setting(price, doc, String(offer.price))],
    [names.days, setting(days, `Days a ${title} plan runs from its payment.`, String(offer.days))],
    [
      names.requestsPerMinute,
      setting(perMinute, `Requests per minute with one ${title} key.`, String(offer.requestsPerMinute)),
    ],
  ];
});

const ofTools = leadTools.flatMap(({ push }): [string, Setting][] => {
  if (push === null) return [];
  const { setting: name, doc, default: url } = push.base;
  return [[name, setting(httpUrl(`an http(s) URL, such as ${url}`), doc, url)]];
});

/** Every setting. docs/settings.md is generated from this. */
export const settings: typeof own & Record<string, Setting> = {
  ...own,
  ...Object.fromEntries([...ofPlans, ...ofTools]),
};

/** The values of the settings, null for an optional one that is not set. */
export type Values = {
  readonly [Name in keyof typeof own]:
    | z.output<(typeof own)[Name]['schema']>
    | ((typeof own)[Name] extends { default: string } ? never : null);
};

export const secretSettings = Object.entries<Setting>(settings).flatMap(([name, { isSecret }]) =>
  isSecret ? [name] : [],
);
