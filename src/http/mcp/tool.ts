import { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import { type FieldDefinition, rangeBounds } from '#records/field-definition.ts';
import { filterFields, identityFields, presenceFields, rangeFields, recordKeys } from '#records/fields.ts';
import type { RecordKey, SelectedRecord } from '#records/media-record.ts';
import type { AppDeps } from '../app-deps.ts';
import { Faults, listWords } from '../parse/faults.ts';
import { matches } from '../parse/parameters.ts';
import { addText, readTexts, takesList } from '../parse/read-parameters.ts';

export type ToolDeps = Pick<AppDeps, 'index' | 'mergedIds' | 'lists' | 'now' | 'publicUrl' | 'log'>;

/** What models can call. */
export interface Tool {
  name: string;
  title: string;
  /** Tells a model when to use it. */
  description: string;
  /** Its arguments as models are told of them. What it really reads, the parameters of the API say. */
  input: z.ZodRawShape;
  output: z.ZodRawShape;
  /** Throws a Problem for wrong arguments. */
  call(given: object, deps: ToolDeps, caller: Caller): Promise<ToolAnswer>;
}

/** The same twice: for programs, as the output schema says, and for models, in few words. */
export interface ToolAnswer {
  structured: Record<string, unknown>;
  text: string;
}

/**
 * Reads the arguments of a tool by the rules of the parameters of the same names. A value may be a text, a number or a
 * truth value; several values are a list. Null counts as absent. Throws a Problem that names every wrong argument, with
 * suggestions.
 */
export function readArguments<Schema extends z.ZodObject>(
  given: object,
  schema: Schema,
): { values: z.output<Schema>; given: URLSearchParams } {
  const faults = new Faults();
  const texts = new Map<string, string[]>();
  for (const [name, value] of Object.entries(given)) {
    const items = [value].flat().filter((item) => item !== null);
    if (items.some((item) => typeof item === 'object')) {
      faults.add(() => ({
        in: 'body',
        name,
        code: 'invalid',
        wrong: 'Use a string, a number, true, false, or a list of strings.',
      }));
    } else if (name in schema.shape && takesList(schema, name)) {
      for (const item of items) addText(texts, name, String(item));
    } else if (items.length > 0) addText(texts, name, items.join(','));
  }
  const read = readTexts(texts, schema, faults, { in: 'body', prefix: '' });
  if (read === null || faults.count > 0) throw faults.toProblem();
  return read;
}

const strings = z.array(z.string());

/** `fields`, with what is shown without it. */
export function fieldsArgument(usual: string) {
  return z.array(z.enum(recordKeys)).optional().describe(`Only these fields of each record. Default: ${usual}.`);
}

/** `q`, how it is read, and one argument per filter of the registry: a new filter needs no line here. */
export const filterArguments: z.ZodRawShape = {
  q: z
    .string()
    .optional()
    .describe(
      'What to search for, as a person types it: a name, words for a kind, topic, place or language ("tech newsletters", "radio station leeds"), a "phrase", -excluded, or a host.',
    ),
  match: z
    .enum(matches)
    .default('words')
    .describe(
      'meaning: the records nearest in meaning to q, at most 1,000, for a q that describes what is looked for ("getting out of debt").',
    ),
  strict: z.boolean().optional().describe('true: q as it is typed, without typo tolerance.'),
  list: z.string().optional().describe('Only the records of this list of the account, an id from get_lists.'),
  ...Object.fromEntries([
    ...filterFields.map((field) => [field.filter.parameter, strings.optional().describe(describeFilter(field))]),
    ...presenceFields.map(({ key, presence }) => [
      presence.parameter,
      z.boolean().optional().describe(`true: only records with a known ${key}.`),
    ]),
    ...identityFields.map(({ key, identity }) => [
      identity.parameter,
      strings.optional().describe(`Only records with this ${key}.${listForms(identity.allowed)}`),
    ]),
    ...rangeFields.flatMap((field) =>
      rangeBounds.flatMap((bound) => {
        const name = field.range[bound];
        return name === undefined ? [] : [[name, describeBound(field, bound)]];
      }),
    ),
  ]),
};

/** How several values of a filter go together; said once for all of them. */
export const aboutFilters =
  'Filters take lists: a record matches any of the values; a value with ! in front is excluded; different filters must all match.';

function describeFilter({ doc, vocabulary, filter }: FieldDefinition): string {
  return `${doc}${vocabulary === undefined ? listForms(filter?.allowed) : ` Use ${listWords(vocabulary)}.`}`;
}

function listForms(forms: readonly string[] | undefined): string {
  return forms === undefined ? '' : ` Use ${forms.join(', or ')}.`;
}

function describeBound({ doc, type }: FieldDefinition, bound: (typeof rangeBounds)[number]): z.ZodType {
  const side = { from: 'at least', before: 'before', to: 'at most' }[bound];
  const [value, example] = type === 'date' ? [z.string(), ', such as 2026-11-21'] : [z.int().min(0), ''];
  return value.optional().describe(`${doc.slice(0, -1)}: ${side} this${example}.`);
}

/** What a list shows of a record unless other fields are asked for: what it is, where, how large, and whom to write to. */
export const usualKeys: readonly RecordKey[] = [
  'id',
  'kind',
  'name',
  'url',
  'language',
  'country',
  'region',
  'city',
  'type',
  'categories',
  'contact_name',
  'contact_title',
  'email',
  'email_status',
  'audience',
];

/** A record in a list. Its fields are described once, by the tool for single records. */
export const listedRecord = z
  .looseObject({ id: z.string() })
  .describe('The usual fields of a record or those of `fields`; get_record describes each. Unknown values are null.');

/** One line of JSON, without what is unknown. */
export function describeRecord(record: SelectedRecord): string {
  const known = Object.entries(record).filter(([, value]) => value !== null && String(value) !== '');
  return JSON.stringify(Object.fromEntries(known));
}

/** What to do about masks; nothing if there are none. */
export function aboutMasks(isMasked: boolean, { publicUrl }: Pick<ToolDeps, 'publicUrl'>): string[] {
  return isMasked ? [`Emails are masked. A key with an active plan shows them: ${publicUrl}/plans`] : [];
}
