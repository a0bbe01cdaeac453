import { filterValues } from '#records/field-values.ts';
import { filterFields, presenceFields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { NameForms } from '#search/name-forms.ts';
import { type SearchableText, searchableText } from '#search/searchable-text.ts';
import { foldedWords } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';

/** The columns of `search_text`, in order: what finds a record. */
export interface IndexText {
  /** One token for each complete name and alias, for each of their keys, and for each value to filter by. */
  exact: string;
  names: string;
  aliases: string;
  /** Hosts with their parent domains, and the label people remember. */
  hosts: string;
  concepts: string;
  place: string;
  /** And the tags. */
  description: string;
}

/** Separates two values of a column, so no phrase spans both. */
const gap = ' _ ';

/** The full text of a record. */
export function indexText(record: MediaRecord, text: SearchableText = searchableText(record)): IndexText {
  const { wholeNames, nameForms, names, aliases, hosts, hostLabels, concepts, place, description, tags, joinedWords } =
    text;
  return {
    exact: [
      ...wholeNames.map(exactToken),
      ...formTokens(nameForms),
      ...joinedWords.map(joinedToken),
      ...filterTokens(record),
    ].join(' '),
    names: names.join(gap),
    aliases: aliases.join(gap),
    hosts: [...new Set([...hosts.map(hostToken), ...hostLabels])].join(' '),
    concepts: concepts.join(' '),
    place,
    description: [description, ...tags].join(gap),
  };
}

/** Most keys have one, and so a word. */
const hasPlainLetter = /[a-z0-9]/;

/** The token of a complete name, from its nameKey; names made only of punctuation have one too. */
export function exactToken(key: string): string {
  return hasPlainLetter.test(key) || foldedWords(key).length > 0
    ? key.replaceAll(' ', '_')
    : `.${Buffer.from(key).toString('hex')}`;
}

/** The token of a host. A hyphen would end the token, and `the-times.example` would be found as `times.example`. */
export function hostToken(host: string): string {
  return host.replaceAll('-', '__');
}

export function hostOfToken(token: string): string {
  return token.replaceAll('__', '-');
}

/** The token of a value by which a filter finds records. */
export function filterToken(field: string, value: string): string {
  return `_f${field}.${exactToken(value).replaceAll('-', '_')}`;
}

export function presenceToken(field: string): string {
  return filterToken('known', field);
}

/** Memoized because many records share a value. */
const tokensOfFilters = filterFields.map((field) => ({
  field,
  tokenOf: memoize((value) => filterToken(field.key, value)),
}));

function filterTokens(record: MediaRecord): string[] {
  return [
    ...tokensOfFilters.flatMap(({ field, tokenOf }) => filterValues(record, field).map(tokenOf)),
    ...presenceFields.filter(({ key }) => record[key] !== null).map(({ key }) => presenceToken(key)),
  ];
}

/** Tokens for the keys of names. They begin with `_`, as no word and no complete name does. */
function formTokens({ compact, bare, sorted, wordCounts }: NameForms): string[] {
  return [
    ...compact.map(formToken.compact),
    ...bare.map(formToken.bare),
    ...sorted.map(formToken.sorted),
    ...wordCounts.map(wordCountToken),
  ];
}

/**
 * The token of a name in a form. The length comes first where near names are looked for: those of similar length with
 * the same first letter are then neighbors in the index.
 */
export const formToken = {
  compact: (name: string) => `_c${lengthOf(name)}${name}`,
  bare: (name: string) => `_b${lengthOf(name)}${name}`,
  sorted: (name: string) => `_s${name}`,
} as const;

/** The forms in which near names are looked for. */
export const nearForms = ['compact', 'bare'] as const;

/** The name of a token of one of nearForms. */
export function nameOfToken(token: string): string {
  return token.slice(formToken.compact('').length);
}

function lengthOf(name: string): string {
  return String(name.length).padStart(3, '0');
}

/** The token of two neighboring words of a name that were typed as one. */
export function joinedToken(joined: string): string {
  return `_j${joined}`;
}

export function wordCountToken(count: number): string {
  return `_n${count}`;
}
