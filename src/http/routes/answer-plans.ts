import type { RequestHandler } from 'express';
import type { AppDeps } from '../app-deps.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { noParameters } from '../parse/search-parameters.ts';
import { presentPlans } from '../present/present-plans.ts';

/** GET /plans: what can be bought, and for how much. */
export function answerPlans({ offers, rateLimits }: AppDeps): RequestHandler {
  return (req, res) => {
    readParameters(req.originalUrl, noParameters);
    res.json(presentPlans(offers, rateLimits));
  };
}
