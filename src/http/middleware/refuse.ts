import type { RequestHandler } from 'express';
import { Problem } from '#domain/problem.ts';
import { listWords } from '../parse/faults.ts';

/** Refuses every method that a path does not support; `known` is its Allow header. */
export function refuseMethod(known: string): RequestHandler {
  return ({ method }) => {
    throw new Problem('method_not_allowed', `${method} is not allowed here. Use ${listWords(known.split(', '))}.`, {
      headers: { Allow: known },
    });
  };
}

/** Refuses every path that does not exist. */
export const refusePath: RequestHandler = () => {
  throw new Problem('not_found', 'This path does not exist. To search, use /api/v1/search.');
};
