import {
  type Db,
  MongoClient,
  type MongoClientOptions,
  MongoCompatibilityError,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { StartupError } from '#src/startup-error.ts';
import { connectionFaults, EngineDown } from '../engine-readiness.ts';

/** The database if MONGODB_URI names none. */
const defaultDatabase = 'masthead';

const unauthorized = 13;
const authenticationFailed = 18;
/** Errors of a server that shuts down, steps down or is not ready (the specification's "state change errors"). */
const passingCodes = new Set([91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436]);

/** How long to look for a server that answers, in milliseconds, if a request is waiting: it has two seconds. */
export const requestTimeoutMs = 1_200;

/**
 * How everything is read and written, whatever MONGODB_URI says: confirmed writes survive the loss of a server, and
 * reads return the last write. A payment event read from a lagging secondary would look as if it had been handled
 * already.
 */
export const primaryAndMajority = { readPreference: 'primary', writeConcern: { w: 'majority' } } as const;

/**
 * A client that has not connected yet. What MONGODB_URI sets itself (`maxPoolSize=`) is left as it is.
 *
 * @param timeoutMs how long an operation may look for a server and for a free connection
 * @throws StartupError when the URI cannot be read.
 */
export function createMongoClient(uri: string, timeoutMs: number): MongoClient {
  const defaults: MongoClientOptions = {
    appName: 'masthead',
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
  const given = new Set([...new URLSearchParams(uri.split('?')[1]).keys()].map((key) => key.toLowerCase()));
  const options = Object.fromEntries(Object.entries(defaults).filter(([key]) => !given.has(key.toLowerCase())));
  try {
    return new MongoClient(uri, options);
  } catch (error) {
    throw new StartupError(`MONGODB_URI is invalid: ${withoutCredentials(error)}`);
  }
}

/** The database in MONGODB_URI, read from the primary and written to a majority. */
export function openDatabase(client: MongoClient, uri: string): Db {
  return client.db(databaseName(uri), primaryAndMajority);
}

/** The name of the database in MONGODB_URI. */
export function databaseName(uri: string): string {
  const [, path = ''] = /^[^:]+:\/\/[^/?]*\/([^?]*)/.exec(uri) ?? [];
  return decodeURIComponent(path) || defaultDatabase;
}

/**
 * Connects, and checks that the server can hold records.
 *
 * @throws StartupError if it cannot.
 */
export async function checkMongo(client: MongoClient): Promise<void> {
  // Explicitly, because after a failed first connection operations alone do not try another one.
  await client.connect();
  const hello = await client.db('admin').command({ hello: 1 });
  const isSharded = hello.msg === 'isdbgrid';
  if (!isSharded && typeof hello.setName !== 'string') throw standalone();
}

/**
 * Why a connection failed: EngineDown if the server does not answer now, StartupError if it answers but is not usable;
 * otherwise the error itself.
 */
export async function explainMongoFault(error: unknown, client: MongoClient): Promise<unknown> {
  const hasNoServer = error instanceof MongoServerSelectionError;
  const faults = hasNoServer ? serverFaults(error) : [error];
  if (faults.some((fault) => fault instanceof MongoCompatibilityError)) {
    return new StartupError('MongoDB at MONGODB_URI is too old. Install version 4.4 or newer.');
  }
  if (faults.length > 0 && faults.every(isUnknownHost)) {
    return new StartupError(`The host in MONGODB_URI could not be resolved (${hostsOf(client)}). Check its name.`);
  }
  if (hasNoServer) return (await askDirectly(client)) ?? down(client, describeFault(faults[0] ?? error));
  if (error instanceof MongoServerError && error.code === authenticationFailed) {
    return new StartupError('MongoDB rejected the user or password in MONGODB_URI. Check them.');
  }
  if (error instanceof MongoServerError && error.code === unauthorized) return lacksRights(client);
  if (error instanceof MongoServerError && !passingCodes.has(Number(error.code))) {
    return new StartupError(`The database in MONGODB_URI could not be set up: ${withoutCredentials(error)}`);
  }
  return error instanceof MongoError || isLookup(error) ? down(client, describeFault(error)) : error;
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

function down(client: MongoClient, reason: string): EngineDown {
  return new EngineDown(`MongoDB does not answer at ${hostsOf(client)} (${reason})`);
}

/**
 * What the first server reports when a driver looking for a primary finds none: it may not be a replica set, have
 * another set's name, or not be initiated. null if it does not answer either.
 */
async function askDirectly({ options }: MongoClient): Promise<StartupError | EngineDown | null> {
  const [host] = options.hosts;
  if (host === undefined) return null;
  const direct = new MongoClient(`mongodb://${host}/`, {
    directConnection: true,
    tls: options.tls,
    serverSelectionTimeoutMS: requestTimeoutMs,
    connectTimeoutMS: requestTimeoutMs,
  });
  try {
    const hello = await direct.db('admin').command({ hello: 1 });
    if (hello.isreplicaset === true) {
      return new EngineDown(`MongoDB at ${host} is a replica set that is not initiated. Run rs.initiate() on it once`);
    }
    if (typeof hello.setName !== 'string') return standalone();
    if (options.replicaSet && hello.setName !== options.replicaSet) {
      return new StartupError(
        `MONGODB_URI says replicaSet=${options.replicaSet}, but the server at ${host} belongs to ${hello.setName}. Set that name.`,
      );
    }
    return new EngineDown(`MongoDB at ${host} has no reachable primary`);
  } catch {
    return null;
  } finally {
    await direct.close();
  }
}

function hostsOf({ options }: MongoClient): string {
  return options.srvHost ?? options.hosts.map(String).join(', ');
}

/** The error of each server that was tried. */
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
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\/\/[^@\s]{0,500}@/g, '//').replace(/\s+/g, ' ');
}
