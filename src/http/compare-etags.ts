import type { Express, Request } from 'express';
import fresh from 'fresh';

/**
 * Makes Express answer 304 exactly when If-None-Match names the ETag of the answer (RFC 9110, 13.1.2). By itself it
 * also treats `Cache-Control: no-cache` as a refusal, although that is meant for caches on the way and every `fetch`
 * with If-None-Match sends it; and it answers `*` with an empty 304 if there is no ETag, which would lose a key that is
 * given only once.
 */
export function compareEtags(app: Express): void {
  // The documented way to replace a property of requests ("Overriding the Express API").
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
