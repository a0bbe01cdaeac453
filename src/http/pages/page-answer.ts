import { hash } from 'node:crypto';
import type { Response } from 'express';
import { problems } from '#domain/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import { readProblem } from '../middleware/handle-problems.ts';
import { sendCompressed } from '../send-compressed.ts';

/** Sends a page that depends on its URL. The status is that of its content. */
export async function answerPage(res: Response, page: string, policy: string): Promise<void> {
  const body = Buffer.from(page);
  res
    .set({
      'Cache-Control': 'private, no-cache',
      'Content-Security-Policy': policy,
      ETag: `W/"${hash('sha1', body, 'base64url')}"`,
    })
    .type('html');
  await sendCompressed(res, body);
}

/** What a page shows of an error that it was answered with; the answer takes the error's status and headers. */
export function presentFault(error: unknown, res: Response, { log }: Pick<AppDeps, 'log'>) {
  const problem = readProblem(error, res, log);
  const { status } = problems[problem.code];
  res.status(status);
  const { errors = [] } = problem.extras;
  return {
    status,
    code: problem.code,
    detail: problem.message,
    errors: errors.map(({ name, code, message, did_you_mean }) => ({
      name,
      code,
      message,
      ...(did_you_mean !== undefined && { did_you_mean }),
    })),
    retryAfter: Number(res.get('Retry-After')) || null,
  };
}
