import { z } from 'zod';
import { type PlanDefinition, tiersOf } from '#accounts/plans.ts';
import { type Problem, type ProblemCode, problems } from '#src/problem.ts';

/** Which request a problem is about. */
export interface Occurrence {
  publicUrl: string;
  /** Its path without the query, which may contain what should not be repeated; null if unknown. */
  path: string | null;
  requestId: string;
}

/** The body of an error (contract A11). */
export function presentProblem(problem: Problem, { publicUrl, path, requestId }: Occurrence): object {
  const { status, title } = problems[problem.code];
  const { headers: _, push = {}, ...members } = problem.extras;
  return {
    type: `${publicUrl}/docs/errors#${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.message,
    instance: path,
    request_id: requestId,
    ...members,
    ...push,
    ...(forLackOfPlan.includes(problem.code) && {
      buy_url: `${publicUrl}/plans`,
      plans_url: `${publicUrl}/api/v1/plans`,
    }),
  };
}

/** What can be bought. */
const forLackOfPlan: readonly ProblemCode[] = ['plan_required', 'plan_expired'];

/**
 * The same as a JSON-RPC 2.0 response, to no particular request: it is refused before its message is read. `data` is
 * the body of the error elsewhere.
 */
export function presentJsonRpcError(problem: Problem, occurrence: Occurrence): object {
  const error = { code: jsonRpcCode(problem), message: problem.message, data: presentProblem(problem, occurrence) };
  return { jsonrpc: '2.0', id: null, error };
}

/** Parse error, internal error and invalid request (JSON-RPC 2.0, section 5.1); the first free code for the rest. */
function jsonRpcCode({ code, extras }: Problem): number {
  if (extras.errors?.[0]?.code === 'not_json') return -32700;
  const { status } = problems[code];
  if (status >= 500) return -32603;
  return status === 400 ? -32600 : -32000;
}

const fieldError = z
  .strictObject({
    in: z.enum(['query', 'body', 'path', 'header']),
    name: z.string(),
    code: z.string(),
    message: z.string(),
    allowed: z.array(z.string()).optional(),
    did_you_mean: z.string().optional(),
  })
  .meta({ id: 'FieldError', description: 'One problem with the request, and how to fix it.' });

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
