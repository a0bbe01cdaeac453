import { z } from 'zod';
import { plans } from '#accounts/plans.ts';
import { leadTools } from '../lead-tools/lead-tools.ts';
import descriptions from './settings.json' with { type: 'json' };
import {
  certificateFile,
  dnsServers,
  httpUrl,
  listed,
  nodeUrls,
  smtpServer,
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
  isSecret?: boolean;
  /** The message of its issues completes the sentence "NAME must be …". */
  schema: z.ZodType<Value, string>;
}

/** Minimum length of KEY_PEPPER: 32 characters; `openssl rand -base64 32` and similar give more. */
export const minPepperLength = 32;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = wholeNumber(0, 65_535, 'a port from 0 to 65535 (0 picks a free one)');
const currencies = new Set(Intl.supportedValuesOf('currency'));
const perMinute = wholeNumber(1, 1_000_000, 'requests per minute, from 1 to 1000000');
const days = wholeNumber(1, 3_650, 'a number of days from 1 to 3650');
const price = wholeNumber(1, 99_999_999, 'a price in minor units of CURRENCY, from 1 to 99999999');
const bareUrl = 'an http(s) URL without a path, such as http://127.0.0.1:12111';
const origins = 'http(s) URLs without a path, separated by commas, such as https://shop.example.org';

/** What the value of each setting must be. Its default and its documentation are in settings.json. */
const schemas = {
  PORT: port,
  HOST: z.string(),
  PUBLIC_URL: httpUrl('an http(s) URL, such as https://api.example.org'),
  RETURN_ORIGINS: listed.pipe(z.array(httpUrl(origins).refine((url) => URL.parse(url)?.origin === url, origins))),
  MASTHEAD_DATA_DIR: z.string().refine((path) => !path.includes('\0'), 'the path of a folder'),
  MONGODB_URI: text(/^mongodb(\+srv)?:\/\/./, 'a MongoDB connection string, such as mongodb://db.example.org'),
  ELASTICSEARCH_URL: nodeUrls,
  ELASTICSEARCH_USERNAME: z.string(),
  ELASTICSEARCH_PASSWORD: z.string(),
  ELASTICSEARCH_API_KEY: text(/^[\x21-\x7e]+$/, 'the encoded form of an Elasticsearch API key, without spaces'),
  ELASTICSEARCH_CA_FILE: certificateFile,
  INDEX_ALIAS: text(
    /^[a-z0-9][a-z0-9_.-]{0,200}$/,
    'at most 201 lower-case letters, digits, "-", "_" and ".", starting with a letter or digit',
  ),
  INDEX_SHARDS: wholeNumber(1, 1_024, 'a number of shards from 1 to 1024'),
  INDEX_REPLICAS: text(/^\d{1,2}(?:-(?:\d{1,2}|all))?$/, 'a number such as 2, or a range such as 0-1 or 0-all'),
  KEY_PEPPER: z
    .string()
    .min(minPepperLength, `at least ${minPepperLength} characters, for example from \`openssl rand -hex 32\``),
  PAYMENTS: z.enum(['stripe', 'sandbox'], 'stripe or sandbox'),
  STRIPE_SECRET_KEY: text(
    /^(sk|rk)_(test|live)_[A-Za-z0-9_]{3,}$/,
    'a secret or restricted Stripe key, such as sk_live_…',
  ),
  STRIPE_WEBHOOK_SECRET: text(/^whsec_[\x21-\x7e]{4,}$/, 'the signing secret of a webhook endpoint, such as whsec_…'),
  STRIPE_PROMOTION_CODES: trueOrFalse,
  STRIPE_INVOICES: trueOrFalse,
  STRIPE_AUTOMATIC_TAX: trueOrFalse,
  STRIPE_PORTAL_URL: httpUrl('an http(s) URL, such as https://billing.stripe.com/p/login/…'),
  STRIPE_API_BASE: httpUrl(bareUrl).refine((url) => URL.parse(url)?.pathname === '/', bareUrl),
  CURRENCY: z
    .string()
    .toUpperCase()
    .refine((code) => currencies.has(code), 'an ISO 4217 currency code, such as USD or EUR'),
  SMTP_URL: smtpServer,
  MAIL_FROM: z.email('a plain email address, such as plans@example.org'),
  CONTACT_EMAIL: z.email('a plain email address, such as privacy@example.org'),
  OPERATOR_NAME: z.string().max(100, 'a name of at most 100 characters'),
  TERMS_URL: httpUrl('an http(s) URL, such as https://www.example.org/terms'),
  PRIVACY_URL: httpUrl('an http(s) URL, such as https://www.example.org/privacy'),
  REFUND_DAYS: days,
  MEANING: z.enum(['on', 'off'], 'on or off').transform((value) => value === 'on'),
  EMBEDDINGS_URL: httpUrl('an http(s) URL, such as http://127.0.0.1:11434/v1'),
  EMBEDDINGS_MODEL: z.string(),
  EMBEDDINGS_KEY: text(/^[\x21-\x7e]+$/, 'a key without spaces'),
  EMBEDDINGS_TEXTS_PER_DAY: wholeNumber(1, 100_000_000, 'a number of records from 1 to 100000000'),
  RATE_LIMIT_ANONYMOUS: perMinute,
  PUSH_MAX_LEADS: wholeNumber(1, 100_000, 'leads, from 1 to 100000'),
  RATE_LIMIT_CHECKOUT: perMinute,
  HISTORY_DAYS: days,
  DNS_SERVERS: dnsServers,
  TRUST_PROXY: trustedProxies,
  METRICS_PORT: port,
  METRICS_HOST: z.string(),
  LOG_LEVEL: z.enum(logLevels, `one of ${logLevels.join(', ')}`),
} satisfies Record<keyof typeof descriptions, z.ZodType<unknown, string>>;

export function planSettings(tier: string) {
  const name = tier.toUpperCase();
  return { price: `${name}_PRICE`, days: `${name}_DAYS`, requestsPerMinute: `RATE_LIMIT_${name}` };
}

const ofPlans = plans.flatMap(({ tier, title, ...offer }): [string, Setting][] => {
  const names = planSettings(tier);
  const doc = `Price of the ${title} plan in minor units of CURRENCY (cents).`;
  const limit = `Requests per minute with one ${title} key.`;
  return [
    [names.price, { schema: price, doc, default: String(offer.price) }],
    [names.days, { schema: days, doc: `Days a ${title} plan runs from its payment.`, default: String(offer.days) }],
    [names.requestsPerMinute, { schema: perMinute, doc: limit, default: String(offer.requestsPerMinute) }],
  ];
});

const ofTools = leadTools.flatMap(({ push }): [string, Setting][] => {
  if (push === null) return [];
  const { setting: name, ...described } = push.base;
  return [[name, { schema: httpUrl(`an http(s) URL, such as ${described.default}`), ...described }]];
});

const ownSettings = Object.entries(schemas).map(([name, schema]): [string, Setting] => {
  return [name, { schema, ...descriptions[name as keyof typeof schemas] }];
});

/** Every setting. docs/settings.md is generated from this. */
export const settings = Object.fromEntries([...ownSettings, ...ofPlans, ...ofTools]) as typeof descriptions &
  Record<string, Setting>;

/** The values of the settings, null for an optional one that is not set. */
export type Values = {
  readonly [Name in keyof typeof schemas]:
    | z.output<(typeof schemas)[Name]>
    | ((typeof descriptions)[Name] extends { default: string } ? never : null);
};

export const secretSettings = Object.entries<Setting>(settings).flatMap(([name, { isSecret }]) =>
  isSecret ? [name] : [],
);
