import {
  MongoBulkWriteError,
  MongoCompatibilityError,
  MongoError,
  MongoInvalidArgumentError,
  MongoParseError,
  MongoServerError,
} from 'mongodb';
import { retold, withOutage } from '../with-outage.ts';

const duplicateKey = 11_000;
/**
 * BadValue, FailedToParse, TypeMismatch, CommandNotFound, DocumentValidationFailure, BSONObjectTooLarge: the request is
 * wrong, as with those without a name (Location40324). All others come from the state of the set: InvalidOptions, too,
 * is how a server that is behind answers a read of what follows a change that it has not heard of.
 */
const wrongRequests: ReadonlySet<unknown> = new Set([2, 9, 14, 59, 121, 10_334, duplicateKey]);
/** Errors by which the driver refuses a request. */
const refusals = [MongoInvalidArgumentError, MongoParseError, MongoCompatibilityError];
/** System errors of a broken connection. */
const brokenConnectionCodes: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT']);

/** Runs work on the store. A server's message may quote a document, and so an address: the log gets only its name. */
export const { run: runOnMongo, unavailable: storeUnavailable } = withOutage({
  code: 'store_unavailable',
  explain: () => 'The store is not available right now. Try again.',
  isOutage,
  describe: (error) => (error instanceof MongoError ? retold(error, describe(error)) : error),
});

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKey;
}

/** The driver was waiting to write more: it then passes on the system's error, neither retried nor classified. */
export function isBrokenConnection(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof MongoError) return false;
  return brokenConnectionCodes.has((error as NodeJS.ErrnoException).code);
}

/** Whether the store cannot work now, including a read that timed out. */
function isOutage(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  if (!(error instanceof MongoError)) return isBrokenConnection(error);
  // A bulk write wraps the driver's own errors in one of the server's, which has neither their class nor a code.
  const wrapped: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : null;
  if (wrapped instanceof Error && wrapped !== error) return isOutage(wrapped);
  if (!(error instanceof MongoServerError)) return !refusals.some((refusal) => error instanceof refusal);
  return !wrongRequests.has(error.code) && !error.codeName?.startsWith('Location');
}

function describe(error: MongoError): string {
  if (error instanceof MongoServerError) return `MongoDB: ${error.codeName ?? `error ${error.code}`}`;
  return `MongoDB: ${error.name}: ${error.message}`;
}
