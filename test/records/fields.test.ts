import { expect, it } from 'vitest';
import { z } from 'zod';
import described from '#records/fields.json' with { type: 'json' };
import { recordKeys } from '#records/fields.ts';

const key = z.enum(recordKeys);
const description = z.strictObject({
  type: z.enum(['text', 'list', 'url', 'email', 'date', 'integer', 'contacts']),
  doc: z.string().min(1),
  shown: z.union([
    z.strictObject({ part: z.literal('heading') }),
    z.strictObject({ part: z.enum(['reach', 'details']), position: z.int(), label: z.string() }),
    z.strictObject({ beside: key }),
    z.strictObject({ nowhere: z.string() }),
  ]),
  column: z.tuple([z.string(), z.int()]).optional(),
  plain: z.strictObject({ limit: z.int() }).optional(),
  presence: z.strictObject({ parameter: z.string(), contact: z.string() }).optional(),
  range: z.partialRecord(z.enum(['from', 'before', 'to']), z.string()).optional(),
  group: z.enum(['contact', 'place', 'kind']).optional(),
  leaders: z.array(key).optional(),
  isDerived: z.literal(true).optional(),
  isSetByService: z.literal(true).optional(),
  isOnRequest: z.literal(true).optional(),
});

it.each(Object.entries(described))('fields.json describes %s in the terms of FieldDefinition', (_name, given) => {
  expect(description.safeParse(given).error?.issues).toBeUndefined();
});
