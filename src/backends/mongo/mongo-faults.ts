import {
  MongoAWSError,
  MongoBulkWriteError,
  MongoChangeStreamError,
  MongoClientClosedError,
  MongoDecompressionError,
  MongoError,
  MongoExpiredSessionError,
  MongoKerberosError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOIDCError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoStalePrimaryError,
  MongoSystemError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
  MongoWriteConcernError,
} from 'mongodb';
import { retold, withOutage } from '../with-outage.ts';

const duplicateKey = 11_000;
/** System errors of a broken connection. */
const brokenConnectionCodes: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT']);

/** Driver errors for no answering or no usable server. */
const driverOutages = [
  MongoNetworkError,
  MongoSystemError,
  MongoOperationTimeoutError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoServerClosedError,
  MongoStalePrimaryError,
  MongoExpiredSessionError,
  MongoChangeStreamError,
  MongoUnexpectedServerResponseError,
  MongoDecompressionError,
  MongoAWSError,
  MongoOIDCError,
  MongoKerberosError,
  MongoWriteConcernError,
];
/** Errors of the driver's connection pool; it does not export their classes. */
const poolOutages = new Set(['MongoPoolClosedError', 'MongoPoolClearedError', 'MongoWaitQueueTimeoutError']);
/** Labels that servers and the driver put on errors after which the same work may succeed. */
const passingLabels = [
  'RetryableWriteError',
  'RetryableError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'ResumableChangeStreamError',
  'SystemOverloadedError',
];
/** Runs work on the store. A server's message may quote a document, and so an address: the log gets only its name. */
export const { run: runOnMongo, unavailable: storeUnavailable } = withOutage({
  code: 'store_unavailable',
  retryAfter: 5,
  explain: () => 'The store is not available right now. Try again.',
  isOutage,
  describe: (error) => (error instanceof MongoError ? retold(error, describe(error)) : error),
});

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKey;
}

/**
 * Whether the connection broke while the driver waited to write more: it then passes on the system's own error without
 * retrying or classifying it.
 */
export function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof MongoError) return false;
  return brokenConnectionCodes.has((error as NodeJS.ErrnoException).code);
}

/** Whether the store cannot work now, including a read that timed out. */
function isOutage(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  if (!(error instanceof MongoError)) return isBrokenConnection(error);
  const cause = causeOf(error);
  if (cause !== error) return isOutage(cause);
  if (driverOutages.some((outage) => error instanceof outage) || poolOutages.has(error.name)) return true;
  if (passingLabels.some((label) => error.hasErrorLabel(label))) return true;
  return error instanceof MongoServerError && outageCodes.has(Number(error.code));
}

/** A bulk write wraps the driver's own errors in one of the server's, which has neither their class nor a code. */
function causeOf(error: MongoError): unknown {
  const wrapped: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : null;
  return wrapped instanceof Error ? wrapped : error;
}

function describe(error: MongoError): string {
  if (error instanceof MongoServerError) return `MongoDB: ${error.codeName ?? `error ${error.code}`}`;
  return `MongoDB: ${error.name}: ${error.message}`;
}

/** Server error codes (MongoDB's error_codes.yml), by what prevents the work. */
const groups = {
  // UserNotFound, Unauthorized, AuthenticationFailed, UserWritesBlocked, ReauthenticationRequired
  notLetIn: [11, 13, 18, 371, 391],
  // HostUnreachable, HostNotFound, NetworkTimeout, ClientDisconnect, ConnectionPoolExpired, ConnectionError, SocketException
  notReached: [6, 7, 89, 279, 317, 384, 9001],
  // ShutdownInProgress, NotYetInitialized, NotSecondary, PrimarySteppedDown, NotWritablePrimary, InterruptedAtShutdown,
  // Interrupted, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary
  notPrimary: [91, 94, 95, 189, 10107, 11600, 11601, 11602, 13435, 13436],
  // WriteConcernTimeout, UnknownReplWriteConcern, UnsatisfiableWriteConcern, FailedToSatisfyReadPreference,
  // ReadConcernMajorityNotAvailableYet
  tooFewOfTheSet: [64, 79, 100, 133, 134],
  // StaleShardVersion, ShardNotFound, StaleEpoch, StaleConfig
  shardsMove: [63, 70, 150, 13388],
  // LockTimeout, LockBusy, MaxTimeMSExpired, NetworkInterfaceExceededTimeLimit, ExceededTimeLimit
  tooLate: [24, 46, 50, 202, 262],
  // CursorNotFound, WriteConflict, QueryPlanKilled, TransactionTooOld, CursorKilled, SnapshotTooOld, SnapshotUnavailable,
  // NoSuchTransaction, PreparedTransactionInProgress, TransactionExceededLifetimeLimitSeconds
  othersCameFirst: [43, 112, 175, 225, 237, 239, 246, 251, 267, 290],
  // RetryChangeStream, ChangeStreamFatalError, ChangeStreamHistoryLost
  followingCutOff: [234, 280, 286],
  // TooManyLogicalSessions, AtlasError (a cluster over its quota), OutOfDiskSpace
  noRoom: [261, 8000, 14031],
};

/**
 * Server errors caused by the state of the set, load, space or timeouts. All other codes mean that the request is
 * wrong.
 */
const outageCodes: ReadonlySet<number> = new Set(Object.values(groups).flat());
