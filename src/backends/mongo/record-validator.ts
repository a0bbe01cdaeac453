import type { Document } from 'mongodb';
import { type FieldDefinition, fields } from '#domain/fields.ts';
import { textLimits } from '#domain/normalize/text-limits.ts';

/**
 * The schema of documents in the records collection. It guards against mistakes of other tools: a value that no search
 * could find, such as a misspelled kind or an audience stored as text, is rejected with a message on write. Additional
 * keys are allowed.
 */
export function recordValidator(): Document {
  const properties = Object.fromEntries(
    (fields as readonly FieldDefinition[]).map((field) =>
      field.key === 'id'
        ? ['_id', { bsonType: 'string', minLength: 1, maxLength: textLimits.id }]
        : [field.key, { description: field.doc, ...schemaOf(field) }],
    ),
  );
  return { $jsonSchema: { bsonType: 'object', required: ['_id', 'kind', 'name'], properties } };
}

function schemaOf({ key, type, vocabulary }: FieldDefinition): Document {
  if (key === 'name') return { bsonType: 'string', minLength: 1 };
  if (key === 'kind') return { enum: [...(vocabulary ?? [])] };
  if (type === 'list') {
    return { bsonType: ['array', 'null'], items: vocabulary ? { enum: [...vocabulary] } : { bsonType: 'string' } };
  }
  if (vocabulary) return { enum: [...vocabulary, null] };
  if (type === 'integer') return { bsonType: ['int', 'long', 'double', 'null'], minimum: 0 };
  if (type === 'date') return { bsonType: ['string', 'date', 'null'] };
  return { bsonType: ['string', 'null'] };
}
