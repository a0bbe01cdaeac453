import type { Request } from 'express';
import { hashApiKey, isWellFormedApiKey } from '#accounts/api-key.ts';
import type { FurtherKey } from '#accounts/further-key.ts';
import { hashToken } from '#accounts/session.ts';
import { anonymous, currentSecretOf, opens, type StoredKey } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';
import type { AppDeps } from './app-deps.ts';

type IdentifyDeps = Pick<AppDeps, 'keys' | 'furtherKeys' | 'sessions' | 'publicUrl' | 'pepper' | 'now'>;

/**
 * An account's own key, and the HMAC of the secret by which it was found: its current one, or the one before. `further`: the key
 * that was sent, if it is one that the account made.
 */
interface Holder {
  key: StoredKey;
  secret: string;
  further?: FurtherKey;
}

/** Who sends a request: by its Authorization header, else by the session of a page. `refusal`: why its key does not count. */
export async function identifyCaller(
  deps: IdentifyDeps,
  req: Request,
): Promise<Holder | typeof anonymous | { refusal: Problem }> {
  try {
    const key = readBearer(req.headers.authorization);
    if (key === null) refuseOtherHeaders(req);
    return await (key === null ? findSession(deps, req) : findKey(deps, key));
  } catch (error) {
    if (error instanceof Problem) return { refusal: error };
    throw error;
  }
}

/** Throws Problem `key_invalid`. */
export async function findKey({ keys, furtherKeys, pepper, now }: IdentifyDeps, key: string): Promise<Holder> {
  if (!isWellFormedApiKey(key)) {
    throw new Problem('key_invalid', 'This key is incomplete or mistyped. Copy it again.');
  }
  const secret = hashApiKey(key, pepper);
  const stored = await keys.findByHash(secret);
  if (stored !== null && opens(stored, secret, now())) return { key: stored, secret };
  const further = stored === null ? await furtherKeys.find(secret) : null;
  if (further === null) throw new Problem('key_invalid', reasonAgainst(stored));
  const account = await keys.findByHash(further.account);
  if (account !== null && account.revokedAt === null)
    return { key: account, secret: currentSecretOf(account), further };
  throw new Problem('key_invalid', 'This key ended with the key that made it, which was revoked.');
}

/** The holder of a session. A session that has ended is nobody's, so that its page can still be read. */
async function findSession(
  { keys, sessions, publicUrl, now }: IdentifyDeps,
  req: Request,
): Promise<Holder | typeof anonymous> {
  const token = readToken(req);
  if (token === null || !isOwnPage(req, publicUrl)) return anonymous;
  const session = await sessions.find(hashToken(token));
  if (session === null || session.expiresAt <= now().toISOString()) return anonymous;
  const key = await keys.findByHash(session.secret);
  return key !== null && opens(key, session.secret, now()) ? { key, secret: session.secret } : anonymous;
}

/**
 * Whether a page of the service sent the request. Browsers say so in Sec-Fetch-Site, older ones in Origin. Requests of other
 * sites, of subdomains and of programs are not our own, whatever their method.
 */
export function isOwnPage(req: Request<object>, publicUrl: string): boolean {
  const site = req.get('Sec-Fetch-Site');
  const origin = req.get('Origin');
  // A service may have several names. The cookie belongs to the one that was asked.
  const isOwn =
    origin === undefined || origin === new URL(publicUrl).origin || URL.parse(origin)?.host === req.get('Host');
  return isOwn && (site === undefined ? origin !== undefined : site === 'same-origin');
}

/** The first is for https: no subdomain can set a cookie of that name (RFC 6265bis, 4.1.3.2). */
const cookieNames = ['__Host-masthead_session', 'masthead_session'] as const;

/** What the cookie of a session holds; null without one. */
export function readToken(req: Request<object>): string | null {
  const cookies = `; ${req.headers.cookie ?? ''}`;
  const tokens = cookieNames.map((name) => new RegExp(`; *${name} *= *([^;\\s]+)`).exec(cookies)?.[1]);
  return tokens.find((token) => token !== undefined) ?? null;
}

/** The Set-Cookie header for a token. 0 seconds delete the cookie. */
export function writeCookie(token: string, publicUrl: string, seconds: number): string {
  const isSecure = publicUrl.startsWith('https:');
  const name = cookieNames[isSecure ? 0 : 1];
  return `${name}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** Where other services take keys: without this, a caller would get masked answers and no reason. */
const otherHeaders = ['X-API-Key', 'apikey'];

/** Throws Problem `key_invalid` if the key is in a header of another service. */
function refuseOtherHeaders(req: Request): void {
  const header = otherHeaders.find((name) => (req.get(name) ?? '').trim() !== '');
  if (header === undefined) return;
  throw new Problem('key_invalid', `Send the key in the header \`Authorization: Bearer <key>\`, not in ${header}.`);
}

function reasonAgainst(stored: StoredKey | null): string {
  if (stored === null) return 'This key does not exist.';
  return stored.revokedAt === null ? 'This key has been replaced by a newer one.' : 'This key has been revoked.';
}

/** The key in an Authorization header; null without one. Throws Problem `key_invalid` for another scheme. */
function readBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (key !== undefined) return key;
  throw new Problem('key_invalid', 'The Authorization header must be `Bearer <key>`. Other schemes are not supported.');
}
