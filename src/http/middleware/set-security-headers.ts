import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

type Handler = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/**
 * Sets the security headers of every answer. The policy is that of data: nothing is loaded, run or framed. A page that
 * needs more replaces `Content-Security-Policy` by its own. `publicUrl` is where callers reach the service: browsers are
 * told to stay on https only where that is an https URL.
 */
export function setSecurityHeaders(publicUrl: string): Handler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // For this host only: what other hosts below it speak is not for us to say.
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  });
}

/** The same headers, for an answer that is written to its socket by hand. */
export function listSecurityHeaders(publicUrl: string): OutgoingHttpHeaders {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  setSecurityHeaders(publicUrl)(res.req, res, () => {});
  return res.getHeaders();
}
