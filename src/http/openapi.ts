import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import type { Needed } from '#accounts/further-key.ts';
import { type ProblemCode, problems } from '#src/problem.ts';
import { cached } from '#text/memoize.ts';
import manifest from '../../package.json' with { type: 'json' };
import { header, moment } from './answer-parts.ts';
import type { AppDeps } from './app-deps.ts';
import { type Answer, type Endpoint, textsOf } from './endpoint.ts';
import { problemAnswer } from './problem-answers.ts';

/**
 * The version of the HTTP API is that of Masthead. An addition increases the second number and has a note in
 * docs/api-versions.md; nothing documented is removed within one major version. test/openapi/ checks that.
 */
export const interfaceVersion = manifest.version;

/** What the document says before its operations. */
const introduction = readFileSync(new URL('./introduction.md', import.meta.url), 'utf8').trimEnd();

/** The endpoints by method and path, such as `GET /api/v1/records/:id`. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

type OpenApiDeps = Pick<AppDeps, 'publicUrl' | 'contactEmail' | 'plans'>;

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 document of the service, generated from the schemas that parse requests and shape answers. */
export function createOpenApi({ publicUrl, contactEmail, plans }: OpenApiDeps, endpoints: Endpoints) {
  const describe = describeEndpoints(plans);
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [key, endpoint] of Object.entries(endpoints)) {
    const { method, path } = splitKey(key);
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(endpoint, path) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Masthead',
      version: interfaceVersion,
      description: introduction,
      license: {
        name: 'Proprietary: every use needs written permission of the owner',
        identifier: 'LicenseRef-Masthead',
      },
      contact: {
        name: 'The operator of this service',
        url: publicUrl,
        ...(contactEmail !== null && { email: contactEmail }),
      },
    },
    externalDocs: { description: 'The reference for people, and every error code.', url: `${publicUrl}/docs` },
    servers: [{ url: publicUrl }],
    tags: [
      { name: 'Media', description: 'Search, count and export.' },
      { name: 'Lists', description: 'The lists of your account.' },
      { name: 'Searches', description: 'The saved searches of your account, and their feeds.' },
      { name: 'Plans', description: 'Plans, purchases and your account.' },
      { name: 'Operations', description: 'For operators of the service.' },
    ],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key, such as mh_…' } },
    },
  };
  return createDocument(document, { override: simplify });
}

/** `GET /api/v1/records/:id` as a method and a path of the document. */
export function splitKey(key: string): { method: string; path: string } {
  const [method = '', path = ''] = key.split(' ');
  return { method, path: path.replaceAll(/:(\w+)/g, '{$1}') };
}

const security = { open: [], 'own pages': [], 'key or none': [{ key: [] }, {}], key: [{ key: [] }] };

function describeEndpoints(plans: AppDeps['plans']) {
  const describeProblems = createProblems(plans);
  return (endpoint: Endpoint, ofPath: string): ZodOpenApiOperationObject => {
    const { access, scope, path, query, headers, body, answer } = endpoint;
    const { operationId, tag, summary, description } = textsOf(endpoint);
    const limited = { ...(ofPath.startsWith('/api/') && allowance), ...(scope !== undefined && planEnd) };
    const answers = Object.entries({ 200: answer, ...endpoint.others }).map(([status, form]) => [
      status,
      describeAnswer({ description: summary, ...form }, limited),
    ]);
    return {
      operationId,
      tags: [tag],
      summary,
      description: `${description}${aboutScope(scope)}`,
      security: security[access],
      ...((path || query || headers) && {
        requestParams: {
          ...(path && { path }),
          ...(query instanceof z.ZodObject && { query }),
          ...(headers && { header: headers }),
        },
      }),
      ...(body && {
        requestBody: {
          required: !body.isOptional,
          content: { 'application/json': { schema: body.schema, example: body.example } },
        },
      }),
      responses: {
        ...Object.fromEntries(answers),
        ...describeProblems(listErrors(endpoint)),
      } as ZodOpenApiResponsesObject,
    };
  };
}

