import type { RequestHandler, Response } from 'express';
import { requireRight } from '#accounts/plans.ts';
import { Problem } from '#src/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import { listWords } from '../parse/faults.ts';
import { keyOf, stateOf } from '../request-state.ts';

/** Admits callers within their allowance who have a valid key or none; otherwise 429, then 401. */
export const admit: RequestHandler = (_req, res, next) => {
  requireAdmission(res);
  next();
};

/** The same as a function, for pages: they show why they refuse. */
export function requireAdmission(res: Response): void {
  const { admission } = stateOf(res);
  if (admission && 'refusal' in admission) throw admission.refusal;
}

/** Admits callers with a key, even if its plan has expired; otherwise 401. */
export const requireKey: RequestHandler = (_req, res, next) => {
  keyOf(res);
  next();
};

/** Lets those pass whose plan allows pushes: else 403, before the body is read. */
export function requirePushRight({ plans, now }: Pick<AppDeps, 'plans' | 'now'>): RequestHandler {
  return (_req, res, next) => {
    requireRight(plans, keyOf(res).plan, 'push', now());
    next();
  };
}

/** Refuses every method that a path does not support; `known` is its Allow header. */
export function refuseMethod(known: string): RequestHandler {
  return ({ method }) => {
    throw new Problem('method_not_allowed', `${method} is not allowed here. Use ${listWords(known.split(', '))}.`, {
      headers: { Allow: known },
    });
  };
}

/** The same as a first step: passes on requests of these methods. */
export function refuseMethodsBut(...methods: string[]): RequestHandler {
  const all = methods.includes('GET') ? ['GET', 'HEAD', ...methods.slice(1), 'OPTIONS'] : [...methods, 'OPTIONS'];
  const refuse = refuseMethod(all.join(', '));
  return (req, res, next) => (all.includes(req.method) ? next() : refuse(req, res, next));
}

/** Refuses every path that does not exist. */
export const refusePath: RequestHandler = () => {
  throw new Problem('not_found', 'This path does not exist. To search, use /api/v1/search.');
};
