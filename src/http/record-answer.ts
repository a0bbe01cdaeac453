import { z } from 'zod';
import { type Contact, contactKinds, emptyContact } from '#records/contacts/contact.ts';
import { emptyRecord, fields, recordKeys } from '#records/fields.ts';
import type { MediaRecord, RecordKey } from '#records/media-record.ts';
import { emailStatuses } from '#records/vocabularies.ts';
import { count, moment } from './answer-parts.ts';
import examples from './examples.json' with { type: 'json' };
import { quote, rejectValue } from './parse/faults.ts';
import { listedWord, rejectWord } from './parse/parameter-kinds.ts';

const nullableText = z.string().nullable();

/** A person or a desk as answers have it (contract A18). */
const contactShape = z.strictObject({
  id: z.string().describe('Stable, and unique within its record.'),
  kind: z
    .enum(contactKinds)
    .describe(
      '`person`: has the name of a person. `automatic`: an inbox that only programs use, such as noreply@. `desk`: everybody else.',
    ),
  name: nullableText,
  title: nullableText.describe('Job title.'),
  beats: z.array(z.string()).describe('What the contact covers, in the words of the source.'),
  email: nullableText.describe('Email address; masked without a plan.'),
  email_status: z.enum(emailStatuses).nullable().describe('Result of verifying the address.'),
  email_source: nullableText.describe('URL where the address was found; null if the address is masked.'),
  last_verified_at: moment.nullable().describe('When the address was last verified.'),
  phone: nullableText,
  links: z.array(z.string()).describe('URLs of profiles.'),
});

export const contactAnswer = contactShape.meta({
  id: 'Contact',
  description: 'A person or a desk at a medium. What is unknown is null or empty.',
});

const emptyOne = emptyRecord('none', 'outlet', 'None');

const valueSchemas: Record<(typeof fields)[number]['type'], (word: z.ZodType) => z.ZodType> = {
  text: (word) => word,
  list: (word) => z.array(word),
  // A masked address is not a valid address: it contains stars.
  email: () => z.string(),
  url: () => z.string(),
  date: () => moment,
  integer: () => count,
  contacts: () => z.array(contactAnswer),
};

const recordShape = Object.fromEntries(fields.map((field) => [field.key, recordField(field)])) as {
  [Key in keyof MediaRecord]: z.ZodType<MediaRecord[Key]>;
};

/** A record with every key (contract A1), built from the registry. A field that is null in an empty record is nullable. */
export const wholeRecord = z.strictObject(recordShape);

/** A record as answers have it: whole, or with the keys that `fields` names. */
const selectableRecord = wholeRecord.partial().required({ id: true });

export const recordAnswer = selectableRecord.meta({
  id: 'Record',
  description:
    'An outlet, podcast or newsletter. Unknown values are null. All keys are present, unless the parameter `fields` names some: then these and `id`.',
});

function recordField(field: (typeof fields)[number]): z.ZodType {
  const { key, type, doc } = field;
  const word = 'vocabulary' in field ? z.enum(field.vocabulary) : z.string();
  const value = valueSchemas[type](word);
  return (emptyOne[key] === null ? value.nullable() : value).describe(doc);
}

/**
 * A record or null. Written out in the document and not required there, although it is always present: some generators of clients
 * know no union of a named schema with null, and take a required object for one that is never null.
 */
export const recordOrNull = selectableRecord.nullable().optional();

/** A contact or null, written out for the same reason. */
export const contactOrNull = contactShape.nullable().optional();

/** Maximum names of fields: there are fewer, and each wrong name costs a search for the right one. */
const maxNames = 100;
const fieldName = listedWord(recordKeys, 'A field must be a string.');
const aboutFields = `Only these keys of a record, in the order of records; \`id\` always. At most ${maxNames} names.`;

/** `fields`: names with commas between them, or one each time. Null if there are none, for the whole record. */
export const fieldsParameter = z
  .array(fieldName)
  .transform((texts, context) => readKeys(texts.join(',').split(/[,|]/), context))
  .default(null)
  .meta({
    description: `${aboutFields} Separate them with commas or repeat the parameter.`,
    examples: ['name,url,email'],
  });

export const fieldsOfBody = z
  .array(fieldName, 'fields must be an array of strings.')
  .max(maxNames, `Use at most ${maxNames} names.`)
  .nullish()
  .transform((names, context) => readKeys(names ?? [], context))
  .describe(aboutFields);

/** `id` and the keys with these names, in the order of records; null without a name. */
function readKeys(names: readonly string[], context: z.RefinementCtx): readonly RecordKey[] | null {
  const folded = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  if (folded.length > maxNames) {
    const message = `${folded.length} names are too many. Use at most ${maxNames}.`;
    return rejectValue(context, message, { code: 'too_many_values' });
  }
  const askedNames = new Set(folded);
  for (const name of askedNames) {
    if (recordKeys.some((key) => key === name)) continue;
    rejectWord(context, `${quote(name)} is not a field of a record.`, name, recordKeys);
  }
  return askedNames.size === 0 ? null : recordKeys.filter((key) => key === 'id' || askedNames.has(key));
}

export const exampleContact = { ...emptyContact('c-1'), ...examples.contact } as Contact;

export const exampleRecord = {
  ...emptyRecord('outlet-harbour-times', 'outlet', 'The Harbour Times'),
  ...examples.record,
} as MediaRecord;
