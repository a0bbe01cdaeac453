import type { Express, Request } from 'express';
import fresh from 'fresh';

/**
 * Makes Express answer 304 exactly where If-None-Match names the ETag of the answer (RFC 9110, 13.1.2). On its own it
 * also reads `Cache-Control: no-cache` as a refusal, which is meant for caches on the way and which every `fetch` with
 * If-None-Match sends; and it answers `*` with an empty 304 where there is no ETag, so that a key that is given only
 * once would be lost.
 */
export function compareEtags(app: Express): void {
  // The way to replace a property of requests that Express documents ("Overriding the Express API").
  const { request } = app as unknown as { request: object };
  Object.defineProperty(request, 'fresh', {
    configurable: true,
    get(this: Request): boolean {
      return isFresh(this);
    },
  });
}

function isFresh({ method, headers, res }: Request): boolean {
  const etag = res?.get('ETag');
  const known = headers['if-none-match'];
  if (!etag || !known || !res || res.statusCode !== 200 || (method !== 'GET' && method !== 'HEAD')) return false;
  return fresh({ 'if-none-match': known.trim() }, { etag });
}
