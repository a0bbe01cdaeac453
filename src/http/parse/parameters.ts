import { z } from 'zod';
import { type FilterDefinition, filterFields, presenceFields } from '#domain/fields.ts';
import { parseTextQuery } from '#domain/search/parse-text-query.ts';
import {
  type Filter,
  type PresenceFilter,
  type SearchQuery,
  type Sort,
  sortKeys,
  type ValueFilter,
} from '#domain/search/search-query.ts';
import { type FaultDetails, listWords, shorten, suggest } from './faults.ts';
import { closedParameter, parameterPattern } from './patterns.ts';
import type { ParameterSet } from './read-parameters.ts';

/*
 * One schema per kind of parameter. Each reads the text of a present, non-empty parameter: a string, or an array of
 * strings for filters. Every issue carries in `params` what its FieldError says besides the message.
 */

/** Maximum code points of `q`. */
const maxTextLength = 500;
/** Code points that are two units of a string. Counting them makes no list of a long text's characters. */
const astral = /[\u{10000}-\u{10ffff}]/gu;
/** Maximum values of one filter: nobody chooses more by hand, and each costs the engine work. */
const maxValues = 100;
const maxPerPage = 100;
export const defaultPerPage = 20;

/** `q`: anything a person types. Only its length can be invalid. */
export const textParameter = z
  .string()
  .transform((text, context) => {
    const length = text.length - (text.match(astral)?.length ?? 0);
    if (length <= maxTextLength) return parseTextQuery(text);
    return rejectValue(context, `The text is ${length} characters long. Use at most ${maxTextLength}.`, {
      code: 'too_long',
    });
  })
  .meta({
    description: `What to search for: words, "a phrase", -excluded. A host or a pasted URL finds the outlet. At most ${maxTextLength} characters, after NFC normalization and trimming.`,
    examples: ['tech newsletters', '"breaking news" -sports', 'noticias miami'],
  });

/** A filter by value: any of the plain values, none of those with a leading `!`. */
export function filterParameter({ key, doc, vocabulary, filter }: (typeof filterFields)[number]) {
  return z
    .array(z.string())
    .transform((texts, context): ValueFilter => {
      const values = texts.flatMap((text) => text.split('|')).map((value) => value.trim());
      const given = values.filter((value) => value !== '');
      if (given.length > maxValues) {
        return rejectValue(context, `${given.length} values are too many. Use at most ${maxValues}.`, {
          code: 'too_many_values',
        });
      }
      const any = new Set<string>();
      const none = new Set<string>();
      for (const text of given) {
        const isNegated = text.startsWith('!');
        const value = isNegated ? text.slice(1).trim() : text;
        const canonical = value === '' ? null : filter.canonical(value);
        if (canonical !== null) (isNegated ? none : any).add(canonical);
        else failValue(context, value, filter, vocabulary !== undefined);
      }
      return { field: key, any: [...any], none: [...none] };
    })
    .meta({
      description: `${doc} For several values, repeat the parameter or separate them with |. Put ! before a value to exclude it. At most ${maxValues} values.`,
      // One value is not a list: a URL cannot tell the two apart.
      override: {
        type: ['array', 'string'],
        items: { anyOf: [describeValues(filter, vocabulary), { type: 'string' }] },
      },
    });
}

function describeValues({ allowed }: FilterDefinition, vocabulary: readonly string[] | undefined) {
  if (vocabulary !== undefined) return { type: 'string' as const, enum: [...vocabulary] };
  return { type: 'string' as const, ...(allowed && { description: `${allowed.join('; or ')}.` }) };
}

function failValue(context: z.RefinementCtx, value: string, filter: FilterDefinition, isClosed: boolean): void {
  const { parameter, allowed = [], guesses } = filter;
  const wrong = value === '' ? 'A value must follow the !.' : `${quote(value)} is not a valid ${parameter}.`;
  rejectValue(context, wrong, {
    code: 'unknown_value',
    right: allowed.length === 0 ? 'Use a value.' : `Use ${isClosed ? listWords(allowed) : allowed.join(', or ')}.`,
    ...(allowed.length > 0 && suggest(value, allowed, [...(guesses?.() ?? []), ...(isClosed ? allowed : [])])),
  });
}

const switchValues = ['1', 'true', '0', 'false'];

