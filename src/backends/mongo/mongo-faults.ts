import { MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { Problem } from '#domain/problem.ts';

const retryAfterSeconds = '5';
const documentValidationFailure = 121;
const duplicateKey = 11_000;

/** The store cannot answer now. `reason` is for the log. */
export function storeUnavailable(reason: string): Problem {
  return new Problem(
    'store_unavailable',
    'The store does not answer at the moment. Please try again.',
    { headers: { 'Retry-After': retryAfterSeconds } },
    { cause: new Error(reason) },
  );
}

/** Does the work, and turns what the driver throws into the Problem `store_unavailable`. */
export async function askMongo<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw isUnavailable(error) ? storeUnavailable(describe(error)) : error;
  }
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKey;
}

/** Whatever a driver says when the work itself was right; a read that its time limit ended, too. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError';
  if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) return false;
  return !isDuplicateKey(error) && !(error instanceof MongoServerError && error.code === documentValidationFailure);
}

/** What a server's error says may quote a document, and so an address: only its name is given on. */
function describe(error: unknown): string {
  if (error instanceof MongoServerError) return `MongoDB: ${error.codeName ?? `error ${error.code}`}`;
  return `MongoDB: ${(error as Error).name}: ${(error as Error).message}`;
}
