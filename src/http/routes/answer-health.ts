import type { RequestHandler } from 'express';
import type { AppDeps } from '../app-deps.ts';

/** GET /healthz: the process runs and answers. */
export const answerHealth: RequestHandler = (_req, res) => {
  res.set('Cache-Control', 'no-store').json({ status: 'ok' });
};

/** GET /readyz: whether searches can be answered; 503 with what is missing where they cannot. */
export function answerReadiness({ listMissing }: AppDeps): RequestHandler {
  return async (_req, res) => {
    const missing = await listMissing();
    const isReady = missing.length === 0;
    res
      .status(isReady ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json(isReady ? { status: 'ready' } : { status: 'not ready', missing });
  };
}
