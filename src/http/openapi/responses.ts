import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { type FieldError, Problem, type ProblemCode, problems } from '#domain/problem.ts';
import { presentProblem } from '../present/present-problem.ts';
import { problemAnswer } from '../present/problem-answer.ts';
import { allowance, everyAnswer, onErrors } from './headers.ts';

/** An answer of status 200 as JSON, with an example. */
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

/** Errors by status: each status once, with an example of each of its codes. */
export function problemAnswers(codes: readonly ProblemCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codesOfIt]) => [status, problemAnswerOf(status, codesOfIt)]),
  );
}

const described = new Map<string, ZodOpenApiResponseObject>();

/** The same errors are described once, among the document's components. */
function problemAnswerOf(status: number, codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  const id = codes.join('.');
  const known = described.get(id) ?? describeProblems(id, status, codes);
  described.set(id, known);
  return known;
}

function describeProblems(id: string, status: number, codes: readonly ProblemCode[]): ZodOpenApiResponseObject {
  return {
    id,
    description: codes.map((code) => `\`${code}\`: ${problems[code].doc}`).join('\n\n'),
    headers: z.object({ ...everyAnswer, ...allowance, ...onErrors[status] }),
    content: {
      'application/problem+json': {
        schema: problemAnswer,
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: problems[code].title, value: exampleOf(code) }]),
        ),
      },
    },
  };
}

function exampleOf(code: ProblemCode): unknown {
  const errors = exampleErrors[code];
  const problem = new Problem(code, problems[code].doc, {
    ...(errors && { errors }),
    ...(problems[code].status === 403 && { required_plan: 'premium' }),
  });
  return presentProblem(problem, {
    publicUrl: 'https://masthead.example',
    path: '/api/v1/…',
    requestId: '5d0a7b0e-3f0c-4c0f-9a43-1f0f0b6a2c11',
  });
}
