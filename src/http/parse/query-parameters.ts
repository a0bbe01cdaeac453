import { z } from 'zod';
import { rangeFields } from '#records/fields.ts';
import { maxNear } from '#search/meaning/find-near.ts';
import type { Filter, SearchQuery, ValueFilter } from '#search/search-query.ts';
import { readAudience } from '#search/understanding/read-audience.ts';
import { understand } from '#search/understanding/understand.ts';
import { memoize } from '#text/memoize.ts';
import { formatNumber } from '#text/printed.ts';
import { type FaultDetails, quote, rejectValue } from './faults.ts';
import { filterShape } from './filter-parameters.ts';
import {
  checkedAnyway,
  documentedAs,
  listParameter,
  separateAt,
  switchParameter,
  wordParameter,
} from './parameter-kinds.ts';

/*
 * Decides which records or contacts a caller selects, from `q`, `strict`, `whole`, `list`, `match` and the filters
 * (filter-parameters.ts), and makes them a query of the search.
 */

const maxTextLength = 500;

const understandOnce = memoize(understand);

const textParameter = z
  .string()
  .transform((text, context) => {
    // Subtracts the second unit of each surrogate pair. A list of the characters would cost more for a long text.
    const length = text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
    if (length <= maxTextLength) {
      const { rest, filters } = readAudience(text);
      const understood = understandOnce(rest);
      // Its own object, and parts, because what a search counted for them is of that search.
      return { text: understood && { ...understood, parts: [...understood.parts] }, filters };
    }
    const message = `The text is ${length} characters long. Use at most ${maxTextLength}.`;
    return rejectValue(context, message, { code: 'too_long' });
  })
  .optional()
  .meta({
    description: `What to search for, as a person types it: a name, words for a kind, topic, place or language, "a phrase", -excluded. A host or a pasted URL finds the outlet. At most ${maxTextLength} characters, after NFC normalization and trimming.`,
    examples: ['tech newsletters', '"breaking news" -sports', 'noticias miami'],
  });

/** Engines take at most 65,536 ids in one condition, and a list has up to 10,000. */
const maxLists = 5;

const listsParameter = listParameter(z.string(), (text) => separateAt(',', text))
  .transform((ids, context): Pick<ValueFilter, 'any' | 'none'> => {
    const { true: none = [], false: any = [] } = Object.groupBy(ids, (id) => (id.startsWith('!') ? 'true' : 'false'));
    if (ids.length > maxLists)
      rejectValue(context, `${ids.length} lists are too many. Use at most ${maxLists}.`, { code: 'too_many_values' });
    if (none.includes('!')) rejectValue(context, 'The id of a list must follow the !.', { code: 'unknown_value' });
    return { any, none: none.map((id) => id.slice(1).trim()) };
  })
  // Earlier versions took one.
  .meta({ override: documentedAs({ type: 'string' }) });

const textShape = {
  q: textParameter,
  strict: switchParameter('strict')
    .optional()
    .describe('1: `q` as it is typed, without typo tolerance, as after an answer that says `corrected`.'),
  whole: switchParameter('whole')
    .optional()
    .describe(
      '1: only records that have every part of `q`, as after an answer that says `dropped`. Exports and pushes always do so.',
    ),
  list: listsParameter
    .optional()
    .describe('A list of your account: only its records, with ! none. At most 5, with | between. Needs your key.'),
};

const matchShape = {
  match: wordParameter(['words', 'meaning'], (typed) => `${quote(typed)} is not a valid value for match.`)
    .optional()
    .describe(
      `meaning: the records nearest in meaning to \`q\`, whether or not they share a word with it, at most ${formatNumber(maxNear)}. Describe what you look for ("getting out of debt"). words: records that match the words of \`q\`.`,
    ),
};

/** The parameters that select records in /search, /facets, /export and pushes, and those of one endpoint. */
export function querySchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return contactQuerySchema({ ...matchShape, ...shape });
}

/** The parameters that select contacts, and those of one endpoint. */
export function contactQuerySchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return rangeFields.reduce(
    (schema, { range: { from, before, to } }) => {
      const most = before ?? to;
      if (from === undefined || most === undefined) return schema;
      return schema.refine((values: Readonly<Record<string, unknown>>) => isInOrder(values[from], values[most]), {
        ...checkedAnyway,
        path: [from],
        message: `${from} is beyond ${most}, so no record can match. Swap the two.`,
        params: { code: 'empty_range' } satisfies FaultDetails,
      });
    },
    z.object({ ...textShape, ...filterShape, ...shape }),
  );
}

/** Whether a range is not empty. A bound that could not be read is reported elsewhere. */
function isInOrder(least: unknown, most: unknown): boolean {
  const [from, to] = [least, most].map((bound) => Object(bound).value);
  return from === undefined || to === undefined || from <= to;
}

export const filterSchema = querySchema({});

type SelectingParameters = {
  q?: Pick<SearchQuery, 'text' | 'filters'> | undefined;
  strict?: boolean | undefined;
  whole?: boolean | undefined;
  list?: SearchQuery['lists'];
  match?: string | undefined;
} & Record<string, unknown>;

/** The query that parameters ask for; without any, the whole database. */
export function toSearchQuery({
  q,
  strict = false,
  whole = false,
  list,
  match,
  ...otherParameters
}: SelectingParameters): SearchQuery {
  const { text = null, filters = [] } = q ?? {};
  const filterEntries = Object.entries(otherParameters as Record<string, Filter | null | undefined>).filter(([name]) =>
    Object.hasOwn(filterShape, name),
  );
  return {
    text: text && { ...text, ...(strict && { isStrict: true }), ...(whole && { isWhole: true }) },
    filters: [...filters, ...filterEntries.flatMap(([, filter]) => filter ?? [])],
    ...(list !== undefined && { lists: list }),
    ...(match === 'meaning' && { match }),
  };
}
