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
import { rowKinds } from '#search/contact-row.ts';
import { maxNear } from '#search/meaning/find-near.ts';
import { readAudience } from '#search/read-audience.ts';
import { readParts } from '#search/read-parts.ts';
import {
  bestFirst,
  type Filter,
  type IdentityFilter,
  maxRow,
  type PresenceFilter,
  type RangeFilter,
  type SearchQuery,
  type Sort,
  sortKeys,
  type ValueFilter,
} from '#search/search-query.ts';
import { understand } from '#search/understand.ts';
import { foldedWords } from '#text/fold.ts';
import { formatNumber } from '#text/printed.ts';
import { type FaultDetails, listWords, quote, rejectValue, shorten, suggest } from './faults.ts';
import {
  checkedAnyway,
  documentedAs,
  excludableWord,
  listParameter,
  maxValues,
  meaningfulEmpty,
  separateAt,
  switchParameter,
  timeParameter,
  wholeNumberParameter,
  wordParameter,
} from './parameter-kinds.ts';

const maxTextLength = 500;
const maxPerPage = 100;
export const defaultPerPage = 20;

const textParameter = z
  .string()
  .transform((text, context) => {
    // Subtracts the second unit of each surrogate pair. A list of the characters would cost more for a long text.
    const length = text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
    if (length <= maxTextLength) {
      const { rest, filters } = readAudience(text);
      return { text: understand(rest), filters };
    }
    const message = `The text is ${length} characters long. Use at most ${maxTextLength}.`;
    return rejectValue(context, message, { code: 'too_long' });
  })
  .optional()
  .meta({
    description: `What to search for, as a person types it: a name, words for a kind, topic, place or language, "a phrase", -excluded. A host or a pasted URL finds the outlet. At most ${maxTextLength} characters, after NFC normalization and trimming.`,
    examples: ['tech newsletters', '"breaking news" -sports', 'noticias miami'],
  });

/** A filter by value, or by what identifies records: any of the plain values, none of those with a leading `!`. */
function valuesParameter<Read extends Filter>(
  doc: string,
  filter: FilterDefinition,
  make: (values: Pick<ValueFilter, 'any' | 'none'>) => Read,
  vocabulary?: readonly string[],
) {
  const forms = vocabulary === undefined && filter.allowed ? ` Each value: ${filter.allowed.join('; or ')}.` : '';
  const item = vocabulary === undefined ? z.string() : excludableWord(vocabulary);
  return listParameter(item, (text) => separateValues(text, filter))
    .transform((given, context): Read => {
      const any = new Set<string>();
      const none = new Set<string>();
      for (const text of given) {
        const isNegated = text.startsWith('!');
        const value = isNegated ? text.slice(1).trim() : text;
        const canonical = value === '' ? null : filter.canonical(value);
        if (canonical !== null) (isNegated ? none : any).add(canonical);
        else rejectFilterValue(context, value, filter, vocabulary !== undefined);
      }
      return make({ any: [...any], none: [...none] });
    })
    .optional()
    .describe(doc + forms);
}

/**
 * The values between the commas of a text. Names of places and tags may have commas: a text that is one value stays so. Where
 * no part is a value, the text is reported as it was typed.
 */
function separateValues(text: string, { canonical }: FilterDefinition): string[] {
  const isValue = (value: string) => canonical(value.replace(/^!\s*/, '')) !== null;
  const several = separateAt(',', text);
  return isValue(text) || !several.some(isValue) ? [text] : several;
}

/** How a filter takes several values. The description of each operation that filters says it once. */
export const aboutFilters = `Filters take several values, at most ${maxValues}, repeated or with | between them, or a comma where no value can contain one. A record must match any value of each filter; put ! before a value to exclude it. named, has_email, email_status, verified_since, beat, title and contact_kind must be true of one contact.`;

