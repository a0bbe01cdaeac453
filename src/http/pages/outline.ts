import type { OpenApiDocument } from '../openapi.ts';

/** A parameter, or a field of a body or an answer. */
interface OutlinedField {
  name: string;
  /** Where a parameter is: `query`, `path` or `header`; null for a field. */
  place: string | null;
  isRequired: boolean;
  /** Such as `list of string`, or the name of a shape. */
  type: string;
  /** The closed list of its values. */
  allowed: string[];
  /** Markdown. */
  description: string;
}

interface OutlinedAnswer {
  status: string;
  description: string;
  /** The name of the shape of its JSON. */
  shape: string | null;
  example: string | null;
}

interface OutlinedOperation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  /** Markdown. */
  description: string;
  access: 'open' | 'key' | 'key or none';
  parameters: OutlinedField[];
  body: { fields: OutlinedField[]; example: string | null } | null;
  answers: OutlinedAnswer[];
}

/** The API as a page shows it: everything resolved, nothing that only programs need. */
interface ApiOutline {
  version: string;
  /** Markdown. */
  introduction: string;
  tags: { name: string; description: string }[];
  operations: OutlinedOperation[];
  shapes: { name: string; fields: OutlinedField[] }[];
}

/** A schema of JSON Schema, as far as an outline reads it. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Content {
  schema?: Schema;
  example?: unknown;
}

interface Answer {
  description?: string;
  content?: Record<string, Content>;
}

/** Outlines the document for people. */
export function outlineApi(document: OpenApiDocument): ApiOutline {
  const { components = {}, info, paths = {}, tags = [] } = document;
  const answers = (components.responses ?? {}) as Record<string, Answer>;
  const schemas = (components.schemas ?? {}) as Record<string, Schema>;
  const resolve = (answer: Answer & { $ref?: string }) =>
    answer.$ref === undefined ? answer : (answers[nameOf(answer.$ref)] ?? answer);
  return {
    version: info.version,
    introduction: info.description ?? '',
    tags: tags.map(({ name, description = '' }) => ({ name, description })),
    operations: Object.entries(paths).flatMap(([path, item]) =>
      (['get', 'post', 'patch', 'delete'] as const).flatMap((method) => {
        const operation = item[method];
        if (operation === undefined) return [];
        const { operationId, tags: [tag = ''] = [], summary = '', description = '', security = [] } = operation;
        const body = operation.requestBody as Answer | undefined;
        return {
          id: operationId ?? `${method}-${path}`,
          method: method.toUpperCase(),
          path,
          tag,
          summary,
          description,
          access: readAccess(security),
          parameters: (operation.parameters ?? []).flatMap((parameter) =>
            'in' in parameter ? readParameter(parameter) : [],
          ),
          body: body === undefined ? null : readBody(body, schemas),
          answers: Object.entries(operation.responses ?? {}).map(([status, answer]) =>
            readAnswer(status, resolve(answer as Answer)),
          ),
        };
      }),
    ),
    shapes: Object.entries(schemas).map(([name, schema]) => ({ name, fields: readFields(schema, schemas) })),
  };
}

function readAccess(security: readonly object[]): OutlinedOperation['access'] {
  const needsKey = security.filter((way) => Object.keys(way).length > 0);
  if (needsKey.length === 0) return 'open';
  return needsKey.length < security.length ? 'key or none' : 'key';
}

function readParameter(parameter: {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema?: unknown;
}) {
  const schema = (parameter.schema ?? {}) as Schema;
  return {
    name: parameter.name,
    place: parameter.in,
    isRequired: parameter.required ?? false,
    type: typeOf(schema),
    allowed: listAllowed(schema),
    description: parameter.description ?? '',
  };
}

function readBody(body: Answer, schemas: Record<string, Schema>) {
  const [content] = Object.values(body.content ?? {});
  return { fields: readFields(content?.schema ?? {}, schemas), example: writeExample(content) };
}

function readAnswer(status: string, { description = '', content = {} }: Answer): OutlinedAnswer {
  const [first] = Object.values(content);
  const reference = first?.schema?.$ref;
  return {
    status,
    description,
    shape: reference === undefined ? null : nameOf(reference),
    example: writeExample(first),
  };
}

function readFields(schema: Schema, schemas: Record<string, Schema>): OutlinedField[] {
  const { $ref: reference, properties = {}, required = [], allOf = [], anyOf = [], oneOf = [] } = schema;
  if (reference !== undefined) return readFields(schemas[nameOf(reference)] ?? {}, schemas);
  const own = Object.entries(properties).map(([name, field]) => ({
    name,
    place: null,
    isRequired: required.includes(name),
    type: typeOf(field),
    allowed: listAllowed(field),
    description: field.description ?? '',
  }));
  const others = [...allOf, ...anyOf, ...oneOf].flatMap((part) => readFields(part, schemas));
  return [...new Map([...own, ...others].map((field) => [field.name, field])).values()];
}

/** Such as `string or null`. */
function typeOf({ $ref: reference, type, format, items, anyOf, oneOf, enum: allowed }: Schema): string {
  if (reference !== undefined) return nameOf(reference);
  const either = anyOf ?? oneOf;
  if (type === undefined && either !== undefined) return [...new Set(either.map(typeOf))].join(' or ');
  const types = [type ?? (allowed ? 'string' : 'any')].flat();
  const named = types.map((name) => {
    if (name === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`;
    return name === 'string' && format !== undefined ? format : name;
  });
  // A query has lists as texts.
  const isQueryList = types.includes('array') && types.includes('string');
  return isQueryList ? (named.find((name) => name.startsWith('list')) ?? 'list') : named.join(' or ');
}

function listAllowed({ enum: allowed, items, anyOf, const: only }: Schema): string[] {
  if (allowed !== undefined) return allowed.map(String);
  if (only !== undefined) return [String(only)];
  if (items !== undefined) return listAllowed(items);
  return [...new Set((anyOf ?? []).flatMap(listAllowed))];
}

function writeExample(content: Content | undefined): string | null {
  if (content?.example === undefined) return null;
  return typeof content.example === 'string' ? content.example : JSON.stringify(content.example, null, 2);
}

/** The last part of a reference such as `#/components/schemas/Record`. */
function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
