import { z } from 'zod';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';

/** GET /healthz: the process is up. */
export function health(): Endpoint {
  return {
    operationId: 'health',
    tag: 'Operations',
    summary: 'Check that the process is up',
    description:
      'Answers as long as the process runs, whatever the state of the engines. For restarting a hung process.',
    access: 'open',
    query: 'ignored',
    answer: {
      description: 'The process is up.',
      schema: z.strictObject({ status: z.literal('ok') }),
      example: { status: 'ok' },
    },
    errors: [],
    handle: (_req, res) => void res.set('Cache-Control', 'no-store').json({ status: 'ok' }),
  };
}

/** GET /readyz: whether searches can be answered; 503 with what is missing otherwise. */
export function readiness({ listMissing }: Pick<AppDeps, 'listMissing'>): Endpoint {
  const example = { status: 'not ready', missing: ['the search index does not answer'] };
  return {
    operationId: 'readiness',
    tag: 'Operations',
    summary: 'Check that the service is ready',
    description: 'Answers 200 if searches can be answered, and otherwise 503 with what is missing. For balancers.',
    access: 'open',
    query: 'ignored',
    answer: {
      description: 'The service can answer searches.',
      schema: z.strictObject({ status: z.literal('ready') }),
      example: { status: 'ready' },
    },
    others: {
      503: {
        description: 'The service is not ready; `missing` says why.',
        schema: notReadyAnswer,
        example,
      },
    },
    errors: [],
    async handle(_req, res) {
      const { status, body } = presentReadiness(await listMissing());
      res.status(status).set('Cache-Control', 'no-store').json(body);
    },
  };
}

const notReadyAnswer = z.strictObject({ status: z.literal('not ready'), missing: z.array(z.string()) });

/** The answer of /readyz: 200, or 503 with what is missing, in words. */
export function presentReadiness(missing: readonly string[]): { status: 200 | 503; body: object } {
  return missing.length === 0
    ? { status: 200, body: { status: 'ready' } }
    : { status: 503, body: { status: 'not ready', missing } };
}
