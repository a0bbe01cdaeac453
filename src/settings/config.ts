import { isIP, isIPv6 } from 'node:net';
import { z } from 'zod';
import { isLoopbackHost } from '#domain/loopback.ts';
import type { LeadToolName } from '#domain/outbound/push.ts';
import type { Offers } from '#domain/plans/offer.ts';
import { trimEnd } from '#domain/trim-end.ts';
import {
  certificateFile,
  cloudNode,
  type ElasticsearchConfig,
  findElasticsearchFaults,
  fingerprint,
  nodeUrls,
  toElasticsearchConfig,
} from './elasticsearch-settings.ts';
import { parseHttpUrl } from './parse-http-url.ts';
import { readSecretFiles } from './read-secret-files.ts';

/** The shortest KEY_PEPPER taken: 32 characters, as `openssl rand -base64 32` and the like give more than. */
export const minPepperLength = 32;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** One setting: its environment variable, its meaning, and the schema that reads its text. */
export interface Setting {
  /** The default as text; null if the setting is optional. */
  default: string | null;
  doc: string;
  /** Its value is never shown, not even in an error, and can be given as a file: by `NAME_FILE` in place of `NAME`. */
  secret?: true;
  schema: z.ZodType<unknown, string>;
}

const port = wholeNumber(0, 65_535, 'a port from 0 to 65535 (0 picks a free one)');
const days = wholeNumber(1, 3_650, 'a number of days from 1 to 3650');
const price = wholeNumber(1, 99_999_999, 'a price in minor units of CURRENCY, from 1 to 99999999');
const currencies = new Set(Intl.supportedValuesOf('currency'));
const perMinute = wholeNumber(1, 1_000_000, 'requests per minute, from 1 to 1000000');

