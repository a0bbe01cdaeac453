import { randomUUID } from 'node:crypto';
import cors from 'cors';
import type { Application, RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { Problem } from '#src/problem.ts';
import { isLoopbackHost } from '#text/hosts.ts';
import type { AnsweredRequest, AppDeps } from './app-deps.ts';
import { dropForwardedPorts, type Meters } from './meter.ts';
import { queryOf } from './parse/read-parameters.ts';
import { stateOf } from './request-state.ts';

/**
 * THE GUARDS: every request passes them in this order before its route. They count requests, and refuse only what is wrong
 * for every route. OPTIONS requests under /api/v1 and to /mcp are answered here.
 */
export function guard(app: Application, deps: AppDeps, meters: Meters): void {
  app.use(assignRequestId);
  app.use(dropForwardedPorts);
  app.use(reportRequests(deps.log, deps.reportRequest));
  app.use(setSecurityHeaders(deps.publicUrl));
  if (deps.servesLoopbackHostsOnly) app.use(requireLoopbackHost); // 421
  app.use('/api/v1/checkout', meters.holder);
  app.use('/api/v1/orders', meters.buyer);
  app.use(['/api/v1/session/redeem', '/api/v1/session/mail'], meters.buyer);
  app.use('/api/v1/webhooks', meters.exempt);
  // Feed readers send no key; one that a program sends does not count.
  app.use('/api/v1/searches/:id/feed', meters.page);
  app.use('/api/v1', forbidCaching, meters.caller, allowAnyOrigin);
  app.use('/mcp', speakJsonRpc, forbidCaching, requireOwnOrigin(deps.publicUrl), meters.caller, allowMessages); // 403
  // A page that searches counts as a request of its address, whatever key is sent.
  app.get('/', meters.page);
  app.get('/media/:id', redirectSlash, meters.page);
}

/** The ids that a caller or proxy may choose. They cannot break a header or a log line. */
const saneId = /^[A-Za-z0-9_-]{1,64}$/;

/** Gives the request its own id if that is valid, otherwise a new one; the answer contains it. */
const assignRequestId: RequestHandler = (req, res, next) => {
  const offered = req.get('X-Request-Id') ?? '';
  const requestId = saneId.test(offered) ? offered : randomUUID();
  stateOf(res).requestId = requestId;
  res.set('X-Request-Id', requestId);
  next();
};

/** Errors of this path are JSON-RPC responses, which its clients can read. */
const speakJsonRpc: RequestHandler = (_req, res, next) => {
  stateOf(res).speaksJsonRpc = true;
  next();
};

/** Balancers and containers request these every few seconds. */
const probes: readonly (string | null)[] = ['/healthz', '/readyz'];

/** Reports and logs every request once its answer is sent or its caller has left. Probes are logged at level debug. */
function reportRequests(log: Logger, report: (request: AnsweredRequest) => void): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      const { method } = req;
      const route: string | null = req.route?.path ?? null;
      const { statusCode: status, writableFinished: isWhole } = res;
      const total = res.getHeader('X-Total-Count');
      const rows = method === 'GET' && status === 200 && total !== undefined ? Number(total) : null;
      const seconds = (performance.now() - start) / 1000;
      report({ method, route, status, seconds, isBroken: !isWhole, rows });
      const ms = Math.round(seconds * 10_000) / 10;
      const { requestId: request_id } = stateOf(res);
      const line = { request_id, method, route, status, ms, ...(!isWhole && { aborted: true }) };
      log[probes.includes(route) ? 'debug' : 'info'](line, 'request');
    });
    next();
  };
}

/** Security headers for data, which loads, runs and frames nothing. Pages set their own policy. Requires https if `publicUrl` does. */
export function setSecurityHeaders(publicUrl: string): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // For this host only: its subdomains are not ours.
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
    // The page of a record leads back to the search that it was opened from.
    referrerPolicy: { policy: 'same-origin' },
  });
}

/** Against DNS rebinding: otherwise a web page could point its host name at this machine and get keys from the sandbox. */
const requireLoopbackHost: RequestHandler = ({ headers }, _res, next) => {
  const host = URL.parse(`http://${headers.host}`)?.hostname;
  if (host !== undefined && isLoopbackHost(host)) return next();
  throw new Problem(
    'misdirected_request',
    'The service does not answer to this host name. Use http://localhost with the port of the service, or set PAYMENTS to allow other names.',
  );
};

/** Answers depend on the caller, so caches must not keep them. `sendRevalidatable` relaxes this. */
const forbidCaching: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-store', Vary: 'Authorization' });
  next();
};

const handleCors = cors({
  origin: '*',
  methods: ['GET', 'HEAD'],
  allowedHeaders: ['Authorization', 'If-None-Match', 'X-Request-Id'],
  exposedHeaders: [
    ...['Content-Disposition', 'ETag', 'Link', 'RateLimit', 'RateLimit-Limit', 'RateLimit-Policy'],
    ...['RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After', 'WWW-Authenticate', 'X-Changes-Cursor'],
    ...['X-Excluded-Count', 'X-Plan-Expires-At', 'X-Request-Id', 'X-Total-Count'],
  ],
  maxAge: 3600,
  optionsSuccessStatus: 204,
});

/** Lets pages of any origin read, without cookies. Answers preflights with 204. */
const allowAnyOrigin: RequestHandler = (req, res, next) => {
  res.set('Cross-Origin-Resource-Policy', 'cross-origin');
  handleCors(req, res, next);
};

/**
 * The Model Context Protocol demands this check against DNS rebinding. It admits pages of the service and of the visitor's
 * own machine, such as inspectors, and programs, which send no Origin.
 */
function requireOwnOrigin(publicUrl: string): RequestHandler {
  const ownOrigin = new URL(publicUrl).origin;
  return (req, _res, next) => {
    const origin = req.get('Origin') ?? ownOrigin;
    const url = URL.parse(origin);
    const isLoopback = url !== null && /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname);
    if (origin === ownOrigin || isLoopback) return next();
    throw new Problem(
      'origin_not_allowed',
      `Pages of other sites may not use /mcp. Use it from a program, or from ${ownOrigin}.`,
    );
  };
}

/** Lets the pages that `requireOwnOrigin` admits send messages to /mcp. Answers preflights with 204. */
const allowMessages: RequestHandler = cors({
  origin: true,
  methods: ['POST'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Mcp-Method', 'Mcp-Name', 'Mcp-Protocol-Version', 'X-Request-Id'],
  exposedHeaders: [
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'WWW-Authenticate',
    'X-Plan-Expires-At',
    'X-Request-Id',
  ],
  maxAge: 3600,
  optionsSuccessStatus: 204,
});

/** Redirects to the path without a slash at its end, with which the relative links of pages would lead astray. */
export const redirectSlash: RequestHandler = (req, res, next) => {
  if (!req.path.endsWith('/') || req.path === '/') return next();
  res.redirect(308, `../${req.path.split('/').at(-2) ?? ''}${queryOf(req.originalUrl)}`);
};
