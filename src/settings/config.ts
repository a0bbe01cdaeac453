import { isIP, isIPv6 } from 'node:net';
import { z } from 'zod';
import { isLoopbackHost } from '#domain/loopback.ts';
import { type Offer, type PlanDefinition, plans } from '#domain/plans/plans.ts';
import { leadTools } from '../lead-tools/lead-tools.ts';
import type { ToolDefinition } from '../lead-tools/tool-definition.ts';
import type { ProviderDefinition } from '../payments/provider-definition.ts';
import { providers } from '../payments/providers.ts';
import {
  certificateFile,
  cloudNode,
  type ElasticsearchConfig,
  findElasticsearchFaults,
  fingerprint,
  nodeUrls,
  toElasticsearchConfig,
} from './elasticsearch-settings.ts';
import { readSecretFiles } from './read-secret-files.ts';
import { httpUrl, type OwnSetting, type Setting, wholeNumber } from './setting.ts';

/** Minimum length of KEY_PEPPER: 32 characters; `openssl rand -base64 32` and similar give more. */
export const minPepperLength = 32;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const andWords = new Intl.ListFormat('en-GB');
const orWords = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const port = wholeNumber(0, 65_535, 'a port from 0 to 65535 (0 picks a free one)');
const days = wholeNumber(1, 3_650, 'a number of days from 1 to 3650');
const price = wholeNumber(1, 99_999_999, 'a price in minor units of CURRENCY, from 1 to 99999999');
const currencies = new Set(Intl.supportedValuesOf('currency'));
const perMinute = wholeNumber(1, 1_000_000, 'requests per minute, from 1 to 1000000');

