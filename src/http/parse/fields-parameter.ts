import { z } from 'zod';
import { recordKeys } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import { listWords, quote, rejectValue, suggest } from './faults.ts';
import { closedParameter } from './patterns.ts';
import { shortList } from './short-list.ts';

const meaning = `Only these keys of a record, in the order of records; \`id\` always.`;

/** Maximum names: there are fewer fields, and each wrong name costs a search for the right one. */
const maxNames = 100;

function sayTooMany(count: number): string {
  return `${count} names are too many. Use at most ${maxNames}.`;
}

/** `fields`: names with commas between them, or one each time. Null if there are none, for the whole record. */
export const fieldsParameter = z
  .array(z.string())
  .transform((texts, context) =>
    readKeys(
      texts.flatMap((text) => text.split(/[,|]/)),
      context,
    ),
  )
  .meta({
    description: `${meaning} Separate the names with commas or repeat the parameter; at most ${maxNames} names.`,
    examples: ['name,url,email'],
    override: { type: 'array', items: closedParameter(recordKeys) },
  });

/** Clients that are generated from the document repeat what is a list. */
export const repeatableFields: ReadonlySet<string> = new Set(['fields']);

/** The same in a body, as a list. */
export const fieldsOfBody = shortList('fields', 'A field must be a string.', maxNames, sayTooMany)
  .nullish()
  .transform((names, context) => readKeys(names ?? [], context))
  .meta({
    description: meaning,
    override: { type: ['array', 'null'], items: closedParameter(recordKeys), maxItems: maxNames },
  });

/** `id` and the keys with these names, in the order of records; null without a name. */
function readKeys(names: readonly string[], context: z.RefinementCtx): readonly RecordKey[] | null {
  const given = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  if (given.length > maxNames) return rejectValue(context, sayTooMany(given.length), { code: 'too_many_values' });
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
