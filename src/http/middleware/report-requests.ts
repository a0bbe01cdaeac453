import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { stateOf } from '../request-state.ts';

/** A request that is answered, or whose caller is gone. */
export interface AnsweredRequest {
  method: string;
  /**
   * The pattern of the route, such as `/api/v1/records/:id`. Never the URL: paths and queries may contain an address
   * that somebody typed. Null if no route matched.
   */
  route: string | null;
  status: number;
  seconds: number;
  /** Whether the answer was not sent completely. */
  isBroken: boolean;
  /** The rows of an export; null for any other answer. */
  rows: number | null;
}

/** Balancers and containers request these every few seconds. */
const probes: readonly (string | null)[] = ['/healthz', '/readyz'];

/** Reports every request once its answer is out, or its caller gone; and logs it in one line, probes at level debug. */
export function reportRequests(log: Logger, report: (request: AnsweredRequest) => void): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      const answered = describe(req, res, (performance.now() - start) / 1000);
      report(answered);
      const { method, route, status, seconds, isBroken } = answered;
      const ms = Math.round(seconds * 10_000) / 10;
      const line = {
        request_id: stateOf(res).requestId,
        method,
        route,
        status,
        ms,
        ...(isBroken && { aborted: true }),
      };
      log[probes.includes(route) ? 'debug' : 'info'](line, 'request');
    });
    next();
  };
}

function describe({ method, route }: Request, res: Response, seconds: number): AnsweredRequest {
  const status = res.statusCode;
  const total = res.getHeader('X-Total-Count');
  const rows = method === 'GET' && status === 200 && total !== undefined ? Number(total) : null;
  return { method, route: route?.path ?? null, status, seconds, isBroken: !res.writableFinished, rows };
}
