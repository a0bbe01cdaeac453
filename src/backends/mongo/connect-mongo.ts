import {
  type Db,
  MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { messageOf, StartupError } from '#src/problem.ts';
import { connectionFaults, EngineDown } from '../engine-readiness.ts';
import { connectionName } from './other-versions.ts';

const defaultDatabase = 'masthead';

const unauthorized = 13;
const authenticationFailed = 18;
/** Errors of a server that shuts down, steps down or is not ready (the specification's "state change errors"). */
const passingCodes = new Set([91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436]);

/** How long to look for a server that answers, in milliseconds, if a request is waiting: it has two seconds. */
export const requestTimeoutMs = 1_200;

/** Whatever MONGODB_URI says: confirmed writes survive the loss of a server, and reads return the last write. */
export const primaryAndMajority = { readPreference: 'primary', writeConcern: { w: 'majority' } } as const;

/**
 * A client that has not connected yet. What MONGODB_URI sets itself is left as it is; `timeoutMs` is how long an operation
 * may look for a server. Throws StartupError if the URI cannot be read.
 */
export function createMongoClient(uri: string, timeoutMs: number): MongoClient {
  const defaults: MongoClientOptions = {
    retryReads: true,
    retryWrites: true,
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    waitQueueTimeoutMS: timeoutMs,
    // A recovered server is noticed within this time, even without requests.
    heartbeatFrequencyMS: 2_000,
    maxPoolSize: 50,
    maxIdleTimeMS: 60_000,
    // A server that accepts connections and never answers, such as a stopped process.
    socketTimeoutMS: 60_000,
    // Other tools may store bytes that are not UTF-8. One such text must not make everything unreadable.
    enableUtf8Validation: false,
  };
  const setInUri = new Set([...new URLSearchParams(uri.split('?')[1]).keys()].map((key) => key.toLowerCase()));
  const options = Object.fromEntries(Object.entries(defaults).filter(([key]) => !setInUri.has(key.toLowerCase())));
  try {
    // Whatever MONGODB_URI says: other versions know by this name which form of which store a process reads.
    return new MongoClient(uri, { ...options, appName: connectionName(databaseName(uri)) });
  } catch (error) {
    throw new StartupError(`MONGODB_URI is invalid: ${withoutCredentials(error)}`);
  }
}

/** The database in MONGODB_URI, read from the primary and written to a majority. */
export function openDatabase(client: MongoClient, uri: string): Db {
  return client.db(databaseName(uri), primaryAndMajority);
}

export function databaseName(uri: string): string {
  const [, path = ''] = /^[^:]+:\/\/[^/?]*\/([^?]*)/.exec(uri) ?? [];
  return decodeURIComponent(path) || defaultDatabase;
}

/** Connects. Throws StartupError if the server cannot hold records. */
export async function checkMongo(client: MongoClient): Promise<void> {
  // Explicitly, because after a failed first connection operations alone do not try another one.
  await client.connect();
  const hello = await client.db('admin').command({ hello: 1 });
  const isSharded = hello.msg === 'isdbgrid';
  if (!isSharded && typeof hello.setName !== 'string') throw standalone();
}

/** EngineDown if the server is silent now, StartupError if it answers but is not usable; else the error itself. */
export function explainMongoFault(error: unknown, client: MongoClient): unknown {
  const hasNoServer = error instanceof MongoServerSelectionError;
  const faults = hasNoServer ? serverFaults(error) : [error];
  if (faults.length > 0 && faults.every(isUnknownHost)) {
    return new StartupError(`The host in MONGODB_URI could not be resolved (${hostsOf(client)}). Check its name.`);
  }
  if (hasNoServer && faults.length === 0) return withoutPrimary(client);
  if (hasNoServer) return withoutAnswer(client, describeFault(faults[0]));
  if (error instanceof MongoServerError && error.code === authenticationFailed) {
    return new StartupError('MongoDB rejected the user or password in MONGODB_URI. Check them.');
  }
  if (error instanceof MongoServerError && error.code === unauthorized) return lacksRights(client);
  if (error instanceof MongoServerError && !passingCodes.has(Number(error.code))) {
    return new StartupError(`The database in MONGODB_URI could not be set up: ${withoutCredentials(error)}`);
  }
  return error instanceof MongoError || isLookup(error) ? withoutAnswer(client, describeFault(error)) : error;
}

function lacksRights({ options }: MongoClient): StartupError {
  return new StartupError(
    options.credentials === undefined
      ? 'MongoDB requires authentication. Add a user and password to MONGODB_URI.'
      : 'The user in MONGODB_URI is not allowed to set up the database. Grant it readWrite and dbAdmin there (dbAdmin is needed for the first start and after an upgrade).',
  );
}

function standalone(): StartupError {
  return new StartupError(
    'MongoDB at MONGODB_URI is not a replica set, which Masthead needs for transactions. Start mongod with --replSet rs0, then run rs.initiate() once. One node is enough.',
  );
}

function withoutAnswer(client: MongoClient, reason: string): EngineDown {
  return new EngineDown(`MongoDB does not answer at ${hostsOf(client)} (${reason})`);
}

/** Servers answer, but none of them is the primary of the set that is looked for. */
function withoutPrimary(client: MongoClient): EngineDown {
  const set = client.options.replicaSet ? ` named ${client.options.replicaSet}` : '';
  return new EngineDown(
    `MongoDB at ${hostsOf(client)} has no primary of a replica set${set}. Start mongod with --replSet, run rs.initiate() once, and name the set in MONGODB_URI`,
  );
}

function hostsOf({ options }: MongoClient): string {
  return options.srvHost ?? options.hosts.map(String).join(', ');
}

function serverFaults({ reason }: MongoServerSelectionError): unknown[] {
  return [...(reason?.servers.values() ?? [])].flatMap(({ error }) => (error === null ? [] : [error]));
}

function isUnknownHost(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA'].includes(codeOf(error) ?? '');
}

/** Whether the hosts of a mongodb+srv URI could not be resolved. */
function isLookup(error: unknown): boolean {
  return /^query/.test((error as NodeJS.ErrnoException).syscall ?? '');
}

function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause instanceof Error ? codeOf(cause) : undefined;
}

function describeFault(fault: unknown): string {
  const code = codeOf(fault) ?? '';
  if (fault instanceof MongoServerSelectionError || code === 'ETIMEDOUT') return 'timeout';
  if (fault instanceof MongoNetworkError && / closed$/.test(fault.message)) return 'the server closed the connection';
  return connectionFaults[code] ?? withoutCredentials(fault);
}

/** An error's message in one line, without anything that may be a user and password. */
function withoutCredentials(error: unknown): string {
  const message = messageOf(error);
  return message.replace(/\/\/[^@\s]{0,500}@/g, '//').replace(/\s+/g, ' ');
}
