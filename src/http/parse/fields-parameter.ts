import { z } from 'zod';
import { recordKeys } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import { listWords, quote, rejectValue, suggest } from './faults.ts';

/** Maximum names: there are fewer fields, and each wrong name costs a search for the right one. */
const maxNames = 100;

const aboutFields = 'Only these keys of a record, in the order of records; `id` always.';

/** `fields`: names with commas between them, or one each time. Null if there are none, for the whole record. */
export const fieldsParameter = z
  .array(z.union([z.enum(recordKeys), z.string()]))
  .transform((texts, context) =>
    readKeys(
      texts.flatMap((text) => text.split(/[,|]/)),
      context,
    ),
  )
  .default(null)
  .meta({
    description: `${aboutFields} Separate the names with commas or repeat the parameter; at most ${maxNames} names.`,
    examples: ['name,url,email'],
  });

/** The same in a body, as a list. */
export const fieldsOfBody = shortList(
  'fields',
  z.union([z.enum(recordKeys), z.string()], 'A field must be a string.'),
  maxNames,
  sayTooManyNames,
)
  .nullish()
  .transform((names, context) => readKeys(names ?? [], context))
  .describe(aboutFields);

function sayTooManyNames(count: number): string {
  return `${count} names are too many. Use at most ${maxNames}.`;
}

/** `id` and the keys with these names, in the order of records; null without a name. */
function readKeys(names: readonly string[], context: z.RefinementCtx): readonly RecordKey[] | null {
  const given = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  if (given.length > maxNames) return rejectValue(context, sayTooManyNames(given.length), { code: 'too_many_values' });
  const asked = new Set(given);
  for (const name of asked) {
    if (recordKeys.some((key) => key === name)) continue;
    rejectValue(context, `${quote(name)} is not a field of a record.`, {
      code: 'unknown_value',
      right: `Use ${listWords(recordKeys)}.`,
      ...suggest(name, recordKeys),
    });
  }
  return asked.size === 0 ? null : recordKeys.filter((key) => key === 'id' || asked.has(key));
}

/**
 * A list in a body. One that is too long is refused by its length alone: thousands of wrong items would each cost an error
 * that no answer lists. `sayTooMany` says what is wrong with so many.
 */
export function shortList<Item extends z.ZodType<string>>(
  name: string,
  item: Item,
  most: number,
  sayTooMany: (count: number) => string,
) {
  return z.preprocess(
    (items, context) =>
      !Array.isArray(items) || items.length <= most
        ? items
        : rejectValue(context, sayTooMany(items.length), { code: 'too_many_values' }),
    z.array(item, `${name} must be an array of strings.`).max(most),
  );
}