function aboutScope(scope: Needed = 'any'): string {
  if (scope === 'any') return '';
  return scope === 'own key' ? ' Not for further keys.' : ` A further key needs the scope \`${scope}\`.`;
}

function listErrors({ access, scope = 'any', right, body, errors = [], ...endpoint }: Endpoint): ProblemCode[] {
  const isForOperators = textsOf(endpoint).tag === 'Operations';
  if (isForOperators && body === undefined) return [];
  const codes: (ProblemCode | false)[] = [
    'invalid_request',
    !isForOperators && 'rate_limited',
    'internal',
    'store_unavailable',
    access !== 'open' && 'key_invalid',
    access === 'key' && 'key_missing',
    access === 'own pages' && 'origin_not_allowed',
    scope !== 'any' && 'scope_required',
    ...(right ? (['plan_required', 'plan_expired'] as const) : []),
    ...(body ? (['body_too_large', 'unsupported_media_type'] as const) : []),
    ...errors,
  ];
  return codes.filter((code) => code !== false);
}

function describeAnswer({ description = '', schema, example, headers }: Answer, limited: object) {
  const content = schema instanceof z.ZodType ? { 'application/json': { schema, example } } : schema;
  return { description, headers: z.object({ ...everyAnswer, ...limited, ...headers }), ...(content && { content }) };
}

const everyAnswer = {
  'X-Request-Id': header('RequestId'),
};

const wholeNumber = (least: number) => z.int().min(least);

const allowance = {
  'RateLimit-Policy': header('RateLimitPolicy'),
  RateLimit: header('RateLimit'),
  'RateLimit-Limit': header('RateLimitLimit', wholeNumber(0)),
  'RateLimit-Remaining': header('RateLimitRemaining', wholeNumber(0)),
  'RateLimit-Reset': header('RateLimitReset', wholeNumber(1)),
};

const planEnd = {
  'X-Plan-Expires-At': header('PlanEnd', moment.optional()),
};

/** On errors, by their status. */
const onErrors: Record<number, Record<string, z.ZodType>> = {
  401: { 'WWW-Authenticate': header('Authenticate') },
  429: { 'Retry-After': header('RetryAfterLimit', wholeNumber(1)) },
  503: { 'Retry-After': header('RetryAfterOutage', wholeNumber(1)) },
};

/** Errors by status: each status once. Identical ones are described once. */
function createProblems(plans: AppDeps['plans']): (codes: readonly ProblemCode[]) => ZodOpenApiResponsesObject {
  const schema = problemAnswer(plans);
  const described = new Map<string, ZodOpenApiResponseObject>();
  const describe = (status: number, codes: readonly ProblemCode[]) => {
    const id = codes.join('.');
    return cached(described, id, () => ({
      id,
      description: codes.map((code) => `\`${code}\`: ${problems[code].doc}`).join('\n\n'),
      headers: z.object({ ...everyAnswer, ...allowance, ...onErrors[status] }),
      content: { 'application/problem+json': { schema } },
    }));
  };
  return (codes) => {
    const byStatus = [...Map.groupBy(codes, (code) => problems[code].status)].toSorted(([a], [b]) => a - b);
    return Object.fromEntries(byStatus.map(([status, codesOfIt]) => [status, describe(status, codesOfIt)]));
  };
}

/** The part of a JSON schema that can be said in a simpler way. */
interface Simplified {
  anyOf?: readonly { type?: unknown; enum?: readonly unknown[] }[];
  maximum?: number;
}

/** Says the same in the form that generators of clients read: a nullable type instead of a union with null. */
export function simplify({ jsonSchema }: { jsonSchema: object }): void {
  const schema: Simplified = jsonSchema;
  // Zod says so of every integer.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  const [form, none, ...otherForms] = schema.anyOf ?? [];
  if (none?.type !== 'null' || otherForms.length > 0 || typeof form?.type !== 'string') return;
  delete schema.anyOf;
  Object.assign(schema, form, { type: [form.type, 'null'], ...(form.enum && { enum: [...form.enum, null] }) });
}
