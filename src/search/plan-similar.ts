import { countedValues } from '#records/field-values.ts';
import { type FilterField, filterFields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Kind } from '#records/vocabularies.ts';
import { smallWords } from '#text/small-words.ts';
import { searchableText } from './searchable-text.ts';

/**
 * What makes other records similar to one: they are of its kind and share some of its traits, or telling words of its
 * description. Engines add up the weights of what is shared and decide nothing else; equal sums are ordered by audience,
 * largest first, then by id.
 */
export interface SimilarPlan {
  /** The record itself, which is not similar to itself. */
  id: string;
  kind: Kind;
  traits: readonly Trait[];
  /** Words of its description, folded: at most `maxWords`, the longest, of which an engine takes the most telling. */
  words: readonly string[];
}

/** A trait that records share if they have all of these values, in the form in which facets count them. */
export interface Trait {
  of: readonly TraitValue[];
  weight: number;
  /** Whether this alone makes a record of the same kind similar. */
  suffices: boolean;
}

export interface TraitValue {
  field: FilterField;
  value: string;
}

/** What each trait counts (docs/decisions/0087). */
const traitWeights = { category: 3, type: 3, city: 3, region: 2, country: 2, language: 2 } as const;

/** Limits on what one plan asks of an engine, however long the description is. */
const maxWords = 24;
export const telling = {
  /** How many words count, the rarest. */
  maxWords: 12,
  /** A word that more records contain tells little about any of them; one that no other record contains, nothing. */
  maxRecords: 500,
  /** A shared word counts its inverse document frequency (between 4 and 11) times this. */
  weight: 0.5,
} as const;

/** Plans the search for records that are similar to this one. */
export function planSimilar(record: MediaRecord): SimilarPlan {
  const words = [...new Set(searchableText(record).description.split(' '))].filter(
    (word) => word !== '' && !smallWords.has(word),
  );
  return {
    id: record.id,
    kind: record.kind,
    traits: listTraits(record),
    words: words.toSorted((a, b) => b.length - a.length).slice(0, maxWords),
  };
}

/** Places are within each other: another Springfield, in another country or region, is not the same city. */
function listTraits(record: MediaRecord): Trait[] {
  const { categories, type, language, country, region, city } = valuesOf(record);
  const places = [country, region, city];
  const placeWeights = [traitWeights.country, traitWeights.region, traitWeights.city];
  return [
    ...categories.map((topic): Trait => ({ of: [topic], weight: traitWeights.category, suffices: true })),
    ...type.map((one): Trait => ({ of: [one], weight: traitWeights.type, suffices: true })),
    ...places.flatMap((place, level): Trait[] =>
      place.length === 0
        ? []
        : [{ of: places.slice(0, level + 1).flat(), weight: placeWeights[level] ?? 0, suffices: true }],
    ),
    ...language.map((one): Trait => ({ of: [one], weight: traitWeights.language, suffices: false })),
  ];
}

function valuesOf(record: MediaRecord): Record<FilterField, TraitValue[]> {
  const values = filterFields.map((field) => [
    field.key,
    countedValues(record, field).map((value) => ({ field: field.key, value })),
  ]);
  return Object.fromEntries(values) as Record<FilterField, TraitValue[]>;
}
