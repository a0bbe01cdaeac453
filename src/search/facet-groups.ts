import { type FacetField, facetFields, type OpenFacetField } from '#records/fields.ts';
import { nameKey } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';
import type { Filter } from './search-query.ts';

/** Facets that are counted under the same filters. */
export interface FacetGroup {
  fields: readonly FacetField[];
  filters: readonly Filter[];
}

/** All facets, each under all filters except its own. The first group has all facets without a filter of their own. */
export function groupFacets(filters: readonly Filter[]): [FacetGroup, ...FacetGroup[]] {
  const isOf = (filter: Filter, field: FacetField) => 'field' in filter && filter.field === field;
  const isChosen = (field: FacetField) => filters.some((filter) => isOf(filter, field));
  const fields = facetFields.map(({ key }) => key);
  const chosen = fields.filter(isChosen).map((field) => {
    return { fields: [field], filters: filters.filter((filter) => !isOf(filter, field)) };
  });
  return [{ fields: fields.filter((field) => !isChosen(field)), filters }, ...chosen];
}

export interface FacetValue {
  value: string;
  count: number;
}

/** The counts of one facet: the values to show, and how many others it has. */
export interface CountedFacet {
  field: FacetField;
  values: FacetValue[];
  more: number;
}

/** How many values of an open facet are shown. */
const openFacetSize = 100;
/** How many values of an open facet engines read: enough to find the largest in all their spellings. */
export const openFacetValues = 2 * openFacetSize;

const keyOf = memoize(nameKey);

export const isOpenFacet = (field: FacetField) => facetFields.some(({ key, facet }) => key === field && facet.isOpen);

/**
 * The values of a facet to show, largest first. An open facet shows its largest, and counts values that differ only in case
 * or accents as one: `Tech` and `tech`.
 *
 * @param distinct how many values there are, if `values` has only the largest
 */
export function countFacet(field: FacetField, values: FacetValue[], distinct = values.length): CountedFacet {
  if (!isOpenFacet(field)) return { field, values, more: 0 };
  const joined = new Map<string, FacetValue>();
  for (const { value, count } of values) {
    const facetValue = joined.get(keyOf(value));
    if (facetValue === undefined) joined.set(keyOf(value), { value, count });
    else facetValue.count += count;
  }
  const sortedValues = [...joined.values()].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const unread = distinct - values.length;
  return {
    field,
    values: sortedValues.slice(0, openFacetSize),
    more: Math.max(0, sortedValues.length - openFacetSize) + unread,
  };
}

export function joinFacets(facets: readonly CountedFacet[]) {
  return {
    counts: Object.fromEntries(facets.map(({ field, values }) => [field, values])) as Record<FacetField, FacetValue[]>,
    more: Object.fromEntries(
      facets.filter(({ field }) => isOpenFacet(field)).map(({ field, more }) => [field, more]),
    ) as Record<OpenFacetField, number>,
  };
}

/** Audiences at which the steps begin, in people. Each step ends below the next one; the last has no end. */
export const audienceSteps: readonly number[] = [
  0, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000,
];

/** The filters under which the steps are counted: all but bounds of the audience. */
export function withoutAudience(filters: readonly Filter[]): readonly Filter[] {
  return filters.filter((filter) => !('range' in filter && filter.range === 'audience'));
}
