import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type PlanDefinition, tiersOf } from '#accounts/plans.ts';
import { Problem, type ProblemCode, problems } from '#src/problem.ts';
import { answerObject } from './answer-parts.ts';
import type { AppDeps } from './app-deps.ts';
import { answerPage, createPageRenderer, presentFault } from './pages/page.ts';
import { stateOf } from './request-state.ts';

/** Seconds after which a caller may try again, unless the problem says otherwise. */
const retrySeconds = 5;

/**
 * Any exception as an answer (RFC 9457). One that is not a Problem is our own error: it is logged with the request's
 * id, and the caller gets only that id. A browser gets a page, but not under /api and /mcp.
 */
export function handleProblems({ log, publicUrl, ...deps }: AppDeps): ErrorRequestHandler {
  const { render, policy } = createPageRenderer(deps);
  return async (error: unknown, req, res, _next) => {
    const problem = readProblem(error, res, log);
    // Half the answer is already sent: only a broken connection tells the caller.
    if (res.headersSent) return void res.destroy();
    if (!isForPeople(req)) return sendProblem(req, res, problem, publicUrl);
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
  // A problem without a cause says all that there is: where it was thrown helps nobody.
  const isExplained = error instanceof Problem && error.cause === undefined;
  const details = { request_id: stateOf(res).requestId, ...(!isExplained && { err: error }) };
  if (status >= 500) log[isExplained ? 'warn' : 'error'](details, problem.message);
  if (res.headersSent) return problem;
  // RFC 6750, section 3.1: no more than the scheme if the request had no key at all.
  if (status === 401)
    res.set('WWW-Authenticate', problem.code === 'key_invalid' ? 'Bearer error="invalid_token"' : 'Bearer');
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
  const { requestId, speaksJsonRpc = false } = stateOf(res);
  const [type, present] = speaksJsonRpc
    ? ['application/json', presentJsonRpcError]
    : ['application/problem+json', presentProblem];
  const path = req.originalUrl.split('?', 1)[0] ?? '';
  res.status(problems[problem.code].status).type(type).json(present(problem, { publicUrl, path, requestId }));
}

interface Occurrence {
  publicUrl: string;
  /** Its path without the query, which may contain what should not be repeated; null if unknown. */
  path: string | null;
  requestId: string;
}

export function presentProblem(problem: Problem, { publicUrl, path, requestId }: Occurrence): object {
  const { code, message, extras } = problem;
  const { status, title } = problems[code];
  const { headers: _, push = {}, ...members } = extras;
  const isForLackOfPlan = code === 'plan_required' || code === 'plan_expired';
  return {
    type: `${publicUrl}/docs/errors#${code}`,
    title,
    status,
    code,
    detail: message,
    instance: path,
    request_id: requestId,
    ...members,
    ...push,
    ...(isForLackOfPlan && { buy_url: `${publicUrl}/plans`, plans_url: `${publicUrl}/api/v1/plans` }),
  };
}

/** As a JSON-RPC 2.0 response to no request: none was read. Codes: section 5.1's; for the rest the first free one. */
function presentJsonRpcError(problem: Problem, occurrence: Occurrence): object {
  const { status } = problems[problem.code];
  const isJson = problem.extras.errors?.[0]?.code !== 'not_json';
  const ofRequest = status === 400 ? -32600 : -32000;
  const code = !isJson ? -32700 : status >= 500 ? -32603 : ofRequest;
  return {
    jsonrpc: '2.0',
    id: null,
    error: { code, message: problem.message, data: presentProblem(problem, occurrence) },
  };
}

const fieldError = answerObject(
  'FieldError',
  {
    in: z.enum(['query', 'body', 'path', 'header']),
    name: z.string(),
    code: z.string(),
    message: z.string(),
    allowed: z.array(z.string()).optional(),
    did_you_mean: z.string().optional(),
  },
  'One problem with the request, and how to fix it.',
);

/** The shape of every error (contract A11). A push that failed midway adds its counts. */
export const problemAnswer = (plans: readonly PlanDefinition[]) =>
  z
    .looseObject({
      type: z.url().describe('A page that explains the code.'),
      title: z.string(),
      status: z.int(),
      code: z
        .enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]])
        .describe('Stable; check this in programs.'),
      detail: z.string().describe('For people: what is wrong and what to do.'),
      instance: z.string().nullable().describe("The request's path."),
      request_id: z.string(),
      errors: z.array(fieldError).optional().describe('With 400: every invalid field, at most 20.'),
      more_errors: z.int().min(1).optional().describe('With 400: the number of errors not listed, if any.'),
      required_plan: z.enum(tiersOf(plans)).optional().describe('With 403: a plan that allows it.'),
      buy_url: z.url().optional().describe('With 403: the page where a person can buy a plan.'),
      plans_url: z.url().optional().describe('With 403: the list of plans and prices.'),
    })
    .meta({ id: 'Problem', description: 'RFC 9457, as application/problem+json.' });
