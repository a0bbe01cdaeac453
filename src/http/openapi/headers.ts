import { z } from 'zod';

/* The headers of answers, by purpose. They are only described here; middleware/ and endpoints/ set them. */

const text = (id: string, description: string) => describe(z.string(), id, description);
const number = (least: number) => (id: string, description: string) => describe(z.int().min(least), id, description);
const count = number(0);
const seconds = number(1);

/** Each header is described once, in the document's components. */
function describe(schema: z.ZodType, id: string, description: string): z.ZodType {
  return schema.meta({ header: { id, description } });
}

/** On every answer. */
export const everyAnswer = {
  'X-Request-Id': text('RequestId', 'The id of the request in the log. Keeps the id that the caller sent, if any.'),
};

/** On every answer under /api/v1. */
export const allowance = {
  'RateLimit-Policy': text(
    'RateLimitPolicy',
    'The limit that applies: its name, the requests allowed (q) and the seconds they are counted over (w), such as `"pro";q=600;w=60`.',
  ),
  RateLimit: text(
    'RateLimit',
    'What is left of that limit: requests (r) and seconds until it resets (t), such as `"pro";r=599;t=42`.',
  ),
  'RateLimit-Limit': count('RateLimitLimit', 'Requests allowed per minute.'),
  'RateLimit-Remaining': count('RateLimitRemaining', 'Requests left in this minute.'),
  'RateLimit-Reset': seconds('RateLimitReset', 'Seconds until the limit resets.'),
};

export const caching = {
  ETag: text('ETag', 'Send it as If-None-Match. If nothing has changed, the answer is 304 without a body.'),
  'Cache-Control': text(
    'CacheControl',
    'private, no-cache: only the caller may store the answer, and must revalidate it each time.',
  ),
};

export const versioned = {
  ETag: text('ListVersion', 'The version of the list: send it as If-Match to write only to this version.'),
};

export const redirecting = { Location: text('Location', 'Where the answer is, relative to the path of the request.') };

export const paging = { Link: text('Link', 'Links to the first, previous, next and last reachable page (RFC 8288).') };

export const links = {
  Link: text('ServiceLinks', 'The reference (service-doc) and this document (service-desc), RFC 8631.'),
};

export const file = {
  'Content-Disposition': text('FileName', 'The file name, such as masthead-outlets-2026-11-21.csv.'),
  'X-Total-Count': count(
    'TotalCount',
    'The number of rows, minus any suppressed during the export. If the export fails midway, the connection breaks.',
  ),
  'X-Excluded-Count': count(
    'ExcludedCount',
    'Matches of other kinds that the file leaves out because no `kind` was given.',
  ),
  Trailer: text(
    'Trailer',
    'Content-Digest: the SHA-256 of the bytes as sent comes after them (RFC 9530). Absent under HTTP/1.0.',
  ).optional(),
};

/** On errors, by their status. */
export const onErrors: Record<number, Record<string, z.ZodType>> = {
  401: { 'WWW-Authenticate': text('Authenticate', 'Bearer, with error="invalid_token" if the key is not valid.') },
  429: { 'Retry-After': seconds('RetryAfterLimit', 'Seconds until you can send requests again.') },
  503: { 'Retry-After': seconds('RetryAfterOutage', 'Seconds to wait before trying again.') },
};
