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
  const [form, none, ...others] = schema.anyOf ?? [];
  if (none?.type !== 'null' || others.length > 0 || typeof form?.type !== 'string') return;
  delete schema.anyOf;
  Object.assign(schema, form, { type: [form.type, 'null'], ...(form.enum && { enum: [...form.enum, null] }) });
}
