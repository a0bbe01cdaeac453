import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller, StoredKey } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';

/** What the first steps of a request pass on to later ones. */
interface RequestState {
  requestId: string;
  /** The caller, or why the request is refused; absent outside /api/v1. */
  admission?: Admission;
  /** The HMAC of the key that was sent, if it is the caller's. */
  secret?: string;
  /** Present where errors are answered as JSON-RPC responses. */
  speaksJsonRpc?: true;
}

/** `refusal`: allowance used up, invalid key, or key store down. */
export type Admission = { caller: Caller } | { refusal: Problem };

/** The state of a request, kept with its response. */
export function stateOf(res: Response): RequestState {
  return res.locals as RequestState;
}

/** Throws why the caller is refused: 429, 401 or 503. */
export function requireAdmission(res: Response): void {
  const { admission } = stateOf(res);
  if (admission && 'refusal' in admission) throw admission.refusal;
}

/** The caller. Only for steps after `admit`. */
export function callerOf(res: Response): Caller {
  const { admission } = stateOf(res);
  if (admission === undefined || 'refusal' in admission) throw new Error('The route has no admit step.');
  return admission.caller;
}

/** The caller's key. Throws Problem `key_missing` if there is none. */
export function keyOf(res: Response): StoredKey {
  const { key } = callerOf(res);
  if (key === null)
    throw new Problem('key_missing', 'This request needs a key. Send it in the header `Authorization: Bearer <key>`.');
  return key;
}

/** The HMAC of the key that the caller sent: of its current secret or of the one before. For steps that require a key. */
export function secretOf(res: Response): string {
  const { secret } = stateOf(res);
  if (secret === undefined) throw new Error('The route does not require a key.');
  return secret;
}

/** An id that a caller or proxy may choose: nothing that could break a header or a log line. */
const saneId = /^[A-Za-z0-9_-]{1,64}$/;

/** Gives the request its own id if that is valid, otherwise a new one; the answer contains it. */
export const assignRequestId: RequestHandler = (req, res, next) => {
  const offered = req.get('X-Request-Id') ?? '';
  const requestId = saneId.test(offered) ? offered : randomUUID();
  stateOf(res).requestId = requestId;
  res.set('X-Request-Id', requestId);
  next();
};

/** Errors of this path are JSON-RPC responses, which its clients can read. */
export const speakJsonRpc: RequestHandler = (_req, res, next) => {
  stateOf(res).speaksJsonRpc = true;
  next();
};

/** Under https no subdomain can set a cookie of the first name (RFC 6265bis, 4.1.3.2). */
const cookieNames = ['__Host-masthead_session', 'masthead_session'] as const;

/** What the cookie of the request holds; null without one. */
export function readToken(req: Request<object>): string | null {
  const cookies = new Map(
    (req.headers.cookie ?? '').split(';').map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return [name.trim(), value.trim()];
    }),
  );
  return cookieNames.map((name) => cookies.get(name)).find(Boolean) ?? null;
}

/** The Set-Cookie header for a token; none at all for 0 seconds. */
export function writeCookie(token: string, publicUrl: string, seconds: number): string {
  const isSecure = publicUrl.startsWith('https:');
  const name = cookieNames[isSecure ? 0 : 1];
  return `${name}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/**
 * Whether a page of the service sent the request: the browser says so in Sec-Fetch-Site, or in Origin where it is too old
 * for that. Both count on every method, and what another site, a subdomain or no page at all sent is none of ours.
 */
export function isOwnPage(req: Request<object>, publicUrl: string): boolean {
  const site = req.get('Sec-Fetch-Site');
  const origin = req.get('Origin');
  // Where the service has several names, the cookie is of the one that was asked.
  const isOwn =
    origin === undefined || origin === new URL(publicUrl).origin || URL.parse(origin)?.host === req.get('Host');
  return isOwn && (site === undefined ? origin !== undefined : site === 'same-origin');
}
