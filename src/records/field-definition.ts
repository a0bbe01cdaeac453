import { nameKey } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';
import type { MediaRecord, RecordKey } from './media-record.ts';

export interface FieldDefinition {
  key: keyof MediaRecord;
  /** One line for the API reference. */
  doc: string;
  type: 'text' | 'list' | 'url' | 'email' | 'date' | 'integer' | 'contacts';
  /** Set for a field that follows from the contacts (contacts/with-contacts.ts): it is in no store and in no patch. */
  isDerived?: true;
  shown: ShownPlace;
  /** The column of pages' tables that has the field, and its position. Fields of one column are shown together. */
  column?: readonly [name: string, position: number];
  /** Set for a field that takes any text: it is imported as it is, cut at `limit` UTF-16 code units. */
  plain?: { limit: number };
  vocabulary?: readonly string[];
  /** Set for a date that only the service sets: imports read nothing into it. */
  isSetByService?: true;
  /** Set for a field that csv and xlsx have only where the caller names it. */
  isOnRequest?: true;
  filter?: FilterDefinition;
  facet?: FacetDefinition;
  /** The parameter that selects single records by this field. */
  identity?: FilterDefinition;
  range?: RangeDefinition;
  /** The parameter for records where the field is known. */
  presence?: { parameter: string; contact: string };
  /** Fields of one group are about one thing and change together: field-groups.ts has the rules. */
  group?: FieldGroup;
  /** The fields that decide whether a value of this one is still right: an email_status is wrong for another email. */
  leaders?: readonly RecordKey[];
}

/** Where the page of a record shows a field; beside which other field; or nowhere, and why. */
type ShownPlace =
  | { part: 'heading' }
  | { part: 'reach' | 'details'; position: number; label: string }
  | { beside: RecordKey }
  | { nowhere: string };

/** What a group of fields is about. */
export type FieldGroup = 'contact' | 'place' | 'kind';

export interface FilterDefinition {
  parameter: string;
  /** The form in which a value is compared; null if it is not a value of the field. */
  canonical: (value: string) => string | null;
  /** All forms by which a record with a value is found, if there are more than the one that is counted. */
  found?: (value: string, record: MediaRecord) => readonly string[];
  /** The form that is counted and shown, if it is not the canonical one. */
  counted?: (value: string, record: MediaRecord) => string;
  /** What errors offer: the valid values, and more words for suggestions. Absent if every value is valid. */
  allowed?: readonly string[];
  guesses?: () => readonly string[];
  /** Whether a value is a known one, for fields where every value is valid. */
  isKnown?: (value: string) => boolean;
}

/** The parameter of each bound: `from` and `to` belong to the range, `before` does not. */
type RangeDefinition = Partial<Record<RangeBound, string>>;

export const rangeBounds = ['from', 'before', 'to'] as const;
export type RangeBound = (typeof rangeBounds)[number];

export interface FacetDefinition {
  /** The key of its list in the answer, and the list's position. */
  list: string;
  position: number;
  label: (value: string) => string;
  /** Whether only the largest values are listed, because sources write whatever they like. */
  isOpen?: true;
}

export const words = (slug: string) => slug.replaceAll('_', ' ');
/** A slug as the beginning of a sentence; memoized because every facet list needs it. */
export const sentence = memoize((slug) => words(slug).replace(/^\p{L}/u, (letter) => letter.toUpperCase()));

/** A filter by a closed list, whose values may be typed as words or as a slug. */
export function vocabularyFilter(parameter: string, vocabulary: readonly string[]): FilterDefinition {
  return {
    parameter,
    allowed: vocabulary,
    canonical: (value) => {
      const slug = nameKey(value).replaceAll(' ', '_');
      return vocabulary.includes(slug) ? slug : null;
    },
  };
}

/** A field with a closed list of values, each of which is a choice of its filter and of its facet. */
export function closedField<const Words extends readonly string[], const List extends string>(
  parameter: string,
  vocabulary: Words,
  facet: { list: List; position: number; label?: FacetDefinition['label'] },
) {
  return { vocabulary, filter: vocabularyFilter(parameter, vocabulary), facet: { label: sentence, ...facet } };
}

/**
 * A filter by any value. By default it matches whole values, ignoring case, accents and surrounding space, and facets count
 * them as written. A place has other names in its country.
 */
export function openFilter(
  parameter: string,
  namesOf: (value: string, country: string | null) => readonly string[] = (value) => [nameKey(value)],
  countedAs: (value: string, country: string | null) => string = (value) => value,
) {
  return {
    parameter,
    canonical: (value: string) => nameKey(value) || null,
    found: (value: string, { country }: MediaRecord) => namesOf(value, country),
    counted: (value: string, { country }: MediaRecord) => countedAs(value, country),
  };
}

/** A facet of any values: it lists the largest. */
export function openFacet<List extends string>(list: List, position: number) {
  return { list, position, label: (value: string) => value, isOpen: true } as const;
}
