import type { Request } from 'express';

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
