import type { RequestHandler } from 'express';
import { problems } from '#src/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { handleAsset } from '../send.ts';
import { handleSharedPage } from './page.ts';
import { writeCalls } from './write-calls.ts';

export function handleOpenApi(document: () => OpenApiDocument): RequestHandler {
  const headers = { 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' };
  return handleAsset(() => JSON.stringify(document()), 'json', headers);
}

/** GET /docs/errors: explains each code. The `type` of every error links here. */
export function handleErrors(deps: AppDeps): RequestHandler {
  const codes = Object.entries(problems).map(([code, { status, title, doc }]) => ({ code, status, title, doc }));
  return handleSharedPage(deps, 'errors', () => ({ codes }), '../');
}

/** GET /docs: guides for people, then every operation, what it takes and how to call it, made of what /openapi.json says. */
export function handleDocs(deps: AppDeps, document: () => OpenApiDocument): RequestHandler {
  return handleSharedPage(deps, 'docs', () => ({
    serviceUrl: deps.publicUrl,
    ...outlineApi(document(), deps.publicUrl),
  }));
}

interface Schema {
  description?: string;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

type Content = Record<string, { schema?: Schema; example?: unknown }>;

/** The API for people: what it takes and an example of what it gives. Programs read the document itself. */
function outlineApi({ info, paths = {}, tags = [], components }: OpenApiDocument, serviceUrl: string) {
  const explained = new Set<string>();
  const isNew = ({ name, description }: Input) => explained.size !== explained.add(`${name} ${description}`).size;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post', 'patch', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { operationId: id = '', tags: [tag = ''] = [], summary = '', description = '', security = [] } = operation;
      const body = (operation.requestBody as { content?: Content } | undefined)?.content ?? {};
      const answer = (operation.responses?.['200'] as { content?: Content } | undefined)?.content ?? {};
      const parameters = (operation.parameters ?? []) as {
        name: string;
        in: string;
        required?: boolean;
        description?: string;
        schema?: Schema;
      }[];
      const inputs = [
        ...parameters.map(({ name, required = false, description, schema = {} }) =>
          toInput(name, { ...schema, ...(description && { description }) }, required),
        ),
        ...listFields(Object.values(body)[0]?.schema),
      ];
      const needsKey = security.length > 0 && security.every((way) => Object.keys(way).length > 0);
      const call = { id, tag, method: method.toUpperCase(), path, needsKey };
      const example = Object.values(body)[0]?.example;
      // What another operation takes as well is explained once.
      const fresh = inputs.filter(isNew);
      return {
        ...call,
        summary,
        description,
        inputs: fresh,
        alike: inputs.filter((input) => !fresh.includes(input)).map(({ name }) => name),
        calls: writeCalls(
          { ...call, parameters, body: example, isJson: Object.keys(answer)[0] === 'application/json' },
          serviceUrl,
        ),
        answer: writeAnswer(answer, components?.schemas ?? {}),
      };
    }),
  );
  return {
    version: info.version,
    introduction: info.description ?? '',
    groups: tags.map(({ name }) => ({ name, operations: operations.filter(({ tag }) => tag === name) })),
    record: listFields(components?.schemas?.Record as Schema | undefined),
  };
}

function listFields({ properties = {}, required = [] }: Schema = {}): Input[] {
  return Object.entries(properties).map(([name, field]) => toInput(name, field, required.includes(name)));
}

/** A parameter of an operation, or a field of its body. The description is Markdown; `allowed`, a closed list. */
type Input = ReturnType<typeof toInput>;

function toInput(name: string, schema: Schema, isRequired: boolean) {
  return { name, isRequired, description: schema.description ?? '', allowed: listAllowed(schema) };
}

function listAllowed({ enum: allowed, items, anyOf = [] }: Schema): string[] {
  if (allowed !== undefined) return allowed.map(String);
  return [...new Set([...(items ? listAllowed(items) : []), ...anyOf.flatMap(listAllowed)])];
}

/** An answer in JSON: the example of it, else what its schema says. */
function writeAnswer(
  { 'application/json': content }: Content,
  named: Readonly<Record<string, unknown>>,
): string | null {
  if (content === undefined) return null;
  return JSON.stringify(content.example ?? sampleOf((content.schema ?? {}) as AnswerSchema, named), null, 2);
}

/** A schema of the OpenAPI document (JSON Schema 2020-12), as far as answers use it. */
export interface AnswerSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  items?: AnswerSchema;
  anyOf?: AnswerSchema[];
  properties?: Record<string, AnswerSchema>;
}

/** What an answer of this schema looks like, for operations without an example. `named`: the schemas that others refer to. */
export function sampleOf(schema: AnswerSchema, named: Readonly<Record<string, unknown>>): unknown {
  const { $ref, const: constant, enum: allowed, anyOf, items, properties, format, minimum = 1 } = schema;
  const sampleOfInner = (inner: AnswerSchema) => sampleOf(inner, named);
  if ($ref !== undefined) return sampleOfInner((named[$ref.split('/').at(-1) ?? ''] ?? {}) as AnswerSchema);
  if (constant !== undefined) return constant;
  if (allowed !== undefined) return allowed[0];
  if (anyOf !== undefined) return sampleOfInner(anyOf[0] ?? {});
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, sampleOfInner(property)]));
  const [type] = [schema.type].flat();
  if (type === 'array') return items === undefined ? [] : [sampleOfInner(items)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  if (type === 'string')
    return format === 'date-time' ? '2026-10-02T08:15:00.000Z' : format === 'date' ? '2026-10-02' : '…';
  return null;
}
