import { type FieldDefinition, rangeBounds } from '#records/field-definition.ts';
import { filterFields, identityFields, presenceFields, rangeFields, recordKeys } from '#records/fields.ts';
import { Faults, listWords } from '../parse/faults.ts';
import { matches } from '../parse/parameters.ts';
import { addText, type ParameterSet, readTexts } from '../parse/read-parameters.ts';
import type { ObjectSchema } from './tool.ts';

/**
 * Reads the arguments of a tool by the rules of the parameters of the same names. A value may be a text, a number or a
 * truth value; several values are a list, or have commas between them where a parameter takes one text. Null counts as
 * absent. Throws a Problem that names every wrong argument, with suggestions.
 */
export function readArguments<Output>(given: object, set: ParameterSet<Output>): Output {
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
    } else if (set.repeatable.has(name)) {
      for (const item of items) addText(texts, name, String(item));
    } else if (items.length > 0) addText(texts, name, items.join(','));
  }
  const read = readTexts(texts, set, faults, { in: 'body', prefix: '' });
  if (read === null || faults.count > 0) throw faults.toProblem();
  return read.values;
}

type Schema = Record<string, unknown>;

/** The schema of arguments with these properties. */
export function argumentsSchema(properties: Record<string, Schema>, required: readonly string[] = []): ObjectSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

const strings = { type: 'array', items: { type: 'string' } };

/** `fields`, with what is shown without it. */
export function fieldsArgument(usual: string): Schema {
  return {
    type: 'array',
    items: { type: 'string', enum: recordKeys },
    description: `Only these fields of each record. Default: ${usual}.`,
  };
}

/** `q`, how it is read, and one property per filter of the registry: a new filter needs no line here. */
export const filterArguments: Record<string, Schema> = {
  q: {
    type: 'string',
    description:
      'What to search for, as a person types it: a name, words for a kind, topic, place or language ("tech newsletters", "radio station leeds"), a "phrase", -excluded, or a host.',
  },
  match: {
    type: 'string',
    enum: matches,
    default: 'words',
    description:
      'meaning: the records nearest in meaning to q, at most 1,000, for a q that describes what is looked for ("getting out of debt").',
  },
  strict: { type: 'boolean', description: 'true: q as it is typed, without typo tolerance.' },
  list: { type: 'string', description: 'Only the records of this list of the account, an id from get_lists.' },
  ...Object.fromEntries([
    ...filterFields.map((field) => [field.filter.parameter, { ...strings, description: describeFilter(field) }]),
    ...presenceFields.map(({ key, presence }) => [
      presence.parameter,
      { type: 'boolean', description: `true: only records with a known ${key}.` },
    ]),
    ...identityFields.map(({ key, identity }) => [
      identity.parameter,
      { ...strings, description: `Only records with this ${key}.${listForms(identity.allowed)}` },
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

function describeBound({ doc, type }: FieldDefinition, bound: (typeof rangeBounds)[number]): Schema {
  const side = { from: 'at least', before: 'before', to: 'at most' }[bound];
  const value = type === 'date' ? { type: 'string' } : { type: 'integer', minimum: 0 };
  const example = type === 'date' ? ', such as 2026-11-21' : '';
  return { ...value, description: `${doc.slice(0, -1)}: ${side} this${example}.` };
}
