import { Client, errors, UndiciConnection } from '@elastic/elasticsearch';
import { EngineDown } from '#backends/engine-readiness.ts';
import { StartupError } from '#ports/startup-error.ts';
import { describeFault } from './elasticsearch-faults.ts';

export interface ElasticsearchAddress {
  /** May hold a user and password. */
  url: string;
  apiKey: string | null;
}

/** How long an answer may take, in milliseconds, where whoever asks is a request: it has two seconds. */
export const requestPatienceMs = 1_800;
/** How long a step of a job may take, for which nobody waits, and how long the longest of them, a merge. */
const stepPatienceMs = 60_000;
export const longestPatienceMs = 60 * 60 * 1000;
const mostConnections = 64;
const oldestServer = { major: 8, minor: 0 };

/** A client that has not connected yet. It tries nothing again: whoever asks decides. */
export function createElasticsearchClient({ url, apiKey }: ElasticsearchAddress): Client {
  const { username, password } = new URL(url);
  const node = new URL(url);
  node.username = '';
  node.password = '';
  const user = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  const client = new Client({
    node: node.href,
    ...(apiKey !== null ? { auth: { apiKey } } : username !== '' ? { auth: user } : {}),
    Connection: UndiciConnection,
    agent: { connections: mostConnections },
    // Its connections hold to this one, so that a request can only be given less.
    requestTimeout: longestPatienceMs,
    maxRetries: 0,
    // Answers hold what this product wrote, and are read key by key: looking through each for __proto__ is in vain.
    disablePrototypePoisoningProtection: true,
  });
  return client.child({ requestTimeout: stepPatienceMs });
}

/**
 * Makes sure that what answers is an Elasticsearch that will do.
 *
 * @throws EngineDown while it does not answer, StartupError when waiting would not help.
 */
export async function checkElasticsearch(client: Client, address: ElasticsearchAddress): Promise<void> {
  const { host } = new URL(address.url);
  try {
    const { version } = await client.info({}, { requestTimeout: requestPatienceMs });
    const [major = 0, minor = 0] = version.number.split('.').map(Number);
    if (major < oldestServer.major || (major === oldestServer.major && minor < oldestServer.minor)) {
      throw new StartupError(
        `Elasticsearch under ELASTICSEARCH_URL is version ${version.number}, which is too old: install 8 or newer.`,
      );
    }
  } catch (error) {
    throw explainFault(error, host, address);
  }
}

function explainFault(error: unknown, host: string, { apiKey }: ElasticsearchAddress): unknown {
  if (error instanceof StartupError) return error;
  if (error instanceof errors.ProductNotSupportedError) return noElasticsearch(host);
  if (error instanceof errors.ResponseError) {
    switch (error.statusCode) {
      case 400:
      case 406:
        return new StartupError('Elasticsearch under ELASTICSEARCH_URL is too old: install 8 or newer.');
      case 401:
        return refused(apiKey);
      case 403:
        return new StartupError(
          'The user or key for Elasticsearch may not do enough: grant it "monitor" on the cluster and "all" on indices that begin with INDEX_ALIAS.',
        );
      case 404:
      case 405:
        return noElasticsearch(host);
    }
    return new EngineDown(`Elasticsearch at ${host} answers ${error.statusCode}`);
  }
  const code = codeOf(error);
  if (code === 'ENOTFOUND') {
    return new StartupError(`The host in ELASTICSEARCH_URL is not known here (${host}): check its name.`);
  }
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return new StartupError(
      `The certificate of Elasticsearch at ${host} is not trusted (${code}): name its authority's file in NODE_EXTRA_CA_CERTS.`,
    );
  }
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL')) {
    return new StartupError(`What answers at ${host} does not speak TLS: ELASTICSEARCH_URL should begin with http://.`);
  }
  if (error instanceof errors.ElasticsearchClientError) {
    return new EngineDown(`Elasticsearch does not answer at ${host} (${describeConnection(error, code)})`);
  }
  return error;
}

function noElasticsearch(host: string): StartupError {
  return new StartupError(`What answers at ${host} is no Elasticsearch: check ELASTICSEARCH_URL.`);
}

function refused(apiKey: string | null): StartupError {
  return new StartupError(
    apiKey === null
      ? 'Elasticsearch refuses the user or password in ELASTICSEARCH_URL, or wants one: set those it knows, or an ELASTICSEARCH_API_KEY.'
      : 'Elasticsearch refuses ELASTICSEARCH_API_KEY: make a new key and set its encoded form.',
  );
}

function describeConnection(error: errors.ElasticsearchClientError, code: string | undefined): string {
  const words: Record<string, string> = {
    ECONNREFUSED: 'connection refused',
    ECONNRESET: 'connection broken off',
    EHOSTUNREACH: 'host cannot be reached',
    EAI_AGAIN: 'the name service does not answer',
    UND_ERR_SOCKET: 'connection broken off',
  };
  if (error instanceof errors.TimeoutError) return 'no answer in time';
  return words[code ?? ''] ?? describeFault(error);
}

/** The system's word for what came in the way, however deep it is wrapped. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  const meta: unknown = (error as { meta?: { meta?: { connection?: unknown } } }).meta;
  return (
    codeOf(cause) ??
    (meta instanceof Error ? codeOf(meta) : undefined) ??
    /\b(E[A-Z]{4,}|UND_ERR_[A-Z]+)\b/.exec(error.message)?.[1]
  );
}
