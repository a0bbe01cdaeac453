import { z } from 'zod';
import { contactFields } from '#records/contacts/contact-fields.ts';
import { type FilterDefinition, type RangeBound, rangeBounds } from '#records/field-definition.ts';
import {
  facetFields,
  filterFields,
  type IdentityField,
  identityFields,
  isDerived,
  presenceFields,
  rangeFields,
} from '#records/fields.ts';
import type { Filter, IdentityFilter, PresenceFilter, RangeFilter, ValueFilter } from '#search/search-query.ts';
import { readParts } from '#search/words/read-parts.ts';
import { foldedWords } from '#text/fold.ts';
import { andWords, type FaultDetails, listWords, quote, rejectValue, shorten, suggest } from './faults.ts';
import {
  excludableWord,
  listParameter,
  maxValues,
  separateAt,
  switchParameter,
  timeParameter,
  wholeNumberParameter,
} from './parameter-kinds.ts';

/*
 * Decides what each filter reads and how it is documented, from its field in records/fields.ts. A wrong value is rejected with what
 * was probably meant.
 */

/** The filters that must be true of one and the same contact. */
const ofOneContact = [
  ...presenceFields.map(({ presence }) => presence.parameter),
  ...filterFields.filter(({ key }) => isDerived(key)).map(({ filter }) => filter.parameter),
  ...rangeFields.filter(({ key }) => isDerived(key)).flatMap(({ range }) => Object.values(range)),
  ...contactFields.map(({ filter }) => filter.parameter),
];

/** How a filter takes several values. The description of each operation that filters says it once. */
export const aboutFilters = `Filters take several values, at most ${maxValues}, repeated or with | between them, or a comma where no value can contain one. A record must match any value of each filter; put ! before a value to exclude it. ${andWords.format(ofOneContact)} must be true of one contact.`;

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

/** One schema per filter of the registry: a new filterable field needs no line here. */
export const filterShape: Record<string, z.ZodType<Filter | null | undefined>> = Object.fromEntries([
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
    .transform((texts, context): Read => {
      const any = new Set<string>();
      const none = new Set<string>();
      for (const text of texts) {
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
  const values = separateAt(',', text);
  return isValue(text) || !values.some(isValue) ? [text] : values;
}

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
  const candidates = value.length > 100 ? [] : facetFields;
  const otherParameter = candidates.find(({ filter: other }) => (other.isKnown ?? isValueOf(other))(value))?.filter
    .parameter;
  if (otherParameter !== undefined)
    return reject(`It is a valid ${otherParameter}. Use ${otherParameter}=${shorten(value)}.`, { allowed });
  // A search reads `tech` as technology, although `television` has more of its letters.
  const concepts =
    isClosed && candidates.length > 0 ? readParts(foldedWords(value)).flatMap((part) => part.concepts) : [];
  const word = allowed.find((allowedWord) => concepts.some((concept) => concept.endsWith(`.${allowedWord}`)));
  const right = isClosed ? listWords(allowed) : allowed.join(', or ') || 'a value';
  const guessed = [...(guesses?.() ?? []), ...(isClosed ? allowed : [])];
  return reject(`Use ${right}.`, allowed.length > 0 ? suggest(word ?? value, allowed, guessed) : {});
}

/** Short codes are left out: one such as `it` is valid in several filters. A word of a list, such as `tv`, is not. */
function isValueOf({ allowed = [], canonical }: FilterDefinition): (value: string) => boolean {
  return (value) => allowed.includes(value) || (value.length > 3 && allowed.length > 0 && canonical(value) !== null);
}

function rangeParameter({ key, type, doc }: (typeof rangeFields)[number], bound: RangeBound) {
  const [kind, words] =
    type === 'date'
      ? [aboutTimes, { from: 'from', before: 'before', to: 'up to' }]
      : ['A number', { from: 'at least', before: 'below', to: 'at most' }];
  const schema: z.ZodType<string | number> = type === 'date' ? timeParameter : wholeNumberParameter(0);
  return schema
    .transform((value): RangeFilter => ({ range: key, bound, value }))
    .optional()
    .describe(`${doc.slice(0, -1)}: ${words[bound]} this. ${kind}. ${aboutUnknown}`);
}