/** Every setting there is. docs/settings.md is made from it. */
export const settings = {
  PORT: { default: '3000', doc: 'Port to listen on; 0 picks a free one.', schema: port },
  HOST: {
    default: '127.0.0.1',
    doc: 'Address or host name to listen on; 0.0.0.0 for every IPv4 interface, :: for all interfaces.',
    schema: z.string().refine(isHost, 'an IP address or a host name, such as 127.0.0.1 or 0.0.0.0'),
  },
  PUBLIC_URL: {
    default: null,
    doc: 'Base URL of the service, used in links. Default: the listening address.',
    schema: httpUrl('an http(s) URL, such as https://api.example.org'),
  },
  MASTHEAD_DATA_DIR: {
    default: './data',
    doc: 'Folder of the embedded backend: its database and its key pepper.',
    schema: z.string().refine((path) => !path.includes('\0'), 'the path of a folder'),
  },
  MONGODB_URI: {
    default: null,
    doc: 'MongoDB replica set that stores records and keys. Together with ELASTICSEARCH_URL or ELASTIC_CLOUD_ID it selects the production backend.',
    secret: true,
    schema: z.string().regex(/^mongodb(\+srv)?:\/\/./, 'a MongoDB connection string, such as mongodb://db.example.org'),
  },
  ELASTICSEARCH_URL: {
    default: null,
    doc: 'Elasticsearch 8 or 9 for the searches of the production backend: all nodes that hold data, separated by commas.',
    secret: true,
    schema: nodeUrls,
  },
  ELASTIC_CLOUD_ID: {
    default: null,
    doc: 'Cloud ID of an Elastic Cloud deployment, instead of ELASTICSEARCH_URL.',
    schema: cloudNode,
  },
  ELASTICSEARCH_USERNAME: {
    default: null,
    doc: 'User for Elasticsearch, together with ELASTICSEARCH_PASSWORD.',
    schema: z.string(),
  },
  ELASTICSEARCH_PASSWORD: {
    default: null,
    doc: 'Password of ELASTICSEARCH_USERNAME.',
    secret: true,
    schema: z.string(),
  },
  ELASTICSEARCH_API_KEY: {
    default: null,
    doc: 'API key for Elasticsearch in its encoded form, instead of a user and password.',
    secret: true,
    schema: z.string().regex(/^[\x21-\x7e]+$/, 'the encoded form of an Elasticsearch API key, without spaces'),
  },
  ELASTICSEARCH_CA_FILE: {
    default: null,
    doc: "PEM file with the certificate of the authority that signed Elasticsearch's certificates. Default: the system's authorities.",
    schema: certificateFile,
  },
  ELASTICSEARCH_CA_FINGERPRINT: {
    default: null,
    doc: 'SHA-256 fingerprint of the certificate of that authority, instead of ELASTICSEARCH_CA_FILE.',
    schema: fingerprint,
  },
  INDEX_ALIAS: {
    default: 'masthead-records',
    doc: 'Alias of the live Elasticsearch index.',
    schema: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9_.-]{0,200}$/,
        'at most 201 lower-case letters, digits, "-", "_" and ".", starting with a letter or digit',
      ),
  },
  INDEX_SHARDS: {
    default: '1',
    doc: 'Primary shards of a new index. A changed value takes effect with the next `npm run indexer -- reindex`.',
    schema: wholeNumber(1, 1_024, 'a number of shards from 1 to 1024'),
  },
  INDEX_REPLICAS: {
    default: '0-1',
    doc: 'Replicas of each shard of a new index: a number, or a range from which Elasticsearch picks according to the number of nodes. A changed value takes effect with the next `npm run indexer -- reindex`.',
    schema: z.string().refine(isReplicas, 'a number such as 2, or a range such as 0-1 or 0-all'),
  },
  KEY_PEPPER: {
    default: null,
    doc: `Secret that hashes API keys, at least ${minPepperLength} characters. Required for the production backend; the embedded backend creates one at its first start and stores it in its folder.`,
    secret: true,
    schema: z
      .string()
      .min(minPepperLength, `at least ${minPepperLength} characters, for example from \`openssl rand -hex 32\``),
  },
  PAYMENTS: {
    default: null,
    doc: 'Payment provider: stripe, or sandbox, where nobody pays and anyone can mark an order as paid. Default: stripe if a Stripe secret is set; otherwise sandbox if the embedded backend listens on a loopback HOST, PUBLIC_URL is unset or loopback and TRUST_PROXY is false (the service then answers to loopback host names only); otherwise none. The sandbox cannot be combined with a Stripe secret.',
    schema: z.enum(['stripe', 'sandbox'], 'stripe or sandbox'),
  },
  STRIPE_SECRET_KEY: {
    default: null,
    doc: 'Secret or restricted key of your Stripe account.',
    secret: true,
    schema: z
      .string()
      .regex(/^(sk|rk)_(test|live)_[A-Za-z0-9_]{3,}$/, 'a secret or restricted Stripe key, such as sk_live_…'),
  },
  STRIPE_WEBHOOK_SECRET: {
    default: null,
    doc: 'Signing secret of the Stripe webhook endpoint /api/v1/webhooks/stripe; required with STRIPE_SECRET_KEY.',
    secret: true,
    schema: z.string().regex(/^whsec_[\x21-\x7e]{4,}$/, 'the signing secret of a webhook endpoint, such as whsec_…'),
  },
  STRIPE_API_BASE: {
    default: null,
    doc: "Base URL of Stripe's API; only for tests.",
    schema: httpUrl('an http(s) URL without a path, such as http://127.0.0.1:12111').refine(
      (url) => URL.parse(url)?.pathname === '/',
      'an http(s) URL without a path, such as http://127.0.0.1:12111',
    ),
  },
  PRO_PRICE: { default: '4900', doc: 'Price of the Pro plan in minor units of CURRENCY (cents).', schema: price },
  PREMIUM_PRICE: { default: '9900', doc: 'Price of the Premium plan in minor units of CURRENCY.', schema: price },
  CURRENCY: {
    default: 'USD',
    doc: 'Currency of the prices (ISO 4217 code).',
    schema: z
      .string()
      .toUpperCase()
      .refine((code) => currencies.has(code), 'an ISO 4217 currency code, such as USD or EUR'),
  },
  PRO_DAYS: { default: '30', doc: 'Days a Pro plan runs from its payment.', schema: days },
  PREMIUM_DAYS: { default: '30', doc: 'Days a Premium plan runs from its payment.', schema: days },
  CONTACT_EMAIL: {
    default: null,
    doc: 'Email address for people who want to be removed from the list; shown on pages and in the API reference.',
    schema: z.email('a plain email address, such as privacy@example.org'),
  },
  RATE_LIMIT_ANONYMOUS: {
    default: '120',
    doc: 'Requests per minute from one address without a key.',
    schema: perMinute,
  },
  RATE_LIMIT_PRO: { default: '600', doc: 'Requests per minute with one Pro key.', schema: perMinute },
  RATE_LIMIT_PREMIUM: { default: '1200', doc: 'Requests per minute with one Premium key.', schema: perMinute },
  INSTANTLY_API_BASE: {
    default: 'https://api.instantly.ai',
    doc: "Base URL of Instantly's API, without /api/v2. Change it only for tests.",
    schema: httpUrl('an http(s) URL, such as https://api.instantly.ai'),
  },
  SMARTLEAD_API_BASE: {
    default: 'https://server.smartlead.ai/api/v1',
    doc: "Base URL of Smartlead's API, with /api/v1. Change it only for tests.",
    schema: httpUrl('an http(s) URL, such as https://server.smartlead.ai/api/v1'),
  },
  PUSH_MAX_LEADS: {
    default: '10000',
    doc: 'Maximum number of leads in one push.',
    schema: wholeNumber(1, 100_000, 'leads, from 1 to 100000'),
  },
  PUSH_MAX_AT_ONCE: {
    default: '20',
    doc: 'Maximum number of pushes a process runs at once, for all keys. Each key can run two.',
    schema: wholeNumber(1, 1_000, 'pushes, from 1 to 1000'),
  },
  RATE_LIMIT_CHECKOUT: {
    default: '20',
    doc: 'Checkouts and order reads per minute from one address.',
    schema: perMinute,
  },
  TRUST_PROXY: {
    default: 'false',
    doc: 'Proxies whose X-Forwarded-For is trusted: how many are in front of the service, or their addresses; false for none.',
    schema: z.string().transform(readTrustedProxies),
  },
  METRICS_PORT: {
    default: null,
    doc: 'Port of a separate listener that serves /metrics to Prometheus; 0 picks a free one. Default: no metrics.',
    schema: port,
  },
  METRICS_HOST: {
    default: '127.0.0.1',
    doc: 'Address or host name of the metrics listener. It has no authentication: keep it on loopback or a private network.',
    schema: z.string().refine(isHost, 'an IP address or a host name, such as 127.0.0.1 or 0.0.0.0'),
  },
  COMMAND_PREFIX: {
    default: null,
    doc: 'Prefix for the commands that the service prints at its start, if they must be run elsewhere: `docker compose run --rm -T api`.',
    schema: z
      .string()
      .regex(/^[\x20-\x7e]{1,200}$/, 'the start of a command line, such as docker compose run --rm -T api'),
  },
  LOG_LEVEL: {
    default: 'info',
    doc: `Minimum level of log lines: ${logLevels.join(', ')}.`,
    schema: z.enum(logLevels, `one of ${logLevels.join(', ')}`),
  },
} as const satisfies Record<string, Setting>;

