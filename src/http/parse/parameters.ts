import { z } from 'zod';
import { type FilterDefinition, rangeBounds } from '#records/field-definition.ts';
import { filterFields, type IdentityField, identityFields, presenceFields, rangeFields } from '#records/fields.ts';
import { maxNear } from '#search/meaning/search-by-meaning.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import {
  type Filter,
  type IdentityFilter,
  type PresenceFilter,
  type SearchQuery,
  type Sort,
  sortKeys,
  type TextQuery,
  type ValueFilter,
} from '#search/search-query.ts';
import { type FaultDetails, listWords, quote, rejectValue, suggest } from './faults.ts';
import { closedParameter, parameterPattern } from './patterns.ts';
import { isInOrder, rangeParameter } from './range-parameters.ts';
import type { ParameterSet } from './read-parameters.ts';
import { wholeNumberParameter } from './whole-number.ts';

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

/** A filter by value. */
export function filterParameter({ key, doc, vocabulary, filter }: (typeof filterFields)[number]) {
  return valuesParameter(doc, filter, vocabulary).transform((values): ValueFilter => ({ field: key, ...values }));
}

/** A filter by what identifies records. */
function identityParameter({ key, identity }: (typeof identityFields)[number]) {
  return valuesParameter(identityDocs[key], identity).transform(
    (values): IdentityFilter => ({ identity: key, ...values }),
  );
}

const identityDocs: Record<IdentityField, string> = {
  id: 'Ids of records.',
  url: 'Hosts, URLs or email addresses: finds what `q` finds when the host is typed, without correcting typos.',
};

/** Any of the plain values, none of those with a leading `!`. */
function valuesParameter(doc: string, filter: FilterDefinition, vocabulary?: readonly string[]) {
  return z
    .array(z.string())
    .transform((texts, context): Pick<ValueFilter, 'any' | 'none'> => {
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
      return { any: [...any], none: [...none] };
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

export const switchValues = ['1', 'true', '0', 'false'];

/** A parameter that is on or off. */
export function switchParameter(parameter: string) {
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

const strictParameter = switchParameter('strict').meta({
  description:
    '1: `q` as it is typed, without typo tolerance. Use it to repeat a search whose answer says `corrected`. 0: typos are tolerated.',
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

/** One schema per filter of the registry: a new filterable field needs no line here. */
const filterShape: Record<string, z.ZodType<Filter | null | undefined>> = Object.fromEntries([
  ...filterFields.map((field) => [field.filter.parameter, filterParameter(field).optional()]),
  ...presenceFields.map((field) => [field.presence.parameter, presenceParameter(field).optional()]),
  ...identityFields.map((field) => [field.identity.parameter, identityParameter(field).optional()]),
  ...rangeFields.flatMap((field) =>
    rangeBounds.flatMap((bound) => {
      const name = field.range[bound];
      return name === undefined ? [] : [[name, rangeParameter(field, bound).optional()]];
    }),
  ),
]);

export const matches = ['words', 'meaning'];

const matchParameter = z
  .string()
  .transform((text, context): string => {
    const match = text.toLowerCase();
    if (matches.includes(match)) return match;
    return rejectValue(context, `${quote(text)} is not a valid value for match.`, {
      code: 'unknown_value',
      right: `Use ${listWords(matches)}.`,
      ...suggest(text, matches),
    });
  })
  .meta({
    description: `meaning: the records nearest in meaning to \`q\`, whether or not they share a word with it, at most ${maxNear.toLocaleString('en')}. Describe what you look for. words: records that match the words of \`q\`.`,
    override: { ...closedParameter(matches), default: 'words' },
  });

/** What is searched for, and how. */
const textShape = {
  q: textParameter.optional(),
  strict: strictParameter.optional(),
  list: z
    .string()
    .optional()
    .meta({ description: 'The id of a list of your account: only its records. Needs your key.' }),
  match: matchParameter.optional(),
};

/** The parameters that select records in /search, /facets, /export and pushes, and those of one endpoint. */
export function querySchema<Shape extends z.ZodRawShape>(others: Shape) {
  return rangeFields.reduce(
    (schema, { range }) => {
      const { from, before, to } = range;
      const most = before ?? to;
      if (from === undefined || most === undefined) return schema;
      return schema.refine((given: Readonly<Record<string, unknown>>) => isInOrder(given[from], given[most]), {
        // Checked even if another parameter is invalid, so the caller learns of everything at once.
        when: ({ value }) => typeof value === 'object',
        path: [from],
        message: `${from} is beyond ${most}, so no record can match. Swap the two.`,
        params: { code: 'empty_range' } satisfies FaultDetails,
      });
    },
    z.object({ ...filterShape, ...textShape, ...others }),
  );
}

/** Without parameters, the whole database. */
export const queryParameters: ParameterSet<SearchQuery> = {
  schema: querySchema({}).transform(toSearchQuery),
  names: [...Object.keys(textShape), ...Object.keys(filterShape)],
  repeatable: new Set([
    ...filterFields.map((field) => field.filter.parameter),
    ...identityFields.map((field) => field.identity.parameter),
  ]),
};

/** What querySchema reads. */
type SelectingParameters = {
  q?: TextQuery | null | undefined;
  strict?: boolean | undefined;
  list?: string | undefined;
  match?: string | undefined;
} & Record<string, unknown>;

export function toSearchQuery({ q = null, strict = false, list, match, ...others }: SelectingParameters): SearchQuery {
  const read = Object.entries(others as Record<string, Filter | null | undefined>).filter(([name]) =>
    Object.hasOwn(filterShape, name),
  );
  return {
    text: q !== null && strict ? { ...q, isStrict: true } : q,
    filters: read.flatMap(([, filter]) => filter ?? []),
    ...(list !== undefined && { list }),
    ...(match === 'meaning' && { match }),
  };
}