/** Says what is wrong with a value, and what was probably meant: another filter, several values, or another word. */
function rejectFilterValue(
  context: z.RefinementCtx,
  value: string,
  filter: FilterDefinition,
  isClosed: boolean,
): never {
  const { parameter, allowed = [], guesses } = filter;
  const wrong = value === '' ? 'A value must follow the !.' : `${quote(value)} is not a valid ${parameter}.`;
  const reject = (right: string, details: Omit<FaultDetails, 'code'>) =>
    rejectValue(context, `${wrong} ${right}`, { code: 'unknown_value', ...details });
  // No name is longer, and comparing one with all regions and cities takes time.
  const others = value.length > 100 ? [] : facetFields;
  const meant = others.find(({ filter: other }) => (other.isKnown ?? isValueOf(other))(value))?.filter.parameter;
  if (meant !== undefined) return reject(`It is a valid ${meant}. Use ${meant}=${shorten(value)}.`, { allowed });
  // A search reads `tech` as technology, although `television` has more of its letters.
  const concepts = isClosed && others.length > 0 ? readParts(foldedWords(value)).flatMap((part) => part.concepts) : [];
  const word = allowed.find((one) => concepts.some((concept) => concept.endsWith(`.${one}`)));
  const right = isClosed ? listWords(allowed) : allowed.join(', or ') || 'a value';
  const guessed = [...(guesses?.() ?? []), ...(isClosed ? allowed : [])];
  return reject(`Use ${right}.`, allowed.length > 0 ? suggest(word ?? value, allowed, guessed) : {});
}

/** Short codes are left out: one such as `it` is valid in several filters. */
const isValueOf = (filter: FilterDefinition) => (value: string) =>
  value.length > 3 && filter.allowed !== undefined && filter.canonical(value) !== null;

const identityDocs: Record<IdentityField, string> = {
  id: 'Ids of records.',
  url: 'Hosts, URLs or email addresses: finds what `q` finds when the host is typed, without correcting typos.',
};

const aboutUnknown = 'Leaves out records where it is unknown.';
const aboutTimes = 'An ISO 8601 date or time, in UTC unless it has a zone';
/** What the descriptions of all ranges end with, and the same said once for all. */
export const aboutRanges = {
  each: new RegExp(` (?:${aboutTimes}|A number)\\. ${aboutUnknown}`),
  all: `Dates and times are in ISO 8601, in UTC unless they have a zone. A range leaves out records where the value is unknown.`,
};

function rangeParameter({ key, type, doc }: (typeof rangeFields)[number], bound: RangeBound) {
  const [kind, words] =
    type === 'date'
      ? [aboutTimes, { from: 'from', before: 'before', to: 'up to' }]
      : ['A number', { from: 'at least', before: 'below', to: 'at most' }];
  const read: z.ZodType<string | number> = type === 'date' ? timeParameter : wholeNumberParameter(0);
  return read
    .transform((value): RangeFilter => ({ range: key, bound, value }))
    .optional()
    .describe(`${doc.slice(0, -1)}: ${words[bound]} this. ${kind}. ${aboutUnknown}`);
}

