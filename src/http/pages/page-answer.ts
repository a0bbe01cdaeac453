import { hash } from 'node:crypto';
import type { Response } from 'express';
import { type Problem, problems } from '#src/problem.ts';
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

/** What a page shows of a problem that it was answered with; the answer takes its status. */
export function presentFault(problem: Problem, res: Response) {
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
