import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { AppDeps } from '../app-deps.ts';
import { everyAnswer } from '../openapi/headers.ts';

/** GET /healthz: the process is up. */
export const handleHealth: RequestHandler = (_req, res) => {
  res.set('Cache-Control', 'no-store').json({ status: 'ok' });
};

/** GET /readyz: whether searches can be answered; 503 with what is missing otherwise. */
export function handleReadiness({ listMissing }: AppDeps): RequestHandler {
  return async (_req, res) => {
    const { status, body } = presentReadiness(await listMissing());
    res.status(status).set('Cache-Control', 'no-store').json(body);
  };
}

/** The answer of /readyz: 200, or 503 with what is missing, in words. */
export function presentReadiness(missing: readonly string[]): { status: 200 | 503; body: object } {
  return missing.length === 0
    ? { status: 200, body: { status: 'ready' } }
    : { status: 503, body: { status: 'not ready', missing } };
}

export const healthAnswer = z.strictObject({ status: z.literal('ok') });
export const readyAnswer = z.strictObject({ status: z.literal('ready') });
const notReadyAnswer = z.strictObject({ status: z.literal('not ready'), missing: z.array(z.string()) });

const plain = (description: string, schema: z.ZodType, example: object): ZodOpenApiResponseObject => ({
  description,
  headers: z.object(everyAnswer),
  content: { 'application/json': { schema, example } },
});

export function describeHealth(): ZodOpenApiOperationObject {
  return {
    operationId: 'health',
    tags: ['Operations'],
    summary: 'Check that the process is up',
    description:
      'Answers as long as the process runs, whatever the state of the engines. For restarting a hung process.',
    security: [],
    responses: { 200: plain('The process is up.', healthAnswer, { status: 'ok' }) },
  };
}

export function describeReadiness(): ZodOpenApiOperationObject {
  const missing = ['the search index does not answer'];
  return {
    operationId: 'readiness',
    tags: ['Operations'],
    summary: 'Check that the service is ready',
    description: 'Answers 200 if searches can be answered, and otherwise 503 with what is missing. For balancers.',
    security: [],
    responses: {
      200: plain('The service can answer searches.', readyAnswer, { status: 'ready' }),
      503: plain('The service is not ready; `missing` says why.', notReadyAnswer, { status: 'not ready', missing }),
    },
  };
}
