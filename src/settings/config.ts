import type { z } from 'zod';
import { type Offer, type PlanDefinition, plans } from '#accounts/plans.ts';
import { countEdits } from '#text/edit-distance.ts';
import { leadTools } from '../lead-tools/lead-tools.ts';
import { coreSettings, minPepperLength, perMinute } from './core-settings.ts';
import { findElasticsearchFaults, readElasticsearch } from './elasticsearch-settings.ts';
import { choosePayments, findPaymentFaults, paymentSettings } from './payment-settings.ts';
import {
  fileSettingOf,
  httpUrl,
  type OwnSetting,
  readSecretFiles,
  type Setting,
  textOf,
  wholeNumber,
} from './setting.ts';

const days = wholeNumber(1, 3_650, 'a number of days from 1 to 3650');
const price = wholeNumber(1, 99_999_999, 'a price in minor units of CURRENCY, from 1 to 99999999');

/** Beyond it the oldest changes of commands are deleted, but never the last. */
const maxHistoryBytes = 1_000_000_000;

/** A variable so short, or so different, is more likely another program's. */
const minLength = 6;
const maxEdits = 2;

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
function pushSettings() {
  return leadTools.flatMap(({ name, push }) => {
    if (push === null) return [];
    const { setting, ...base } = push.base;
    return { tool: name, base: { name: setting, ...base, schema: httpUrl(`an http(s) URL, such as ${base.default}`) } };
  });
}

/** Every setting, those of plans and tools next to what they belong to. docs/settings.md is generated from it. */
export const settings = listSettings();

function listSettings(): typeof coreSettings & Record<string, Setting> {
  const named = (own: readonly OwnSetting[]) => own.map((setting) => [setting.name, setting] as const);
  const following: Partial<Record<string, readonly (readonly [string, Setting])[]>> = {
    KEY_PEPPER: Object.entries(paymentSettings),
    CURRENCY: named(plans.flatMap((plan) => Object.values(planSettings(plan)))),
    CONTACT_EMAIL: named(pushSettings().map(({ base }) => base)),
  };
  const all = Object.entries<Setting>(coreSettings).flatMap(([name, setting]) => [
    [name, setting] as const,
    ...(following[name] ?? []),
  ]);
  return Object.fromEntries(all) as typeof coreSettings & Record<string, Setting>;
}

/** The settings whose values are secrets. */
export const secretSettings = listSecrets(settings);

function listSecrets(known: Record<string, Setting>): string[] {
  return Object.entries(known).flatMap(([name, { secret }]) => (secret ? [name] : []));
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
export function loadConfig(given: NodeJS.ProcessEnv = process.env): Config {
  const { env, faults } = readSecretFiles(given, secretSettings);
  const hasEverySecret = faults.length === 0;
  const values = readValues(settings, env, faults);
  // A secret that could not be read is not missing.
  if (hasEverySecret) {
    faults.push(...findBackendFaults(env), ...findElasticsearchFaults(values), ...findPaymentFaults(env));
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return toConfig(values, env);
}

/** Each variable of the environment that is probably a misspelt setting, with the setting that was meant. */
export function findMisspelt(given: NodeJS.ProcessEnv = process.env): string[] {
  const names = [...Object.keys(settings), ...secretSettings.map(fileSettingOf)];
  return Object.keys(given).flatMap((name) => {
    if (names.includes(name) || name.length < minLength) return [];
    const meant = names.find((one) => !(one in given) && countEdits(name.toUpperCase(), one, maxEdits) <= maxEdits);
    return meant === undefined ? [] : [`${name} is not a setting and has no effect. Did you mean ${meant}?`];
  });
}

/** The value of each setting; null without one. Adds a line for each fault. */
function readValues(
  known: Record<string, Setting>,
  env: NodeJS.ProcessEnv,
  faults: string[],
): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(known).map(([name, setting]) => {
      const text = textOf(env, name) ?? setting.default;
      if (text === undefined) return [name, null];
      const { data, error } = setting.schema.safeParse(text);
      if (error) faults.push(describeFault(name, setting, text, error));
      return [name, data];
    }),
  );
}

/** The settings of a process. */
export type Config = ReturnType<typeof toConfig>;

