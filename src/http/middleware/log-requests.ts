import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { stateOf } from '../request-state.ts';

/** What balancers and containers ask every few seconds, all day long. */
const probes: readonly (string | null)[] = ['/healthz', '/readyz'];

/**
 * One line a request, once its answer is out or its caller gone; of probes only at level debug. It names the route's pattern, never the URL:
 * paths and queries may hold an address that somebody typed.
 */
export function logRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      const route = routePattern(req);
      log[probes.includes(route) ? 'debug' : 'info'](
        {
          request_id: stateOf(res).requestId,
          method: req.method,
          route,
          status: res.statusCode,
          ms: Math.round((performance.now() - start) * 10) / 10,
          ...(!res.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
}

/** Such as `/api/v1/records/:id`; null where no route matched. */
function routePattern({ route }: Request): string | null {
  return route?.path ?? null;
}
