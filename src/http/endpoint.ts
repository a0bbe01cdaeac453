import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { type Needed, requireScope } from '#accounts/further-key.ts';
import { type Right, requireRight } from '#accounts/plans.ts';
import { Problem, type ProblemCode } from '#src/problem.ts';
import type { AppDeps } from './app-deps.ts';
import { isOwnPage } from './identify-caller.ts';
import operations from './operations.json' with { type: 'json' };
import { type BodyRules, readBody } from './parse/read-body.ts';
import { refuseParameters } from './parse/read-parameters.ts';
import { callerOf, keyOf, requireAdmission } from './request-state.ts';

/** All of an operation of the API: what it takes, what it answers, and what the reference says about it. */
export type Endpoint = Steps & {
  /** Its texts are in operations.json. */
  operationId: keyof typeof operations;
  /** What stands for `{name}` in these texts, by name. */
  facts?: Readonly<Record<string, string | number>>;
  path?: z.ZodObject;
  headers?: z.ZodObject;
  body?: BodyRules & { schema: z.ZodType; example: object };
  answer: Answer;
  /** Answers of other statuses that are not errors of A11. */
  others?: Readonly<Record<number, Answer>>;
  /** Errors that `listErrors` cannot derive from the other properties. */
  errors?: readonly ProblemCode[];
};

/** What the reference says about an operation. */
export function textsOf({ operationId, facts = {} }: Pick<Endpoint, 'operationId' | 'facts'>) {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (placeholder, name) => String(facts[name] ?? placeholder));
  const { tag, summary, description } = operations[operationId];
  return { operationId: fill(operationId), tag, summary: fill(summary), description: fill(description) };
}

export interface Answer {
  description?: string;
  /** The schema of a JSON body, or the schemas by media type. Absent for an answer without a body. */
  schema?: z.ZodType | Readonly<Record<string, { schema: z.ZodType }>>;
  example?: object;
  headers?: Readonly<Record<string, z.ZodType>>;
}

/**
 * The part of an endpoint that decides which steps a request passes. `scope`: what a key must be for. `own pages`: only pages of
 * the service may ask.
 */
export type Steps = (
  | { access: 'open' | 'own pages'; scope?: never }
  | { access: 'key or none' | 'key'; scope: Needed }
) & {
  /** The right that the plan must include. It is checked before the body is read. */
  right?: Right;
  /** The parameters, which the handler reads. If absent, every parameter is refused. `ignored`: parameters are not checked. */
  query?: z.ZodObject | 'ignored';
  body?: BodyRules;
  handle(req: Request<{ id: string }>, res: Response): void | Promise<void>;
};

/** For what only the key that was bought or issued may do. */
export const ofOwnKey = { access: 'key', scope: 'own key' } as const satisfies Partial<Steps>;

/** The steps of a request to an endpoint after the guards, and what each refuses (contract A2). */
export function stepsOf(endpoint: Steps, deps: AppDeps): RequestHandler[] {
  return [
    admit(endpoint, deps), // 429, 401, 403
    ...(endpoint.body ? readBody(endpoint.body) : []), // 413, 415, 400
    ...(endpoint.query === undefined ? [refuseParameters] : []), // 400
    endpoint.handle as RequestHandler<never>,
  ] as RequestHandler[];
}

/** Admits callers who are within their limit and have what `access`, `scope` and `right` ask for. An expired key is a valid key. */
function admit({ access, scope, right }: Steps, { plans, publicUrl, now }: AppDeps): RequestHandler {
  return (req, res, next) => {
    requireAdmission(res);
    if (scope !== undefined) requireScope(callerOf(res).further, scope);
    if (access === 'key') {
      const { plan } = keyOf(res);
      if (right !== undefined) requireRight(plans, plan, right, now());
    }
    // Otherwise another site could sign a browser in or out, by a form or a fetch.
    if (access === 'own pages' && !isOwnPage(req, publicUrl)) {
      throw new Problem(
        'origin_not_allowed',
        'Only the pages of this service can sign a browser in or out. Programs send the key in the header Authorization.',
      );
    }
    next();
  };
}
