import { Resolver } from 'node:dns';
import { isIP, isIPv6 } from 'node:net';
import { z } from 'zod';
import { elasticsearchSettings } from './elasticsearch-settings.ts';
import { httpUrl, type Setting, wholeNumber } from './setting.ts';

/** Minimum length of KEY_PEPPER: 32 characters; `openssl rand -base64 32` and similar give more. */
export const minPepperLength = 32;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const port = wholeNumber(0, 65_535, 'a port from 0 to 65535 (0 picks a free one)');
const host = z.string().refine(isHost, 'an IP address or a host name, such as 127.0.0.1 or 0.0.0.0');
const currencies = new Set(Intl.supportedValuesOf('currency'));
export const perMinute = wholeNumber(1, 1_000_000, 'requests per minute, from 1 to 1000000');

/** The settings that do not depend on which plans there are. */
export const coreSettings = {
  PORT: { default: '3000', doc: 'Port to listen on; 0 picks a free one.', schema: port },
  HOST: {
    default: '127.0.0.1',
    doc: 'Address or host name to listen on; 0.0.0.0 for every IPv4 interface, :: for all interfaces.',
    schema: host,
  },
  PUBLIC_URL: {
    doc: 'Base URL of the service, used in links. Default: the listening address.',
    schema: httpUrl('an http(s) URL, such as https://api.example.org'),
  },
  MASTHEAD_DATA_DIR: {
    default: './data',
    doc: 'Folder of the embedded backend: its database and its key pepper.',
    schema: z.string().refine((path) => !path.includes('\0'), 'the path of a folder'),
  },
  MONGODB_URI: {
    doc: 'MongoDB replica set that stores records and keys. Together with ELASTICSEARCH_URL it selects the production backend.',
    secret: true,
    schema: z.string().regex(/^mongodb(\+srv)?:\/\/./, 'a MongoDB connection string, such as mongodb://db.example.org'),
  },
  ...elasticsearchSettings,
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
    doc: 'Email address for people who want to be removed from the list; shown on pages, in the API reference and in /.well-known/security.txt.',
    schema: z.email('a plain email address, such as privacy@example.org'),
  },
  MEANING: {
    default: 'on',
    doc: 'Whether `match=meaning` is answered: on or off.',
    schema: z.enum(['on', 'off'], 'on or off').transform((value) => value === 'on'),
  },
  EMBEDDINGS_URL: {
    doc: "Base URL of an API that speaks OpenAI's `/v1/embeddings`, such as http://127.0.0.1:11434/v1 for Ollama. Its model then helps to order what `match=meaning` finds. Needs EMBEDDINGS_MODEL.",
    schema: httpUrl('an http(s) URL, such as http://127.0.0.1:11434/v1'),
  },
  EMBEDDINGS_MODEL: {
    doc: 'Name of the model at EMBEDDINGS_URL, such as nomic-embed-text.',
    schema: z.string(),
  },
  EMBEDDINGS_KEY: {
    doc: 'Key for EMBEDDINGS_URL, if it needs one.',
    secret: true,
    schema: z.string().regex(/^[\x21-\x7e]+$/, 'a key without spaces'),
  },
  EMBEDDINGS_TEXTS_PER_DAY: {
    default: '100000',
    doc: 'Most records whose texts are sent to EMBEDDINGS_URL in a day (UTC): a limit on its cost.',
    schema: wholeNumber(1, 100_000_000, 'a number of records from 1 to 100000000'),
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
  RATE_LIMIT_CHECKOUT: {
    default: '20',
    doc: 'Checkouts and order reads per minute from one address.',
    schema: perMinute,
  },
  HISTORY_DAYS: {
    default: '90',
    doc: 'Days for which the changes of imports and other commands are kept, to show and undo them.',
    schema: wholeNumber(1, 3_650, 'a number of days from 1 to 3650'),
  },
  DNS_SERVERS: {
    doc: 'DNS resolvers that `indexer check-emails` asks, separated by commas, with a port if it is not 53. Default: those of the system.',
    schema: z.string().transform(readDnsServers),
  },
  TRUST_PROXY: {
    default: 'false',
    doc: 'Proxies whose X-Forwarded-For is trusted: how many are in front of the service, or their addresses; false for none.',
    schema: z.string().transform(readTrustedProxies),
  },
  METRICS_PORT: {
    doc: 'Port of a separate listener that serves /metrics to Prometheus; 0 picks a free one. Default: no metrics.',
    schema: port,
  },
  METRICS_HOST: {
    default: '127.0.0.1',
    doc: 'Address or host name of the metrics listener. It has no authentication: keep it on loopback or a private network.',
    schema: host,
  },
  COMMAND_PREFIX: {
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

function isHost(text: string): boolean {
  const isName = /^(?:\w(?:[\w-]{0,61}\w)?\.)*\w(?:[\w-]{0,61}\w)?$/.test(text);
  return isIP(text) !== 0 || (isName && !/^[\d.]+$/.test(text));
}

/** A number of replicas, or a range in the form of Elasticsearch's `auto_expand_replicas`. */
function isReplicas(text: string): boolean {
  const [, least, most = least] = /^(\d{1,2})(?:-(\d{1,2}|all))?$/.exec(text) ?? [];
  return least !== undefined && (most === 'all' || Number(least) <= Number(most));
}

/** Addresses in the form that Node's resolver takes. */
function readDnsServers(text: string, context: z.RefinementCtx): string[] {
  const servers = text.split(',').map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
    return servers;
  } catch {
    context.addIssue('IP addresses separated by commas, such as 192.0.2.53, 192.0.2.54:5353, [2001:db8::53]:5353');
    return z.NEVER;
  }
}

/** TRUST_PROXY without proxies. */
export const trustsNobody = /^(false|0)$/i;

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

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
