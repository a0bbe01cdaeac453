import type { Request, RequestHandler, Response } from 'express';

/** A request whose answer is out, or whose caller has gone. */
export interface AnsweredRequest {
  method: string;
  /** The pattern of its route, which holds nothing that the caller chose; null where no route matched. */
  route: string | null;
  status: number;
  seconds: number;
  /** Whether the answer did not get out whole. */
  isBroken: boolean;
  /** The rows of an export; null for every other answer. */
  rows: number | null;
}

/** Tells of every request once its answer is out, or its caller gone. */
export function reportRequests(report: (request: AnsweredRequest) => void): RequestHandler {
  return (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      report({
        method: req.method,
        route: req.route?.path ?? null,
        status: res.statusCode,
        seconds: (performance.now() - start) / 1000,
        isBroken: !res.writableFinished,
        rows: rowsOf(req, res),
      });
    });
    next();
  };
}

function rowsOf({ method }: Request, res: Response): number | null {
  const total = res.getHeader('X-Total-Count');
  return method === 'GET' && res.statusCode === 200 && total !== undefined ? Number(total) : null;
}
