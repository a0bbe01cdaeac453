import type { RequestHandler } from 'express';
import { type PlanDefinition, requireRight } from '#domain/plans/plans.ts';
import { keyOf, stateOf } from '../request-state.ts';

/** Lets those pass who are within their allowance and have a valid key or none: else 429, then 401. */
export const admit: RequestHandler = (_req, res, next) => {
  const { admission } = stateOf(res);
  if (admission && 'refusal' in admission) throw admission.refusal;
  next();
};

/** Lets those pass who have a key, whose plan may have expired: else 401. */
export const requireKey: RequestHandler = (_req, res, next) => {
  keyOf(res);
  next();
};

/** Lets those pass whose plan allows pushes: else 403, before the body is read. */
export function requirePushRight({
  plans,
  now,
}: {
  plans: readonly PlanDefinition[];
  now: () => Date;
}): RequestHandler {
  return (_req, res, next) => {
    requireRight(plans, keyOf(res).plan, 'push', now());
    next();
  };
}
