import type { Request, RequestHandler } from 'express';
import { Problem } from '#src/problem.ts';
import { isLoopbackHost } from '#text/hosts.ts';

/**
 * Refuses requests for any other host name than those of this machine. A web page can make its own name resolve to this
 * machine (DNS rebinding), and would then reach a sandbox that sells keys for nothing.
 */
export const requireLoopbackHost: RequestHandler = (req, _res, next) => {
  if (!hostsOf(req).every((host) => host !== null && isLoopbackHost(host))) {
    throw new Problem(
      'misdirected_request',
      'The service does not answer to this host name. Use http://localhost with the port of the service, or set PAYMENTS to allow other names.',
    );
  }
  next();
};

/** Every host that the request names: in the Host header and, in absolute form, in its target. */
function hostsOf({ headers, originalUrl }: Request): (string | null)[] {
  const hosts = [hostOf(headers.host ?? '')];
  if (!originalUrl.startsWith('/') && originalUrl !== '*') hosts.push(URL.parse(originalUrl)?.hostname ?? null);
  return hosts;
}

/** The host of `host:port`; null if it has another form. */
function hostOf(authority: string): string | null {
  return /^[^\s/?#@\\]+$/.test(authority) ? (URL.parse(`http://${authority}`)?.hostname ?? null) : null;
}