/** The settings that do not depend on which plans there are. */
const coreSettings = {
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
  CURRENCY: {
    default: 'USD',
    doc: 'Currency of the prices (ISO 4217 code).',
    schema: z
      .string()
      .toUpperCase()
      .refine((code) => currencies.has(code), 'an ISO 4217 currency code, such as USD or EUR'),
  },
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

/** What there can be one more of: each row brings its own settings. */
export interface Variants {
  plans: readonly PlanDefinition[];
  leadTools: readonly ToolDefinition[];
  providers: readonly ProviderDefinition[];
}

const allVariants: Variants = { plans, leadTools, providers };

function planSettings({ tier, title, price: defaultPrice, days: defaultDays, requestsPerMinute }: PlanDefinition) {
  const name = tier.toUpperCase();
  return {
    price: {
      name: `${name}_PRICE`,
      default: String(defaultPrice),
      doc: `Price of the ${title} plan in minor units of CURRENCY (cents).`,
      schema: price,
    },
    days: {
      name: `${name}_DAYS`,
      default: String(defaultDays),
      doc: `Days a ${title} plan runs from its payment.`,
      schema: days,
    },
    requestsPerMinute: {
      name: `RATE_LIMIT_${name}`,
      default: String(requestsPerMinute),
      doc: `Requests per minute with one ${title} key.`,
      schema: perMinute,
    },
  };
}

/** The base URL of each tool's API, for tools that accept pushes. */
function pushSettings({ leadTools }: Variants) {
  return leadTools.flatMap(({ name, push }) => {
    if (push === null) return [];
    const { setting, ...base } = push.base;
    return { tool: name, base: { name: setting, ...base, schema: httpUrl(`an http(s) URL, such as ${base.default}`) } };
  });
}

function paymentsSetting({ providers }: Variants) {
  const names = orWords.format([...providers.map(({ name }) => name), 'sandbox']);
  return {
    name: 'PAYMENTS',
    default: null,
    doc: `Payment provider: ${names}. In the sandbox nobody pays and anyone can mark an order as paid. Default: the provider whose secret is set; otherwise sandbox if the embedded backend listens on a loopback HOST, PUBLIC_URL is unset or loopback and TRUST_PROXY is false (the service then answers to loopback host names only); otherwise none. The sandbox cannot be combined with a provider's secret.`,
    schema: z.string().refine((name) => name === 'sandbox' || providers.some((known) => known.name === name), names),
  };
}

/** All settings by name. The settings of these variants stand next to the settings they belong to. */
export function listSettings(variants: Variants): typeof coreSettings & Record<string, Setting> {
  const following: Partial<Record<string, readonly OwnSetting[]>> = {
    KEY_PEPPER: [paymentsSetting(variants), ...variants.providers.flatMap((provider) => provider.settings)],
    CURRENCY: variants.plans.flatMap((plan) => Object.values(planSettings(plan))),
    CONTACT_EMAIL: pushSettings(variants).map(({ base }) => base),
  };
  const all = Object.entries<Setting>(coreSettings).flatMap(([name, setting]) => [
    [name, setting] as const,
    ...(following[name] ?? []).map((own) => [own.name, own] as const),
  ]);
  return Object.fromEntries(all) as typeof coreSettings & Record<string, Setting>;
}

/** Every setting. docs/settings.md is generated from it. */
export const settings = listSettings(allVariants);

/** The settings whose values are secrets. */
export const secretSettings = listSecrets(settings);

function listSecrets(known: Record<string, Setting>): string[] {
  return Object.entries(known).flatMap(([name, { secret }]) => (secret ? [name] : []));
}

export interface Config {
  port: number;
  host: string;
  /** Without a trailing slash; null for the listening address. */
  publicUrl: string | null;
  dataDir: string;
  /** Both set for the production backend, both null for the embedded one. */
  mongoUri: string | null;
  elasticsearch: ElasticsearchConfig | null;
  indexAlias: string;
  /** How a new index is distributed over the cluster. */
  indexLayout: { shards: number; replicas: string };
  /** Null only for the embedded backend, which then creates its own. */
  keyPepper: string | null;
  contactEmail: string | null;
  /** The payment provider; `none`: nothing can be bought. */
  payments: ProviderChoice | { kind: 'sandbox'; wasAskedFor: boolean } | { kind: 'none' };
  /** In the order of the registry. */
  plans: readonly Offer[];
  /** The base URLs of outbound tools' APIs, without a trailing slash. */
  leadToolBases: Readonly<Record<string, string>>;
  /** Maximum number of leads in one push. */
  pushMaxLeads: number;
  pushMaxAtOnce: number;
  /** Requests a minute. */
  rateLimits: { anonymous: number; checkout: number; [tier: string]: number };
  /** How many proxies, or which addresses, are trusted; false for none. */
  trustProxy: false | number | readonly string[];
  /** The metrics listener; null for none. */
  metrics: { host: string; port: number } | null;
  /** The prefix of commands in texts; null for none. */
  commandPrefix: string | null;
  logLevel: (typeof logLevels)[number];
}

/** A provider with the values of its settings, by their names; null for an absent one. */
export interface ProviderChoice {
  kind: 'provider';
  provider: ProviderDefinition;
  values: Readonly<Record<string, string | null>>;
}

/** All invalid settings, one line per fault; no line shows a secret's value. */
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
export function loadConfig(given: NodeJS.ProcessEnv = process.env, variants = allVariants): Config {
  const known = listSettings(variants);
  const { env, faults } = readSecretFiles(given, listSecrets(known));
  const hasEverySecret = faults.length === 0;
  const values = new Map(
    Object.entries<Setting>(known).map(([name, setting]) => {
      const text = env[name]?.trim() || setting.default;
      const parsed = text === null ? null : setting.schema.safeParse(text);
      if (text !== null && parsed?.error) faults.push(describeFault(name, setting, text, parsed.error));
      return [name, parsed === null ? null : parsed.data];
    }),
  );
  const read = <Name extends SettingName>(name: Name) => values.get(name) as ValueOf<Name>;
  const readOwn = <Value>({ name }: OwnSetting & { schema: z.ZodType<Value, string> }) => values.get(name) as Value;

  const choices = variants.providers.map(
    (provider): ProviderChoice => ({
      kind: 'provider',
      provider,
      values: Object.fromEntries(provider.settings.map(({ name }) => [name, values.get(name) as string | null])),
    }),
  );
  const currency = read('CURRENCY');
  const offers = variants.plans.map((plan): Offer => {
    const own = planSettings(plan);
    return {
      ...plan,
      currency,
      price: readOwn(own.price),
      days: readOwn(own.days),
      requestsPerMinute: readOwn(own.requestsPerMinute),
    };
  });
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
    payments: choosePayments(env, choices),
    plans: offers,
    contactEmail: read('CONTACT_EMAIL'),
    leadToolBases: Object.fromEntries(pushSettings(variants).map(({ tool, base }) => [tool, readOwn(base)])),
    pushMaxLeads: read('PUSH_MAX_LEADS'),
    pushMaxAtOnce: read('PUSH_MAX_AT_ONCE'),
    rateLimits: {
      ...Object.fromEntries(offers.map(({ tier, requestsPerMinute }) => [tier, requestsPerMinute])),
      anonymous: read('RATE_LIMIT_ANONYMOUS'),
      checkout: read('RATE_LIMIT_CHECKOUT'),
    },
    trustProxy: read('TRUST_PROXY'),
    metrics: chooseMetrics(read('METRICS_HOST'), read('METRICS_PORT')),
    commandPrefix: read('COMMAND_PREFIX'),
    logLevel: read('LOG_LEVEL'),
  };
  const names = {
    isUrlSet: textOf(env, 'ELASTICSEARCH_URL') !== null,
    isCloudIdSet: textOf(env, 'ELASTIC_CLOUD_ID') !== null,
  };
  // A secret that could not be read is not missing.
  if (hasEverySecret) {
    const ofElasticsearch = findElasticsearchFaults(elasticsearch, names);
    faults.push(...findBackendFaults(env), ...ofElasticsearch, ...findPaymentFaults(env, variants.providers));
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function chooseMetrics(host: string, port: number | null): Config['metrics'] {
  return port === null ? null : { host, port };
}

type SettingName = keyof typeof coreSettings;
/** A setting's value; null only if it has no default. */
type ValueOf<Name extends SettingName> =
  | z.output<(typeof coreSettings)[Name]['schema']>
  | ((typeof coreSettings)[Name]['default'] extends null ? null : never);

function describeFault(name: string, setting: Setting, text: string, error: z.ZodError): string {
  const right = error.issues[0]?.message ?? setting.doc;
  const holdsPassword = /:\/\/[^/]*@/.test(text);
  return setting.secret || holdsPassword
    ? `${name} must be ${right}.`
    : `${name} must be ${right}, not ${JSON.stringify(text)}.`;
}

/** Rules between the settings of the backend. */
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

/** Rules between the settings of payments. */
function findPaymentFaults(env: NodeJS.ProcessEnv, providers: readonly ProviderDefinition[]): string[] {
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
function choosePayments(env: NodeJS.ProcessEnv, choices: readonly ProviderChoice[]): Config['payments'] {
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

function textOf(env: NodeJS.ProcessEnv, name: string): string | null {
  return env[name]?.trim() || null;
}

function isHost(text: string): boolean {
  const isName = /^(?:\w(?:[\w-]{0,61}\w)?\.)*\w(?:[\w-]{0,61}\w)?$/.test(text);
  return isIP(text) !== 0 || (isName && !/^[\d.]+$/.test(text));
}

/** A number of replicas, or a range in the form of Elasticsearch's `auto_expand_replicas`. */
function isReplicas(text: string): boolean {
  const [, least, most = least] = /^(\d{1,2})(?:-(\d{1,2}|all))?$/.exec(text) ?? [];
  return least !== undefined && (most === 'all' || Number(least) <= Number(most));
}

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

const trustsNobody = /^(false|0)$/i;

/**
 * The forms of Express' `trust proxy`, without `true`, which would let any caller choose the address it is counted
 * under.
 */
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