/** The settings whose values are secrets. */
export const secretSettings = Object.entries<Setting>(settings).flatMap(([name, { secret }]) => (secret ? [name] : []));

export interface Config {
  port: number;
  host: string;
  /** Without a slash at its end; null for the listening address. */
  publicUrl: string | null;
  dataDir: string;
  /** Both set for the production backend, both null for the embedded one. */
  mongoUri: string | null;
  elasticsearch: ElasticsearchConfig | null;
  indexAlias: string;
  /** How an index is spread over the cluster when it is made. */
  indexLayout: { shards: number; replicas: string };
  /** Null only for the embedded backend, which then makes its own. */
  keyPepper: string | null;
  contactEmail: string | null;
  /** Who takes payments; `none`: nobody, so nothing can be bought. */
  payments: { kind: 'stripe'; stripe: StripeSettings } | { kind: 'sandbox'; wasAskedFor: boolean } | { kind: 'none' };
  offers: Offers;
  /** Where the APIs of outbound tools are, without a slash at the end. */
  leadToolBases: Record<LeadToolName, string>;
  /** Maximum number of leads in one push. */
  pushMaxLeads: number;
  pushMaxAtOnce: number;
  /** Requests a minute. */
  rateLimits: { anonymous: number; pro: number; premium: number; checkout: number };
  /** How many proxies, or which addresses, are believed; false for none. */
  trustProxy: false | number | readonly string[];
  /** Where Prometheus is answered; null for nowhere. */
  metrics: { host: string; port: number } | null;
  /** The prefix of commands in texts; null for none. */
  commandPrefix: string | null;
  logLevel: (typeof logLevels)[number];
}

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Another place than Stripe's own, for tests. */
  apiBase: string | null;
}

