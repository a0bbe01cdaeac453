import {
  MongoAWSError,
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
import { retold, withOutage } from '#backends/with-outage.ts';
import { outageCodes } from './outage-codes.ts';

const duplicateKey = 11_000;
/** What the system says of a connection that broke. */
const brokenConnectionCodes: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT']);

/** What the driver says where no server answers, or none that will do. */
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
/** Of the driver's connection pool; it does not export their classes. */
const poolOutages = new Set(['MongoPoolClosedError', 'MongoPoolClearedError', 'MongoWaitQueueTimeoutError']);
/** What servers and the driver put on errors after which the same work may succeed. */
const passingLabels = [
  'RetryableWriteError',
  'RetryableError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'ResumableChangeStreamError',
  'SystemOverloadedError',
];
/** Does work in the store. What a server says may quote a document, and so an address: the log gets its name alone. */
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
 * Whether the connection broke while the driver waited to write more to it: it gives on the system's own error then, and
 * neither tries again nor says what kind of fault it was.
 */
export function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof MongoError) return false;
  return brokenConnectionCodes.has((error as NodeJS.ErrnoException).code);
}

/** Whether the store cannot do the work now; a read that its time limit ended, too. */
function isOutage(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  if (!(error instanceof MongoError)) return isBrokenConnection(error);
  if (driverOutages.some((outage) => error instanceof outage) || poolOutages.has(error.name)) return true;
  if (passingLabels.some((label) => error.hasErrorLabel(label))) return true;
  return error instanceof MongoServerError && outageCodes.has(Number(error.code));
}

function describe(error: MongoError): string {
  if (error instanceof MongoServerError) return `MongoDB: ${error.codeName ?? `error ${error.code}`}`;
  return `MongoDB: ${error.name}: ${error.message}`;
}