/** @param values of all settings, once they are valid */
function toConfig(values: ReadonlyMap<string, unknown>, env: NodeJS.ProcessEnv) {
  const read = <Name extends SettingName>(name: Name) => values.get(name) as ValueOf<Name>;
  const readOwn = <Value>({ name }: OwnSetting & { schema: z.ZodType<Value, string> }) => values.get(name) as Value;
  const offers = plans.map((plan): Offer => {
    const { price, days, requestsPerMinute } = planSettings(plan);
    const own = { price: readOwn(price), days: readOwn(days), requestsPerMinute: readOwn(requestsPerMinute) };
    return { ...plan, currency: read('CURRENCY'), ...own };
  });
  const metricsPort = read('METRICS_PORT');
  return {
    port: read('PORT'),
    host: read('HOST'),
    /** Without a trailing slash; null for the listening address. */
    publicUrl: read('PUBLIC_URL'),
    dataDir: read('MASTHEAD_DATA_DIR'),
    /** Both set for the production backend, both null for the embedded one. */
    mongoUri: read('MONGODB_URI'),
    elasticsearch: readElasticsearch(values),
    indexAlias: read('INDEX_ALIAS'),
    /** How a new index is distributed over the cluster. */
    indexLayout: { shards: read('INDEX_SHARDS'), replicas: read('INDEX_REPLICAS') },
    /** Null only for the embedded backend, which then creates its own. */
    keyPepper: read('KEY_PEPPER'),
    contactEmail: read('CONTACT_EMAIL'),
    payments: choosePayments(env, values),
    /** In the order of the registry. */
    plans: offers,
    /** The base URLs of outbound tools' APIs, without a trailing slash. */
    leadToolBases: Object.fromEntries(pushSettings().map(({ tool, base }) => [tool, readOwn(base)])),
    /** How long, and up to which size, the changes of commands are kept. */
    history: { days: read('HISTORY_DAYS'), maxBytes: maxHistoryBytes },
    /** Whom to ask about mail domains; empty for those of the system. */
    dnsServers: read('DNS_SERVERS') ?? [],
    /** Maximum number of leads in one push. */
    pushMaxLeads: read('PUSH_MAX_LEADS'),
    answersMeaning: read('MEANING'),
    /** A model of the operator's own; null for none. */
    embeddings: readEmbeddings(values),
    /** Requests a minute, with a key by its tier. */
    rateLimits: {
      ...Object.fromEntries(offers.map(({ tier, requestsPerMinute }) => [tier, requestsPerMinute])),
      anonymous: read('RATE_LIMIT_ANONYMOUS'),
      checkout: read('RATE_LIMIT_CHECKOUT'),
    },
    /** How many proxies, or which addresses, are trusted; false for none. */
    trustProxy: read('TRUST_PROXY'),
    /** The metrics listener; null for none. */
    metrics: metricsPort === null ? null : { host: read('METRICS_HOST'), port: metricsPort },
    /** The prefix of commands in texts; null for none. */
    commandPrefix: read('COMMAND_PREFIX'),
    logLevel: read('LOG_LEVEL'),
  };
}

function readEmbeddings(values: ReadonlyMap<string, unknown>) {
  const read = <Name extends SettingName>(name: Name) => values.get(name) as ValueOf<Name>;
  const [url, model] = [read('EMBEDDINGS_URL'), read('EMBEDDINGS_MODEL')];
  if (url === null || model === null) return null;
  return { url, model, key: read('EMBEDDINGS_KEY'), textsPerDay: read('EMBEDDINGS_TEXTS_PER_DAY') };
}

type SettingName = keyof typeof coreSettings;
/** A setting's value; null only if it has no default. */
type ValueOf<Name extends SettingName> =
  | z.output<(typeof coreSettings)[Name]['schema']>
  | ((typeof coreSettings)[Name] extends { default: string } ? never : null);

function describeFault(name: string, setting: Setting, text: string, error: z.ZodError): string {
  const expected = error.issues[0]?.message ?? setting.doc;
  const holdsPassword = /:\/\/[^/]*@/.test(text);
  return setting.secret || holdsPassword
    ? `${name} must be ${expected}.`
    : `${name} must be ${expected}, not ${JSON.stringify(text)}.`;
}

/** Rules between settings. */
function findBackendFaults(env: NodeJS.ProcessEnv): string[] {
  const isSet = (name: SettingName) => textOf(env, name) !== null;
  if (isSet('EMBEDDINGS_URL') !== isSet('EMBEDDINGS_MODEL')) {
    return ['EMBEDDINGS_URL and EMBEDDINGS_MODEL must be set together, or neither.'];
  }
  const [first, second] = ['MONGODB_URI', 'ELASTICSEARCH_URL'] as const;
  if (isSet(first) !== isSet(second)) {
    const [present, absent] = isSet(first) ? [first, second] : [second, first];
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
