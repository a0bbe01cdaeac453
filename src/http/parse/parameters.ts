import { z } from 'zod';
import { type FilterDefinition, type RangeBound, rangeBounds } from '#records/field-definition.ts';
import {
  facetFields,
  filterFields,
  type IdentityField,
  identityFields,
  presenceFields,
  rangeFields,
} from '#records/fields.ts';
import { readIsoDate } from '#records/normalize/normalize-values.ts';
import { maxNear } from '#search/meaning/search-by-meaning.ts';
import { parseTextQuery } from '#search/parse-text-query.ts';
import { readParts } from '#search/read-parts.ts';
import {
  type Filter,
  type IdentityFilter,
  maxRow,
  type PresenceFilter,
  type RangeFilter,
  type SearchQuery,
  type Sort,
  sortKeys,
  type TextQuery,
  type ValueFilter,
} from '#search/search-query.ts';
import { foldedWords } from '#text/fold.ts';
import { type FaultDetails, listWords, quote, rejectValue, shorten, suggest } from './faults.ts';

/*
 * A schema for each kind of parameter, which reads the text of a present, non-empty one: a string, or a list of strings
 * for what may have several values. An issue carries in `params` what its error says besides the message.
 */

const maxTextLength = 500;
/** Maximum values of one filter: nobody chooses more by hand, and each costs the engine work. */
const maxValues = 100;
const maxPerPage = 100;
export const defaultPerPage = 20;

const textParameter = z
  .string()
  .transform((text, context) => {
    // Code points that are two units of a string: counting them makes no list of a long text's characters.
    const length = text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
    if (length <= maxTextLength) return parseTextQuery(text);
    const message = `The text is ${length} characters long. Use at most ${maxTextLength}.`;
    return rejectValue(context, message, { code: 'too_long' });
  })
  .optional()
  .meta({
    description: `What to search for, as a person types it: a name, words for a kind, topic, place or language, "a phrase", -excluded. A host or a pasted URL finds the outlet. At most ${maxTextLength} characters, after NFC normalization and trimming.`,
    examples: ['tech newsletters', '"breaking news" -sports', 'noticias miami'],
  });

/** A word of a closed list, in any case. `sayWrong` gets what was typed. */
export function wordParameter<const Word extends string>(words: readonly Word[], sayWrong: (typed: string) => string) {
  return z.preprocess(
    (typed) => words.find((word) => word === String(typed).toLowerCase()) ?? typed,
    z.enum(words, { error: ({ input }) => sayWrong(String(input)) }),
  );
}

export function switchParameter(name: string) {
  return wordParameter(
    ['1', 'true', '0', 'false'],
    (typed) => `${quote(typed)} is not a valid value for ${name}.`,
  ).transform((word) => word === '1' || word === 'true');
}

/** A whole number. Its error names no upper limit if that is the largest safe integer. */
export function wholeNumberParameter(least: number, most = Number.MAX_SAFE_INTEGER) {
  const right = `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`;
  const error = ({ input }: { input?: unknown }) => `${quote(String(input))} is not ${right}.`;
  return z.preprocess(
    (typed) => (/^\d+$/.test(String(typed)) ? Number(typed) : typed),
    z.int({ error }).min(least, { error }).max(most, { error }),
  );
}

/** Several values, repeated or with `|` between them. `items` are the usual ones, for the reference. */
function listParameter(items: readonly string[] | undefined) {
  const value = items === undefined ? z.string() : z.union([z.enum(items), z.string()]);
  return z.union([z.array(value), z.string()]).transform((texts, context) => {
    const values = [texts].flat().flatMap((text) => text.split('|'));
    const given = values.map((text) => text.trim()).filter((text) => text !== '');
    if (given.length <= maxValues) return given;
    const message = `${given.length} values are too many. Use at most ${maxValues}.`;
    return rejectValue(context, message, { code: 'too_many_values' });
  });
}

export function wordsParameter<const Word extends string>(name: string, words: readonly Word[]) {
  return listParameter(words).transform((texts, context) =>
    texts.map((text) => {
      const word = words.find((known) => known === text.toLowerCase());
      return word ?? rejectWord(context, `${quote(text)} is not a valid ${name}.`, text, words);
    }),
  );
}

export function rejectWord(context: z.RefinementCtx, wrong: string, typed: string, words: readonly string[]): never {
  const details = { code: 'unknown_value', ...suggest(typed, words) };
  return rejectValue(context, `${wrong} Use ${listWords(words)}.`, details);
}

