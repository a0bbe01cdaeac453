import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { plansWith } from '#accounts/plans.ts';
import { type FieldError, Problem, type ProblemCode, problems } from '#src/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import { presentProblem, problemAnswer } from '../present/present-problem.ts';
import { allowance, everyAnswer, onErrors, redirecting } from './headers.ts';

/** What endpoints are described from: what there can be one more of, and the errors, which are the same for many. */
export interface Api extends Pick<AppDeps, 'plans' | 'formats' | 'leadTools'> {
  /** Errors by status: each status once, with an example of each of its codes. */
  problems(codes: readonly ProblemCode[]): ZodOpenApiResponsesObject;
}

export function createApi({ plans, formats, leadTools }: Pick<AppDeps, 'plans' | 'formats' | 'leadTools'>): Api {
  return { plans, formats, leadTools, problems: describeProblems(plans) };
}

/** Who may call the endpoint: only holders of a key, or anyone. */
export const withKey = [{ key: [] }];
export const keyOrNone = [{}, { key: [] }];

/** The errors of every endpoint; of those that search; of those that read a body. */
export const always: readonly ProblemCode[] = ['invalid_request', 'rate_limited', 'internal', 'store_unavailable'];
export const ofSearch: readonly ProblemCode[] = [...always, 'key_invalid', 'search_unavailable'];
export const ofBodies: readonly ProblemCode[] = ['body_too_large', 'unsupported_media_type'];

export const notModified = { description: 'Not modified since the ETag in If-None-Match.' };

export const movedToKept: ZodOpenApiResponseObject = {
  description: 'The record is a duplicate that was merged into another one: `Location` is the path of that one.',
  headers: z.object({ ...everyAnswer, ...allowance, ...redirecting }),
};

/** Parts of answers that many have. */
export const moment = z.iso.datetime().meta({ override: ({ jsonSchema }) => void delete jsonSchema.pattern });
export const count = z.int().min(0);
/** Absent unless it is true, like every key that only sometimes has something to say. */
export const corrected = z
  .literal(true)
  .optional()
  .describe('Present if some of the records match `q` only after its spelling was corrected or a word was left out.');

export const matchedBy = z
  .literal('meaning')
  .optional()
  .describe('Present if these are the records nearest in meaning to `q`: with `match=meaning`.');

/** An answer as JSON with an example, of status 200 unless it is under another one. */
export function jsonAnswer(
  description: string,
  schema: z.ZodType,
  example: unknown,
  headers: Record<string, z.ZodType> = {},
): ZodOpenApiResponseObject {
  return {
    description,
    headers: z.object({ ...everyAnswer, ...allowance, ...headers }),
    content: { 'application/json': { schema, example } },
  };
}

const exampleErrors: Partial<Record<ProblemCode, readonly FieldError[]>> = {
  invalid_request: [
    {
      in: 'query',
      name: 'country',
      code: 'unknown_value',
      message:
        '"Germny" is not a valid country. Use an ISO 3166-1 code, such as US or USA, or an English name, such as United States.',
      allowed: ['an ISO 3166-1 code, such as US or USA', 'an English name, such as United States'],
      did_you_mean: 'Germany',
    },
  ],
  page_too_deep: [
    { in: 'query', name: 'page', code: 'page_too_deep', message: 'page × per_page must not exceed 10000.' },
  ],
};

/** Identical errors are described once, in the document's components. */
function describeProblems(plans: Api['plans']): Api['problems'] {
  const schema = problemAnswer(plans);
  const described = new Map<string, ZodOpenApiResponseObject>();
  const describe = (status: number, codes: readonly ProblemCode[]) => {
    const id = codes.join('.');
    const known = described.get(id) ?? {
      id,
      description: codes.map((code) => `\`${code}\`: ${problems[code].doc}`).join('\n\n'),
      headers: z.object({ ...everyAnswer, ...allowance, ...onErrors[status] }),
      content: {
        'application/problem+json': {
          schema,
          examples: Object.fromEntries(
            codes.map((code) => [code, { summary: problems[code].title, value: exampleOf(code, plans) }]),
          ),
        },
      },
    };
    described.set(id, known);
    return known;
  };
  return (codes) => {
    const byStatus = [...Map.groupBy(codes, (code) => problems[code].status)].toSorted(([a], [b]) => a - b);
    return Object.fromEntries(byStatus.map(([status, codesOfIt]) => [status, describe(status, codesOfIt)]));
  };
}

function exampleOf(code: ProblemCode, plans: Api['plans']): object {
  const errors = exampleErrors[code];
  const [required] = plansWith(plans, 'export_all');
  const problem = new Problem(code, problems[code].doc, {
    ...(errors && { errors }),
    ...(problems[code].status === 403 && required && { required_plan: required.tier }),
  });
  return presentProblem(problem, {
    publicUrl: 'https://masthead.example',
    path: '/api/v1/…',
    requestId: '5d0a7b0e-3f0c-4c0f-9a43-1f0f0b6a2c11',
  });
}
