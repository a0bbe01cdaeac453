import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { readError } from './masthead-error.ts';
import type { paths } from './openapi.ts';
import { type RetryOptions, retryingFetch } from './retrying-fetch.ts';

export interface MastheadOptions extends RetryOptions {
  /** Where the service is, such as https://masthead.example. */
  baseUrl: string;
  /**
   * The API key, or a function that gives it. The function is called once for each request, not for its retries, so that a
   * key can be replaced while the program runs. Without a key, addresses are masked and nothing can be exported.
   */
  apiKey?: string | (() => string | Promise<string>);
  /** In place of the runtime's own `fetch`. */
  fetch?: typeof fetch;
}

/** The API as the OpenAPI document describes it, with paths as names. */
export type Api = Client<paths>;

/** A client of every operation that adds the key, retries, and turns every refusal into a MastheadError. */
export function connect({ baseUrl, apiKey, fetch = globalThis.fetch, ...retry }: MastheadOptions): Api {
  const api = createClient<paths>({
    baseUrl: checkBaseUrl(baseUrl),
    fetch: retryingFetch(fetch, retry),
    querySerializer,
  });
  api.use(addKey(apiKey), refuse);
  return api;
}

function addKey(apiKey: MastheadOptions['apiKey']): Middleware {
  return {
    async onRequest({ request }) {
      const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
      if (key === undefined) return;
      // What a header cannot carry would be repeated in the error of the runtime.
      if (!/^[!-~]+$/.test(key)) throw new TypeError('The API key is empty or has characters that no key has.');
      request.headers.set('Authorization', `Bearer ${key}`);
    },
  };
}

const refuse: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await readError(response);
  },
};

/** @throws TypeError without the URL in it, which could hold a password. */
function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be a URL, such as https://masthead.example.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw new TypeError('baseUrl must not hold a password or parameters. Give the API key as apiKey.');
  }
  return url.href;
}

/** Several values repeat their parameter, except the names of fields, which are one value. */
function querySerializer(query: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const values = Array.isArray(value) && name !== 'fields' ? value : [value];
    for (const one of values) parameters.append(name, String(one));
  }
  return parameters.toString();
}