/** A filter by value, or by what identifies records: any of the plain values, none of those with a leading `!`. */
function valuesParameter<Read extends Filter>(
  doc: string,
  filter: FilterDefinition,
  make: (values: Pick<ValueFilter, 'any' | 'none'>) => Read,
  vocabulary?: readonly string[],
) {
  const forms = vocabulary === undefined && filter.allowed ? ` Each value: ${filter.allowed.join('; or ')}.` : '';
  return listParameter(vocabulary)
    .transform((given, context): Read => {
      const any = new Set<string>();
      const none = new Set<string>();
      for (const text of given) {
        const isNegated = text.startsWith('!');
        const value = isNegated ? text.slice(1).trim() : text;
        const canonical = value === '' ? null : filter.canonical(value);
        if (canonical !== null) (isNegated ? none : any).add(canonical);
        else failValue(context, value, filter, vocabulary !== undefined);
      }
      return make({ any: [...any], none: [...none] });
    })
    .optional()
    .describe(doc + forms);
}

/** How several values of a filter go together; said once for all of them. */
export const aboutFilters = `Filters take several values, at most ${maxValues}, repeated or with | between them. A record must match any value of each filter; put ! before a value to exclude it.`;

function failValue(context: z.RefinementCtx, value: string, filter: FilterDefinition, isClosed: boolean): void {
  const { parameter, allowed = [], guesses } = filter;
  const wrong = value === '' ? 'A value must follow the !.' : `${quote(value)} is not a valid ${parameter}.`;
  // No name is longer, and to compare one with all regions and cities takes time.
  const known = value.length > 100 ? [] : facetFields;
  const meant = known.find(({ filter: other }) => (other.isKnown ?? isValueOf(other))(value))?.filter.parameter;
  if (meant !== undefined) {
    const right = `It is a valid ${meant}. Use ${meant}=${shorten(value)}.`;
    rejectValue(context, `${wrong} ${right}`, { code: 'unknown_value', allowed });
    return;
  }
  const several = value.split(',').map((part) => part.trim());
  if (several.length > 1 && several.every((part) => filter.canonical(part) !== null)) {
    const details = { code: 'unknown_value', allowed, did_you_mean: several.join('|') };
    rejectValue(context, `${wrong} Put | between several values.`, details);
    return;
  }
  // `tech` and `television` are far in letters from what a search would read in them.
  const said = isClosed && known.length > 0 ? readParts(foldedWords(value)).flatMap(({ concepts }) => concepts) : [];
  const word = allowed.find((one) => said.some((concept) => concept.endsWith(`.${one}`)));
  const right = isClosed ? listWords(allowed) : allowed.join(', or ') || 'a value';
  rejectValue(context, `${wrong} Use ${right}.`, {
    code: 'unknown_value',
    ...(allowed.length > 0 && suggest(word ?? value, allowed, [...(guesses?.() ?? []), ...(isClosed ? allowed : [])])),
  });
}

/** Codes are valid in many filters, and say little. */
const isValueOf = (filter: FilterDefinition) => (value: string) =>
  value.length > 3 && filter.allowed !== undefined && filter.canonical(value) !== null;

const identityDocs: Record<IdentityField, string> = {
  id: 'Ids of records.',
  url: 'Hosts, URLs or email addresses: finds what `q` finds when the host is typed, without correcting typos.',
};

function rangeParameter({ key, type, doc }: (typeof rangeFields)[number], bound: RangeBound) {
  const [kind, words] =
    type === 'date'
      ? ['An ISO 8601 date or time, in UTC unless it has a zone', { from: 'from', before: 'before', to: 'up to' }]
      : ['A number', { from: 'at least', before: 'below', to: 'at most' }];
  const read: z.ZodType<string | number> = type === 'date' ? timeParameter : wholeNumberParameter(0);
  return read
    .transform((value): RangeFilter => ({ range: key, bound, value }))
    .optional()
    .describe(`${doc.slice(0, -1)}: ${words[bound]} this. ${kind}. Leaves out records where it is unknown.`);
}

/** A plus sign that was not encoded in a URL arrives as a space. */
const zoneAfterSpace = /:(\d{2}(?:\.\d{1,9})?) (\d{2}:?\d{2})$/;

/** A time as records have it: ISO 8601 in UTC, with milliseconds. */
const timeParameter = z.string().transform((text, context): string => {
  const time = readIsoDate(text.replace(zoneAfterSpace, ':$1+$2'));
  if (time !== null) return time;
  const right = 'Use an ISO 8601 date or time, such as 2026-11-21 or 2026-11-21T09:30:00Z.';
  return rejectValue(context, `${quote(text)} is not a valid date or time. ${right}`, { code: 'invalid_time' });
});

