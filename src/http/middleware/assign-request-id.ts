import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { stateOf } from '../request-state.ts';

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
