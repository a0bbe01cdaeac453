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
  const { $ref, const: only, enum: allowed, anyOf, items, properties, format, minimum = 1 } = schema;
  const of = (inner: AnswerSchema) => sampleOf(inner, named);
  if ($ref !== undefined) return of((named[$ref.split('/').at(-1) ?? ''] ?? {}) as AnswerSchema);
  if (only !== undefined) return only;
  if (allowed !== undefined) return allowed[0];
  if (anyOf !== undefined) return of(anyOf[0] ?? {});
  if (properties !== undefined)
    return Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, of(one)]));
  const [type] = [schema.type].flat();
  if (type === 'array') return items === undefined ? [] : [of(items)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(minimum, 1);
  if (type === 'string')
    return format === 'date-time' ? '2026-10-02T08:15:00.000Z' : format === 'date' ? '2026-10-02' : '…';
  return null;
}
