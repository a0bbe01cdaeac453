import { Problem } from '#domain/problem.ts';
import { isOutage } from './store-unavailable.ts';

const retryAfterSeconds = '1';

/** Does work on the index. What SQLite cannot do for want of the file, the disk or a lock is `search_unavailable`. */
export async function askIndex<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isOutage(error) ? searchUnavailable(error) : error;
  }
}

/** What callers learn when the index cannot be read; the cause is for the log. */
export function searchUnavailable(cause: unknown): Problem {
  return new Problem(
    'search_unavailable',
    'The search index cannot be read at the moment. Try again shortly.',
    { headers: { 'Retry-After': retryAfterSeconds } },
    { cause },
  );
}
