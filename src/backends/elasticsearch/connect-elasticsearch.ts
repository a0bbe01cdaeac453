import {
  Client,
  type ClientOptions,
  ClusterConnectionPool,
  errors,
  Transport,
  type UndiciAgentOptions,
} from '@elastic/elasticsearch';
import { StartupError } from '#src/problem.ts';
import { connectionFaults, EngineDown } from '../engine-readiness.ts';
import { DirectConnection } from './direct-connection.ts';
import { describeFault } from './elasticsearch-faults.ts';

export interface ElasticsearchAddress {
  /** The URLs of its nodes, without credentials. */
  nodes: readonly string[];
  auth?: { apiKey: string } | { username: string; password: string } | null;
  /** The certificate authorities to trust, in PEM form; default: the system's. */
  ca?: string | null;
}

/** A cluster's client, and how its nodes did lately. */
export type Cluster = ReturnType<typeof connectCluster>;

/** A little less than the two seconds that a caller waits. */
const requestTimeoutMs = 1_800;
/** Timeouts of a job step, which nobody waits for, and of the longest one, a merge: 5,000,000 records take 40 minutes. */
const stepTimeoutMs = 60_000;
export const maxTimeoutMs = 6 * 60 * 60 * 1000;
const maxConnections = 64;
/** How long a silent node gets no requests, until a ping; doubled after each ping that fails. And the timeout of a ping. */
const firstRestMs = 2_000;
const pingTimeoutMs = 1_000;
/** The first that takes the bytes of a vector in hexadecimal (see index-document.ts). */
const minServerVersion = { major: 8, minor: 14 };
const oldestVersion = `${minServerVersion.major}.${minServerVersion.minor}`;
/** What a node reports before it has joined its cluster. */
const noCluster = '_na_';

/**
 * Job requests that must not be repeated: a second time they would fail or do too much. All others are sent once more,
 * to another node, if the first does not answer. Requests of callers handle that themselves.
 */
export const sentOnce = { maxRetries: 0 } as const;

/** Sets what the client has no option for: a node that is too slow counts like one that refuses, and nothing is traced. */
class TimelyTransport extends Transport {
  constructor(options: ConstructorParameters<typeof Transport>[0]) {
    super({ ...options, retryOnTimeout: true, openTelemetry: { enabled: false } });
  }
}

function optionsOf({ auth = null, ca = null }: ElasticsearchAddress): ClientOptions {
  return {
    ...(auth !== null && { auth }),
    ...(ca !== null && { tls: { ca } }),
    Connection: DirectConnection,
    // Sends nothing to a node that did not answer; the default pool only asks it less often.
    ConnectionPool: ClusterConnectionPool,
    pingTimeout: pingTimeoutMs,
    // bodyTimeout is missing from the client's types: the maximum pause within an answer.
    agent: { connections: maxConnections, bodyTimeout: stepTimeoutMs } as UndiciAgentOptions,
    // The client's upper limit: a request can only set a shorter one.
    requestTimeout: maxTimeoutMs,
    Transport: TimelyTransport,
    // Our own documents are read key by key, so checking each for __proto__ is unnecessary.
    disablePrototypePoisoningProtection: true,
  };
}