function switchParameter(parameter: string) {
  return z.string().transform((text, context): boolean => {
    const value = text.toLowerCase();
    if (switchValues.includes(value)) return value === '1' || value === 'true';
    return rejectValue(context, `${quote(text)} is not a valid value for ${parameter}.`, {
      code: 'unknown_value',
      right: 'Use 1 or 0, true or false.',
      allowed: switchValues,
    });
  });
}

export const explainParameter = switchParameter('explain').meta({
  description: '1: the answer says why each record is found, and what was forgiven. Only for keys of operators.',
  override: closedParameter(switchValues),
});

/** A switch for records where a field is known. */
export function presenceParameter({ key, presence }: (typeof presenceFields)[number]) {
  return switchParameter(presence.parameter)
    .transform((isOn): PresenceFilter | null => (isOn ? { present: key } : null))
    .meta({
      description: `1: only records with a known ${key}. 0: all records.`,
      override: closedParameter(switchValues),
    });
}

const sorts = sortKeys.flatMap((key) => [key, `-${key}`]);

export const sortParameter = z
  .string()
  .transform((text, context): Sort => {
    const isReversed = text.startsWith('-');
    const key = sortKeys.find((known) => known === text.slice(isReversed ? 1 : 0).toLowerCase());
    if (key !== undefined) return { key, reversed: isReversed };
    return rejectValue(context, `${quote(text)} is not a valid sort order.`, {
      code: 'unknown_value',
      right: `Use ${listWords(sorts)}.`,
      ...suggest(text, sorts, sortKeys),
    });
  })
  .meta({
    description:
      'relevance: best match first. name: A to Z. audience: largest first. updated: newest first. Put - in front to reverse the order.',
    override: { ...closedParameter(sorts), default: 'relevance' },
  });

export const pageParameter = wholeNumberParameter(1, Number.MAX_SAFE_INTEGER).meta({
  description: 'The page number, from 1. page × per_page must not exceed 10,000.',
  override: { type: ['integer', 'string'], minimum: 1, pattern: parameterPattern('0*[1-9][0-9]*'), default: 1 },
});

export const perPageParameter = wholeNumberParameter(1, maxPerPage).meta({
  description: `Records per page, at most ${maxPerPage}.`,
  override: {
    type: ['integer', 'string'],
    minimum: 1,
    maximum: maxPerPage,
    pattern: parameterPattern(`0*(?:[1-9][0-9]?|${maxPerPage})`),
    default: defaultPerPage,
  },
});

/** A whole number; without an upper limit if `most` is the largest safe integer. */
export function wholeNumberParameter(least: number, most: number) {
  const right = `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`;
  return z.string().transform((text, context): number => {
    const value = /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : Number.NaN;
    if (value >= least && value <= most) return value;
    return rejectValue(context, `${quote(text)} is not ${right}.`, { code: 'out_of_range' });
  });
}

/** Adds an issue whose message says what is wrong, with what its error says besides. */
export function rejectValue(context: z.RefinementCtx, message: string, details: FaultDetails): never {
  context.addIssue({ code: 'custom', message, params: details });
  return z.NEVER;
}

/** The value as an error shows it. */
function quote(value: string): string {
  return JSON.stringify(shorten(value));
}

/** One schema per filter of the registry: a new filterable field needs no line here. */
const filterShape: Record<string, z.ZodType<Filter | null | undefined>> = Object.fromEntries([
  ...filterFields.map((field) => [field.filter.parameter, filterParameter(field).optional()]),
  ...presenceFields.map((field) => [field.presence.parameter, presenceParameter(field).optional()]),
]);

/** The parameters that select records in /search, /facets, /export and pushes. */
export const querySchema = z.object({ ...filterShape, q: textParameter.optional() });

/** Without parameters, the whole database. */
export const queryParameters: ParameterSet<SearchQuery> = {
  schema: querySchema.transform(toSearchQuery),
  names: ['q', ...Object.keys(filterShape)],
  repeatable: new Set(filterFields.map((field) => field.filter.parameter)),
};

export function toSearchQuery({ q = null, ...others }: z.output<typeof querySchema>): SearchQuery {
  const read = Object.entries<Filter | null | undefined>(others).filter(([name]) => Object.hasOwn(filterShape, name));
  return { text: q, filters: read.flatMap(([, filter]) => filter ?? []) };
}
