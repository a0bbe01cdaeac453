import { readKey, sessionKey } from './key.js';

/** @typedef {import('./views/fault.js').Fault} Fault @typedef {RequestInit & { key?: string | null }} Options */

class ApiError extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(fault.detail);
    this.fault = fault;
  }
}

/**
 * Sends a request with the key of this tab, or with the cookie of the session. Throws ApiError, or AbortError if it is aborted.
 * @param {string} path such as `search?q=radio` @param {Options} [options]
 */
async function ask(path, { key = readKey(), headers, ...options } = {}) {
  // Relative to this module, so that it works from every page, and if the service runs below a path.
  const response = await fetch(new URL(`../../api/v1/${path}`, import.meta.url), {
    credentials: key === sessionKey ? 'same-origin' : 'omit',
    ...options,
    cache: 'no-cache',
    headers: { ...headers, ...(key && key !== sessionKey && { Authorization: `Bearer ${key}` }) },
  }).catch(failUnreachable);
  if (!response.ok) throw new ApiError(await readFault(response));
  return response;
}

/** Sends a request and reads the JSON of the answer. @param {string} path @param {Options} [options] @returns {Promise<any>} */
export async function askJson(path, options) {
  const response = await ask(path, options);
  // If the connection breaks in the middle of the answer, it counts as no answer.
  return response.json().catch(failUnreachable);
}

/** The same, and the version that the answer has. @param {string} path @param {Options} [options] @returns {Promise<{ body: any, tag: string | null }>} */
export async function askTagged(path, options) {
  const response = await ask(path, options);
  return { body: await response.json().catch(failUnreachable), tag: response.headers.get('ETag') };
}

/** Sends a request and reads the whole file of the answer. @param {string} path @param {Options} [options] */
export async function askFile(path, options) {
  const response = await ask(path, options);
  return { file: await response.blob().catch(failUnreachable), headers: response.headers };
}

/** Sends a body and reads the answer. @param {string} path @param {object} body @param {Options} [options] */
export function send(path, body, { headers, ...options } = {}) {
  const allHeaders = { 'Content-Type': 'application/json', ...headers };
  return askJson(path, { method: 'POST', ...options, headers: allHeaders, body: JSON.stringify(body) });
}

/** @param {Error} error @returns {never} */
function failUnreachable(error) {
  if (error.name === 'AbortError') throw error;
  throw new ApiError({ status: 0, code: 'unreachable', title: '', detail: error.message, errors: [], retryAfter: 5 });
}

/** Seconds until another try: as many as the service says, if it says. @param {Fault} fault */
export function secondsUntilRetry({ retryAfter }) {
  return retryAfter ?? 5;
}

/** What the API said is wrong with a request. Rethrows any other error. @param {unknown} error */
export function faultOf(error) {
  if (!(error instanceof ApiError)) throw error;
  return error.fault;
}

/** Whether the same request may succeed later: the service was not reached, failed, or has had too many. @param {Fault} fault */
export function mayPass({ status }) {
  return status === 0 || status >= 500 || status === 429;
}

/** @param {Response} response @returns {Promise<Fault>} */
async function readFault(response) {
  const body = await response.json().catch(() => ({}));
  return {
    status: response.status,
    code: body.code ?? 'internal',
    title: body.title ?? response.statusText,
    detail: body.detail ?? '',
    errors: body.errors ?? [],
    retryAfter: Number(response.headers.get('Retry-After')) || null,
    ...(body.push && { push: body.push }),
  };
}