/** One schema per filter of the registry: a new filterable field needs no line here. */
const filterShape: Record<string, z.ZodType<Filter | null | undefined>> = Object.fromEntries([
  ...filterFields.map(({ key, doc, vocabulary, filter }) => [
    filter.parameter,
    valuesParameter(doc, filter, (values): ValueFilter => ({ field: key, ...values }), vocabulary),
  ]),
  ...presenceFields.map(({ key, presence: { parameter } }) => [
    parameter,
    switchParameter(parameter)
      .transform((isOn): PresenceFilter | null => (isOn ? { present: key } : null))
      .optional()
      .describe(`1: only records with a known ${key}. 0: all records.`),
  ]),
  ...identityFields.map(({ key, identity }) => [
    identity.parameter,
    valuesParameter(identityDocs[key], identity, (values): IdentityFilter => ({ identity: key, ...values })),
  ]),
  ...rangeFields.flatMap((field) =>
    rangeBounds.flatMap((bound) => {
      const name = field.range[bound];
      return name === undefined ? [] : [[name, rangeParameter(field, bound)]];
    }),
  ),
]);

const textShape = {
  q: textParameter,
  strict: switchParameter('strict')
    .optional()
    .describe('1: `q` as it is typed, without typo tolerance, as after an answer that says `corrected`.'),
  list: z.string().optional().describe('The id of a list of your account: only its records. Needs your key.'),
  match: wordParameter(['words', 'meaning'], (typed) => `${quote(typed)} is not a valid value for match.`)
    .optional()
    .describe(
      `meaning: the records nearest in meaning to \`q\`, whether or not they share a word with it, at most ${maxNear.toLocaleString('en')}. Describe what you look for ("getting out of debt"). words: records that match the words of \`q\`.`,
    ),
};

/** The parameters that select records in /search, /facets, /export and pushes, and those of one endpoint. */
export function querySchema<Shape extends z.ZodRawShape>(others: Shape) {
  return rangeFields.reduce(
    (schema, { range: { from, before, to } }) => {
      const most = before ?? to;
      if (from === undefined || most === undefined) return schema;
      return schema.refine((given: Readonly<Record<string, unknown>>) => isInOrder(given[from], given[most]), {
        ...checkedAnyway,
        path: [from],
        message: `${from} is beyond ${most}, so no record can match. Swap the two.`,
        params: { code: 'empty_range' } satisfies FaultDetails,
      });
    },
    z.object({ ...textShape, ...filterShape, ...others }),
  );
}

/** What could not be read is reported elsewhere. */
function isInOrder(least: unknown, most: unknown): boolean {
  const [from, to] = [least, most].map((bound) => Object(bound).value);
  return from === undefined || to === undefined || from <= to;
}

/** Even if another parameter is invalid, so the caller learns of everything at once. */
export const checkedAnyway = { when: ({ value }: { value: unknown }) => typeof value === 'object' };

export const filterSchema = querySchema({});

type SelectingParameters = {
  q?: TextQuery | null | undefined;
  strict?: boolean | undefined;
  list?: string | undefined;
  match?: string | undefined;
} & Record<string, unknown>;

/** The query that parameters ask for; without any, the whole database. */
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

const sorts = sortKeys.flatMap((key) => [key, `-${key}` as const]);

export const sortParameter = wordParameter(sorts, (typed) => `${quote(typed)} is not a valid sort order.`)
  .transform((word): Sort => ({ key: word.replace('-', '') as Sort['key'], reversed: word.startsWith('-') }))
  .default({ key: 'relevance', reversed: false })
  .describe(
    'relevance, unless you say: best match first. name: A to Z. audience: largest first. updated: newest first. Put - in front to reverse the order.',
  );

export function pageShape(most = maxPerPage, usual = defaultPerPage) {
  return {
    page: wholeNumberParameter(1)
      .default(1)
      .describe('The page number, from 1. page × per_page must not exceed 10,000.'),
    per_page: wholeNumberParameter(1, most)
      .default(usual)
      .describe(`Records per page, at most ${most}; ${usual} unless you say.`),
  };
}

/** Whether a page is one that paging can reach. For `refine`. */
export const reachable = {
  isReachable: ({ page, per_page = defaultPerPage }: Readonly<Record<string, unknown>>) =>
    typeof page !== 'number' || typeof per_page !== 'number' || page * per_page <= maxRow,
  orElse: {
    ...checkedAnyway,
    path: ['page'],
    message: `page × per_page must not exceed ${maxRow}. Narrow the search, or get all results from GET /api/v1/export with the same filters.`,
    params: { code: 'page_too_deep' } satisfies FaultDetails,
  },
};
