import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

type Handler = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/**
 * Sets the security headers of every answer, with a policy for data: nothing is loaded, run or framed. Pages that need
 * more replace `Content-Security-Policy`. Browsers are told to use only https if `publicUrl`, the base URL of the
 * service, is an https URL.
 */
export function setSecurityHeaders(publicUrl: string): Handler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // For this host only: its subdomains are not ours.
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  });
}

/** The same headers, for an answer written directly to its socket. */
export function listSecurityHeaders(publicUrl: string): OutgoingHttpHeaders {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  setSecurityHeaders(publicUrl)(res.req, res, () => {});
  return res.getHeaders();
}