/** All that is wrong with the settings, one line a fault; no line shows a secret's value. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads the settings from the environment, and secrets from the files it names. Empty values count as absent. Throws a
 * ConfigError that lists every fault.
 */
export function loadConfig(given: NodeJS.ProcessEnv = process.env): Config {
  const { env, faults } = readSecretFiles(given, secretSettings);
  const hasEverySecret = faults.length === 0;
  const read = <Name extends SettingName>(name: Name): ValueOf<Name> => {
    const setting: Setting = settings[name];
    const text = env[name]?.trim() || setting.default;
    if (text === null) return null as ValueOf<Name>;
    const parsed = setting.schema.safeParse(text);
    if (!parsed.success) faults.push(describeFault(name, setting, text, parsed.error));
    return parsed.data as ValueOf<Name>;
  };

  const currency = read('CURRENCY');
  const elasticsearch = {
    nodes: [...(read('ELASTICSEARCH_URL') ?? []), ...(read('ELASTIC_CLOUD_ID') ?? [])],
    username: read('ELASTICSEARCH_USERNAME') ?? null,
    password: read('ELASTICSEARCH_PASSWORD') ?? null,
    apiKey: read('ELASTICSEARCH_API_KEY') ?? null,
    ca: read('ELASTICSEARCH_CA_FILE') ?? null,
    caFingerprint: read('ELASTICSEARCH_CA_FINGERPRINT') ?? null,
  };
  const config: Config = {
    port: read('PORT'),
    host: read('HOST'),
    publicUrl: read('PUBLIC_URL'),
    dataDir: read('MASTHEAD_DATA_DIR'),
    mongoUri: read('MONGODB_URI'),
    elasticsearch: elasticsearch.nodes.length === 0 ? null : toElasticsearchConfig(elasticsearch),
    indexAlias: read('INDEX_ALIAS'),
    indexLayout: { shards: read('INDEX_SHARDS'), replicas: read('INDEX_REPLICAS') },
    keyPepper: read('KEY_PEPPER'),
    payments: choosePayments(env, {
      secretKey: read('STRIPE_SECRET_KEY') ?? '',
      webhookSecret: read('STRIPE_WEBHOOK_SECRET') ?? '',
      apiBase: read('STRIPE_API_BASE'),
    }),
    offers: {
      pro: { tier: 'pro', price: read('PRO_PRICE'), currency, days: read('PRO_DAYS') },
      premium: { tier: 'premium', price: read('PREMIUM_PRICE'), currency, days: read('PREMIUM_DAYS') },
    },
    contactEmail: read('CONTACT_EMAIL'),
    leadToolBases: { instantly: read('INSTANTLY_API_BASE'), smartlead: read('SMARTLEAD_API_BASE') },
    pushMaxLeads: read('PUSH_MAX_LEADS'),
    pushMaxAtOnce: read('PUSH_MAX_AT_ONCE'),
    rateLimits: {
      anonymous: read('RATE_LIMIT_ANONYMOUS'),
      pro: read('RATE_LIMIT_PRO'),
      premium: read('RATE_LIMIT_PREMIUM'),
      checkout: read('RATE_LIMIT_CHECKOUT'),
    },
    trustProxy: read('TRUST_PROXY'),
    metrics: chooseMetrics(read('METRICS_HOST'), read('METRICS_PORT')),
    commandPrefix: read('COMMAND_PREFIX'),
    logLevel: read('LOG_LEVEL'),
  };
  read('PAYMENTS');
  const names = {
    isUrlSet: textOf(env, 'ELASTICSEARCH_URL') !== null,
    isCloudIdSet: textOf(env, 'ELASTIC_CLOUD_ID') !== null,
  };
  // A secret that could not be read is not missing.
  if (hasEverySecret) {
    const ofElasticsearch = findElasticsearchFaults(elasticsearch, names);
    faults.push(...findBackendFaults(env), ...ofElasticsearch, ...findPaymentFaults(env));
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function chooseMetrics(host: string, port: number | null): Config['metrics'] {
  return port === null ? null : { host, port };
}

type SettingName = keyof typeof settings;
/** A setting's value; null only if it has no default. */
type ValueOf<Name extends SettingName> =
  | z.output<(typeof settings)[Name]['schema']>
  | ((typeof settings)[Name]['default'] extends null ? null : never);

function describeFault(name: string, setting: Setting, text: string, error: z.ZodError): string {
  const right = error.issues[0]?.message ?? setting.doc;
  const holdsPassword = /:\/\/[^/]*@/.test(text);
  return setting.secret || holdsPassword
    ? `${name} must be ${right}.`
    : `${name} must be ${right}, not ${JSON.stringify(text)}.`;
}

/** The rules that hold between the settings of the backend. */
function findBackendFaults(env: NodeJS.ProcessEnv): string[] {
  const isSet = (name: SettingName) => textOf(env, name) !== null;
  const isElasticsearchSet = isSet('ELASTICSEARCH_URL') || isSet('ELASTIC_CLOUD_ID');
  if (isSet('MONGODB_URI') !== isElasticsearchSet) {
    const [present, absent] = isSet('MONGODB_URI')
      ? ['MONGODB_URI', 'ELASTICSEARCH_URL']
      : [isSet('ELASTICSEARCH_URL') ? 'ELASTICSEARCH_URL' : 'ELASTIC_CLOUD_ID', 'MONGODB_URI'];
    return [
      `${absent} must be set too, because ${present} is set. The production backend needs both, the embedded backend neither.`,
    ];
  }
  if (isSet('MONGODB_URI') && !isSet('KEY_PEPPER')) {
    return [
      `KEY_PEPPER must be set for the production backend: at least ${minPepperLength} characters, the same for every process.`,
    ];
  }
  return [];
}

const stripeSecrets = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

/** The rules that hold between the settings of payments. */
function findPaymentFaults(env: NodeJS.ProcessEnv): string[] {
  const present = stripeSecrets.filter((name) => textOf(env, name) !== null);
  if (textOf(env, 'PAYMENTS') === 'sandbox' && present.length > 0) {
    return [
      `PAYMENTS=sandbox, where nobody pays, cannot be combined with ${present.join(' and ')}. Set PAYMENTS=stripe, or remove the Stripe secrets.`,
    ];
  }
  if (!asksForStripe(env)) return [];
  return stripeSecrets
    .filter((name) => !present.includes(name))
    .map(
      (name) =>
        `${name} must be set for payments with Stripe. To try the service without Stripe, set PAYMENTS=sandbox and no Stripe secret.`,
    );
}

function choosePayments(env: NodeJS.ProcessEnv, stripe: StripeSettings): Config['payments'] {
  if (textOf(env, 'PAYMENTS') === 'sandbox') return { kind: 'sandbox', wasAskedFor: true };
  if (asksForStripe(env)) return { kind: 'stripe', stripe };
  return isForThisMachineAlone(env) ? { kind: 'sandbox', wasAskedFor: false } : { kind: 'none' };
}

/**
 * Whether only people at this machine can be using the service. A loopback HOST alone does not tell: a service behind a
 * reverse proxy has one too, which shows in another PUBLIC_URL or a trusted proxy.
 */
function isForThisMachineAlone(env: NodeJS.ProcessEnv): boolean {
  const publicUrl = textOf(env, 'PUBLIC_URL');
  return (
    textOf(env, 'MONGODB_URI') === null &&
    isLoopbackHost(textOf(env, 'HOST') ?? settings.HOST.default) &&
    (publicUrl === null || isLoopbackHost(URL.parse(publicUrl)?.hostname ?? '')) &&
    trustsNobody.test(textOf(env, 'TRUST_PROXY') ?? settings.TRUST_PROXY.default)
  );
}

/** Either of its secrets asks for it, so that one that was forgotten is a fault and no silent sandbox. */
function asksForStripe(env: NodeJS.ProcessEnv): boolean {
  const asked = textOf(env, 'PAYMENTS');
  if (asked !== null) return asked === 'stripe';
  return textOf(env, 'STRIPE_SECRET_KEY') !== null || textOf(env, 'STRIPE_WEBHOOK_SECRET') !== null;
}

function textOf(env: NodeJS.ProcessEnv, name: SettingName): string | null {
  return env[name]?.trim() || null;
}

function wholeNumber(least: number, most: number, right: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { message: right, abort: true })
    .transform(Number)
    .refine((value) => value >= least && value <= most, right);
}

/** An http(s) URL without credentials, query and fragment, given back without a slash at its end. */
function httpUrl(right: string) {
  return z.string().transform((text, context) => {
    const url = parseHttpUrl(text);
    if (url !== null && !url.username && !url.password) return trimEnd(url.href, '/');
    context.addIssue(right);
    return z.NEVER;
  });
}

function isHost(text: string): boolean {
  const isName = /^(?:\w(?:[\w-]{0,61}\w)?\.)*\w(?:[\w-]{0,61}\w)?$/.test(text);
  return isIP(text) !== 0 || (isName && !/^[\d.]+$/.test(text));
}

/** A number of copies, or a range in Elasticsearch's form of `auto_expand_replicas`. */
function isReplicas(text: string): boolean {
  const [, least, most = least] = /^(\d{1,2})(?:-(\d{1,2}|all))?$/.exec(text) ?? [];
  return least !== undefined && (most === 'all' || Number(least) <= Number(most));
}

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

const trustsNobody = /^(false|0)$/i;

/** Express' forms of `trust proxy`, without `true`: it would let any caller choose the address it is counted under. */
function readTrustedProxies(text: string, context: z.RefinementCtx): false | number | string[] {
  if (trustsNobody.test(text)) return false;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  const proxies = text.split(',').map((proxy) => proxy.trim());
  if (proxies.every((proxy) => proxyNames.includes(proxy) || isAddressRange(proxy))) return proxies;
  context.addIssue(
    'false, the number of proxies in front (1 to 99), or their addresses or ranges separated by commas, such as 10.0.0.0/8, loopback',
  );
  return z.NEVER;
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32));
}
