import { z } from 'zod';

/*
 * The headers of answers, by what they are for. They are described here and nowhere checked: what sets them is in
 * middleware/ and routes/.
 */

const text = (id: string, description: string) => describe(z.string(), id, description);
const number = (least: number) => (id: string, description: string) => describe(z.int().min(least), id, description);
const count = number(0);
const seconds = number(1);

/** A header is described once, among the document's components. */
function describe(schema: z.ZodType, id: string, description: string): z.ZodType {
  return schema.meta({ header: { id, description } });
}

/** On every answer. */
export const everyAnswer = {
  'X-Request-Id': text('RequestId', 'The id under which the request is logged; one that the caller sent is kept.'),
};

/** On every answer under /api/v1. */
export const allowance = {
  'RateLimit-Limit': count('RateLimitLimit', 'Requests that are allowed in a minute.'),
  'RateLimit-Remaining': count('RateLimitRemaining', 'How many of them are left.'),
  'RateLimit-Reset': seconds('RateLimitReset', 'Seconds until the count begins anew.'),
};

export const caching = {
  ETag: text('ETag', 'Send it as If-None-Match: where nothing has changed the answer is 304, without a body.'),
  'Cache-Control': text('CacheControl', 'private, no-cache: kept by nobody but the caller, and asked about each time.'),
};

export const paging = { Link: text('Link', 'The pages first, prev, next and last that can be reached (RFC 8288).') };

export const file = {
  'Content-Disposition': text('FileName', 'The name of the file, such as masthead-outlets-2026-11-21.csv.'),
  'X-Total-Count': count(
    'TotalCount',
    'The rows that follow, less what is suppressed meanwhile. A file that is cut off breaks the connection.',
  ),
};

/** On errors, by their status. */
export const onErrors: Record<number, Record<string, z.ZodType>> = {
  401: { 'WWW-Authenticate': text('Authenticate', 'Bearer.') },
  429: { 'Retry-After': seconds('RetryAfterLimit', 'Seconds until there is a new allowance.') },
  503: { 'Retry-After': seconds('RetryAfterOutage', 'Seconds after which to try again.') },
};
