import { readKey } from './key.js';

/**
 * What the API says of an error (RFC 9457), or of a connection that failed.
 * @typedef {{ status: number, code: string, detail: string, errors: FieldError[], retryAfter: number | null }} Fault
 * @typedef {{ name: string, code: string, message: string, did_you_mean?: string }} FieldError
 */

/** An unsuccessful answer. */
export class ApiError extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(fault.detail);
    this.fault = fault;
  }
}

/**
 * Asks the API, with the key of this tab where there is one. Paths are relative, so that a service below a path works.
 * Throws an ApiError; an AbortError where the signal aborts.
 * @param {string} path such as `search?q=radio`
 * @param {RequestInit & { key?: string | null }} [options]
 */
export async function ask(path, { key = readKey(), headers, ...options } = {}) {
  const response = await fetch(`api/v1/${path}`, {
    ...options,
    cache: 'no-cache',
    headers: { ...headers, ...(key && { Authorization: `Bearer ${key}` }) },
  }).catch((error) => {
    if (error.name === 'AbortError') throw error;
    throw new ApiError({ status: 0, code: 'unreachable', detail: error.message, errors: [], retryAfter: 5 });
  });
  if (!response.ok) throw new ApiError(await readFault(response));
  return response;
}

/**
 * The JSON that the API answers.
 * @param {string} path
 * @param {RequestInit & { key?: string | null }} [options]
 * @returns {Promise<any>}
 */
export async function askJson(path, options) {
  return (await ask(path, options)).json();
}

/**
 * @param {Response} response
 * @returns {Promise<Fault>}
 */
async function readFault(response) {
  const body = await response.json().catch(() => ({}));
  return {
    status: response.status,
    code: body.code ?? 'internal',
    detail: body.detail ?? response.statusText,
    errors: body.errors ?? [],
    retryAfter: Number(response.headers.get('Retry-After')) || null,
  };
}

/**
 * What an error means for a person, and what to do about it.
 * @param {unknown} error
 * @returns {Fault & { title: string, advice: string }}
 */
export function explain(error) {
  if (!(error instanceof ApiError)) throw error;
  const { fault } = error;
  const [title, advice] = words[fault.code] ?? [
    'Something went wrong',
    'The service failed and logged the error. Try again in a moment.',
  ];
  return { ...fault, title, advice };
}

/** @type {Record<string, [string, string]>} */
const words = {
  unreachable: ['The service cannot be reached', 'Check your connection.'],
  invalid_request: ['This search is not valid', 'Change or remove the part named below.'],
  page_too_deep: ['No more pages', 'You can page through the first 10,000 results. Narrow the search, or export.'],
  key_missing: ['This needs a key', 'Enter your key above, or choose a plan.'],
  key_invalid: [
    'This key is not accepted',
    'It is mistyped, unknown or was replaced. Enter it again, or continue without one.',
  ],
  plan_required: ['Your plan does not include this', 'See the plans for one that does.'],
  plan_expired: ['Your plan has ended', 'Emails are masked and you cannot export until you buy a new one.'],
  order_not_found: ['Order not found', 'Check the order number and the claim token.'],
  not_found: ['Page not found', 'Go back to the search.'],
  rate_limited: ['Too many requests in a minute', 'Wait a moment. This page retries automatically.'],
  payment_failed: ['The payment could not be started', 'Nothing was bought. Try again in a moment.'],
  search_unavailable: ['Search is not available right now', 'This page retries automatically.'],
  store_unavailable: ['The service is not available right now', 'This page retries automatically.'],
};
