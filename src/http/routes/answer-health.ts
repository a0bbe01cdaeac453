import type { RequestHandler } from 'express';
import type { AppDeps } from '../app-deps.ts';
import { presentReadiness } from '../present/present-readiness.ts';

/** GET /healthz: the process runs and answers. */
export const answerHealth: RequestHandler = (_req, res) => {
  res.set('Cache-Control', 'no-store').json({ status: 'ok' });
};

/** GET /readyz: whether searches can be answered; 503 with what is missing where they cannot. */
export function answerReadiness({ listMissing }: AppDeps): RequestHandler {
  return async (_req, res) => {
    const { status, body } = presentReadiness(await listMissing());
    res.status(status).set('Cache-Control', 'no-store').json(body);
  };
}
