import { MastheadError, readRetryAfter } from './masthead-error.ts';

export interface RetryOptions {
  /** How often a request is sent again, 4 unless you say. 0 never. */
  retries?: number;
  /** The longest wait that is accepted, in seconds, 120 unless you say. If the service asks for more, the call fails. */
  maxWait?: number;
  /** Waits this many milliseconds. For tests, and for runtimes with timers of their own. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The refusals that go by: too many requests, and an engine that is away. */
const passing = [429, 503];

/**
 * `fetch` that sends a request again after 429 and 503, when Retry-After says, and after a broken connection. Only
 * requests that may arrive twice are sent twice: GET, and what has an Idempotency-Key. An order is not read again after a
 * broken connection: the lost answer may have had its key, which is given once.
 */
export function retryingFetch(
  send: typeof fetch,
  { retries = 4, maxWait = 120, wait = waitFor }: RetryOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const most = isRepeatable(request) ? retries : 0;
    for (let count = 0; ; count += 1) {
      const isLast = count >= most;
      // What is sent is used up.
      const answer = await attempt(send, isLast ? request : request.clone());
      const response = answer instanceof Response ? answer : null;
      const hasPassed = response !== null && !passing.includes(response.status);
      const seconds = (response && readRetryAfter(response.headers)) ?? backoff(count);
      if (hasPassed || isLast || seconds > maxWait || (response === null && mayHaveGivenKey(request))) {
        if (response === null) throw answer;
        return response;
      }
      await response?.body?.cancel();
      await wait(seconds * 1_000, request.signal);
    }
  };
}

function isRepeatable({ method, headers }: Request): boolean {
  return method === 'GET' || headers.has('Idempotency-Key');
}

function mayHaveGivenKey({ url }: Request): boolean {
  return /\/orders\/[^/]+$/.test(new URL(url).pathname);
}

/** The answer, or why there is none. Rejects if the caller has ended the call. */
async function attempt(send: typeof fetch, request: Request): Promise<Response | MastheadError> {
  try {
    return await send(request);
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    const { host } = new URL(request.url);
    return new MastheadError('connection_failed', `The service at ${host} cannot be reached.`, { cause });
  }
}

/** Seconds: half of one, doubled each time, of which up to half is left out by chance. */
function backoff(count: number): number {
  return 0.5 * 2 ** count * (1 - Math.random() / 2);
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
