import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { Problem, type ProblemCode, problems } from '#src/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import { answerPage, presentFault } from '../pages/page-answer.ts';
import { createPageRenderer } from '../pages/web-page.ts';
import { presentJsonRpcError, presentProblem } from '../present/present-problem.ts';
import { stateOf } from '../request-state.ts';

type PageDeps = Pick<AppDeps, 'log' | 'publicUrl' | 'webFiles' | 'contactEmail'>;

/** Seconds after which a caller may try again, unless the problem says otherwise. */
const retrySeconds = 5;

/** What WWW-Authenticate says beyond the scheme (RFC 6750, section 3.1): nothing if the request had no key at all. */
const challenges: Partial<Record<ProblemCode, string>> = { key_invalid: 'Bearer error="invalid_token"' };

/**
 * Turns any exception into an answer (RFC 9457, application/problem+json). An exception that is not a Problem is our
 * own error: it is logged with the request's id, and the caller gets only that id. A browser gets a page, but not under
 * /api and /mcp.
 */
export function handleProblems({ log, publicUrl, ...deps }: PageDeps): ErrorRequestHandler {
  const { render, policy } = createPageRenderer(deps);
  return async (error: unknown, req, res, _next) => {
    const problem = readProblem(error, res, log);
    // Half the answer is already sent: only a broken connection tells the caller.
    if (res.headersSent) {
      res.destroy();
      return;
    }
    if (!isForPeople(req)) {
      sendProblem(req, res, problem, publicUrl);
      return;
    }
    const page = render({
      page: 'fault',
      root: '../'.repeat(req.path.split('/').length - 2) || './',
      data: { fault: presentFault(problem, res) },
      query: new URLSearchParams(),
      head: ['<meta name="robots" content="noindex">'],
    });
    await answerPage(res, page, policy);
  };
}

/** Whether a person's browser asks for a page; the API and models get JSON, whatever they accept. */
function isForPeople(req: Request): boolean {
  return !/^\/(?:api|mcp)(?:\/|$)/i.test(req.path) && req.accepts('json', 'html') === 'html';
}

/** The problem that an exception is, logged if it is our own fault; the answer gets the headers that it needs. */
export function readProblem(error: unknown, res: Response, log: Logger): Problem {
  const problem = toProblem(error);
  const { status } = problems[problem.code];
  if (status >= 500) log.error({ request_id: stateOf(res).requestId, err: error }, problem.message);
  if (res.headersSent) return problem;
  if (status === 401) res.set('WWW-Authenticate', challenges[problem.code] ?? 'Bearer');
  if (status === 429 || status === 503) res.set('Retry-After', String(retrySeconds));
  res.set(problem.extras.headers ?? {});
  return problem;
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof URIError) {
    return new Problem('invalid_request', 'The path contains an invalid % encoding.', {
      errors: [{ in: 'path', name: 'path', code: 'bad_encoding', message: 'Write a literal % as %25.' }],
    });
  }
  return new Problem('internal', 'Something went wrong on our side. The error is logged under the request_id.');
}

function sendProblem(req: Request, res: Response, problem: Problem, publicUrl: string): void {
  const { status } = problems[problem.code];
  const { requestId, speaksJsonRpc = false } = stateOf(res);
  const [type, present] = speaksJsonRpc
    ? ['application/json', presentJsonRpcError]
    : ['application/problem+json', presentProblem];
  res
    .status(status)
    .type(type)
    .json(present(problem, { publicUrl, path: pathOf(req), requestId }));
}

function pathOf({ originalUrl }: Request): string {
  return originalUrl.split('?', 1)[0] ?? originalUrl;
}