/** One schema per filter of the registry: a new filterable field needs no line here. */
const filterShape: Record<string, z.ZodType<Filter | null | undefined>> = Object.fromEntries([
  ...filterFields.map(({ key, doc, vocabulary, filter }) => [
    filter.parameter,
    valuesParameter(doc, filter, (values): ValueFilter => ({ field: key, ...values }), vocabulary),
  ]),
  ...presenceFields.map(({ key, presence: { parameter, contact } }) => [
    parameter,
    switchParameter(parameter)
      .transform((isOn): PresenceFilter | null => (isOn ? { present: key } : null))
      .optional()
      .describe(`1: only records with a contact that ${contact}. 0: all records.`),
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

/** Engines take at most 65,536 ids in one condition, and a list has up to 10,000. */
const maxLists = 5;

const listsParameter = listParameter(z.string(), (text) => separateAt(',', text))
  .transform((given, context): Pick<ValueFilter, 'any' | 'none'> => {
    const { true: none = [], false: any = [] } = Object.groupBy(given, (id) => (id.startsWith('!') ? 'true' : 'false'));
    if (given.length > maxLists)
      rejectValue(context, `${given.length} lists are too many. Use at most ${maxLists}.`, { code: 'too_many_values' });
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
export function querySchema<Shape extends z.ZodRawShape>(others: Shape) {
  return contactQuerySchema({ ...matchShape, ...others });
}

/** The parameters that select contacts, and those of one endpoint. */
export function contactQuerySchema<Shape extends z.ZodRawShape>(others: Shape) {
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

/** Whether a range is not empty. A bound that could not be read is reported elsewhere. */
function isInOrder(least: unknown, most: unknown): boolean {
  const [from, to] = [least, most].map((bound) => Object(bound).value);
  return from === undefined || to === undefined || from <= to;
}

export const filterSchema = querySchema({});

/** What has a row in an answer or a file. */
export const rowsParameter = wordParameter(rowKinds, (typed) => `${quote(typed)} is not a valid value for rows.`)
  .default('records')
  .describe(
    'contacts: each contact that GET /api/v1/contacts finds for the same parameters. records, unless you say: each record.',
  );

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
  ...others
}: SelectingParameters): SearchQuery {
  const { text = null, filters = [] } = q ?? {};
  const read = Object.entries(others as Record<string, Filter | null | undefined>).filter(([name]) =>
    Object.hasOwn(filterShape, name),
  );
  return {
    text: text && { ...text, ...(strict && { isStrict: true }), ...(whole && { isWhole: true }) },
    filters: [...filters, ...read.flatMap(([, filter]) => filter ?? [])],
    ...(list !== undefined && { lists: list }),
    ...(match === 'meaning' && { match }),
  };
}

/** The orders of contacts. */
export const contactSortParameter = wordParameter(
  ['relevance', 'name', 'updated'].flatMap((key) => [key, `-${key}`]),
  (typed) => `${quote(typed)} is not a valid sort order of contacts.`,
)
  .transform((word) => toSort<Sort['key']>(word))
  .default(bestFirst)
  .describe(
    'relevance, unless you say: those that meet more words of `q` themselves, then those with a usable address, then the best known media; without `q`, the largest audience first. name: of the contact, A to Z. updated: of the record, newest first. Put - in front to reverse the order.',
  );

/** The orders of records, and others that an endpoint has besides. */
export function sortParameterOf<Key extends string = never>(others: readonly Key[], doc: string) {
  const words = [...sortKeys, ...others].flatMap((key) => [key, `-${key}`]);
  return wordParameter(words, (typed) => `${quote(typed)} is not a valid sort order.`)
    .transform((word) => toSort<Sort['key'] | Key>(word))
    .default(bestFirst)
    .describe(doc);
}

function toSort<Key extends string>(word: string): { key: Key; reversed: boolean } {
  return { key: word.replace('-', '') as Key, reversed: word.startsWith('-') };
}

export const sortParameter = sortParameterOf(
  [],
  'relevance, unless you say: best match first. name: A to Z. audience: largest first. updated, created: newest first. reachable: records with a usable address first (neither invalid nor disposable), then the largest audience. Put - in front to reverse the order.',
);

/** Rows and files of lists are as they were before entries had dates of contact, unless a caller asks for these. */
export const datesParameter = switchParameter('dates').default(false);

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

/** For paging, or with `after` for walking through all rows. */
export function walkShape() {
  const { page, ...others } = pageShape();
  const after = z
    .string()
    .optional()
    .describe(
      'In place of `page`, to walk through all results, however many: empty first, then `next` of the last answer. A result that does not change meanwhile comes exactly once. Needs a key.',
    )
    .register(meaningfulEmpty, {});
  return {
    page: page
      .unwrap()
      .optional()
      .describe(page.description ?? ''),
    ...others,
    after,
  };
}

/** Which parameters cannot stand beside `after`. For `refine`. */
export const walkable = {
  isWalkable: ({ after, page, match }: Readonly<Record<string, unknown>>) =>
    after === undefined || (page === undefined && match !== 'meaning'),
  orElse: {
    ...checkedAnyway,
    path: ['after'],
    message: `after cannot be combined with page or match=meaning. Leave out page; by meaning there are at most ${formatNumber(maxNear)} results, which page reaches.`,
    params: { code: 'conflict' } satisfies FaultDetails,
  },
};

/** Whether a page is one that paging can reach. For `refine`. */
export const reachable = {
  isReachable: ({ page, per_page = defaultPerPage }: Readonly<Record<string, unknown>>) =>
    typeof page !== 'number' || typeof per_page !== 'number' || page * per_page <= maxRow,
  orElse: {
    ...checkedAnyway,
    path: ['page'],
    message: `page × per_page must not exceed ${maxRow}. Narrow the search, or get all results from GET /api/v1/export with the same filters, or page by page with after.`,
    params: { code: 'page_too_deep' } satisfies FaultDetails,
  },
};
