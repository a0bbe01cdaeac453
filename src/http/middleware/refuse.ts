import type { RequestHandler } from 'express';
import { Problem } from '#domain/problem.ts';

/** For every method that a path does not know; `known` is the Allow header. */
export function refuseMethod(known: string): RequestHandler {
  return ({ method }) => {
    throw new Problem('method_not_allowed', `${method} is not known here; right is one of ${known}.`, {
      headers: { Allow: known },
    });
  };
}

/** For every path that there is not. */
export const refusePath: RequestHandler = () => {
  throw new Problem('not_found', 'There is nothing at this path. Search is at /api/v1/search.');
};
