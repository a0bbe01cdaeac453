import { Problem } from '#domain/problem.ts';

const retryAfterSeconds = '1';

/** What callers learn when a worker thread fails; the cause is for the log. */
export function searchUnavailable(cause: unknown): Problem {
  return new Problem(
    'search_unavailable',
    'The search index cannot be read at the moment. Try again shortly.',
    { headers: { 'Retry-After': retryAfterSeconds } },
    { cause },
  );
}