/** A client that has not connected yet. */
export function connectCluster(address: ElasticsearchAddress, timeoutMs = requestTimeoutMs) {
  const client = new Client({ ...optionsOf(address), nodes: [...address.nodes] });
  (client.connectionPool as ClusterConnectionPool).resurrectTimeout = firstRestMs;
  return {
    client: client.child({ requestTimeout: stepTimeoutMs, maxRetries: 1 }),
    /** Timeout of an answer that a request waits for, in milliseconds. */
    timeoutMs,
    /** Whether a request that a node did not answer may be sent to another. */
    hasOthers: address.nodes.length > 1,
    /** Until this performance.now() a node may hang, so Elasticsearch chooses the copies of the index. */
    unsureUntil: 0,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/**
 * Checks that the servers are a supported Elasticsearch: at least one node, and no nodes of different clusters. Returns
 * what is wrong with other nodes, one sentence each.
 *
 * @throws EngineDown while none of them answers, StartupError if waiting would not help.
 */
export async function checkElasticsearch(address: ElasticsearchAddress): Promise<string[]> {
  const checks = await Promise.all(address.nodes.map((node) => checkNode(node, address)));
  const faults = checks.flatMap((check) => ('fault' in check ? [check.fault] : []));
  if (faults.length === checks.length) throw faults.find((fault) => fault instanceof EngineDown) ?? faults[0];
  const clusters = new Set(checks.flatMap((check) => ('clusterId' in check ? [check.clusterId] : [])));
  clusters.delete(noCluster);
  if (clusters.size > 1) {
    throw new StartupError(
      'The nodes in ELASTICSEARCH_URL belong to different clusters. List the nodes of one cluster.',
    );
  }
  return faults.map(({ message }) => message);
}

type NodeCheck = { clusterId: string } | { fault: Error };

async function checkNode(node: string, address: ElasticsearchAddress): Promise<NodeCheck> {
  const { host } = new URL(node);
  const client = new Client({ ...optionsOf(address), node });
  try {
    const options = { requestTimeout: requestTimeoutMs, maxRetries: 0 };
    const { version, cluster_uuid: clusterId } = await client.info({}, options);
    const [major = 0, minor = 0] = version.number.split('.').map(Number);
    if (major > minServerVersion.major || (major === minServerVersion.major && minor >= minServerVersion.minor)) {
      return { clusterId };
    }
    const reason = `Elasticsearch at ${host} is version ${version.number}, which is too old. Install version ${oldestVersion} or newer.`;
    return { fault: new StartupError(reason) };
  } catch (error) {
    const fault = explainFault(error, host, address);
    if (fault instanceof StartupError || fault instanceof EngineDown) return { fault };
    throw fault;
  } finally {
    await client.close();
  }
}

/** What is wrong, as an operator can mend it; other errors as they are. */
function explainFault(error: unknown, host: string, { auth }: ElasticsearchAddress): unknown {
  if (error instanceof errors.ResponseError) {
    const reason = reasonsByStatus[error.statusCode ?? 0];
    if (error.statusCode === 401 && !auth) return new StartupError(needsCredentials);
    if (reason === undefined) return new EngineDown(`Elasticsearch at ${host} answers ${error.statusCode}`);
    return new StartupError(reason(host));
  }
  if (error instanceof errors.ProductNotSupportedError) return new StartupError(isAnother(host));
  if (!(error instanceof errors.ElasticsearchClientError)) return error;
  const { message } = error;
  // The client passes on only the message of the system's error.
  const code = /\b(E[A-Z]{4,}|EAI_AGAIN|UND_ERR_[A-Z]+)\b/.exec(message)?.[1];
  if (code === 'ENOTFOUND') {
    return new StartupError(`The host ${host} in ELASTICSEARCH_URL could not be resolved. Check its name.`);
  }
  if (/certificate|altnames/i.test(message)) return new StartupError(describeDistrust(host, message));
  if (code === 'EPROTO' || /\bSSL\b/.test(message)) {
    return new StartupError(`The server at ${host} does not use TLS. Use http:// in ELASTICSEARCH_URL.`);
  }
  const reason =
    error instanceof errors.TimeoutError ? 'timeout' : (connectionFaults[code ?? ''] ?? describeFault(error));
  return new EngineDown(`Elasticsearch does not answer at ${host} (${reason})`);
}

const isTooOld = (host: string) => `Elasticsearch at ${host} is too old. Install version ${oldestVersion} or newer.`;
const isAnother = (host: string) => `The server at ${host} is not Elasticsearch. Check ELASTICSEARCH_URL.`;
const needsCredentials =
  'Elasticsearch requires authentication. Set ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD, or ELASTICSEARCH_API_KEY.';

const reasonsByStatus: Record<number, (host: string) => string> = {
  400: isTooOld,
  401: () =>
    'Elasticsearch rejected the credentials. Check ELASTICSEARCH_USERNAME and its password, or create a new API key.',
  403: () =>
    'The user or key for Elasticsearch lacks permissions. Grant it "monitor" on the cluster and "all" on indices that begin with INDEX_ALIAS.',
  404: isAnother,
  405: isAnother,
  406: isTooOld,
};

function describeDistrust(host: string, message: string): string {
  const remedy = /altnames/i.test(message)
    ? "use the host name in the node's certificate in ELASTICSEARCH_URL"
    : 'set ELASTICSEARCH_CA_FILE to the certificate of the authority that signed it';
  return `The certificate of Elasticsearch at ${host} is not trusted (${message.split('.')[0]}): ${remedy}.`;
}
