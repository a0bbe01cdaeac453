import { type FacetField, facetFields } from './fields.ts';
import type { Filter } from './search/search-query.ts';

/** Facets that are counted under the same filters. */
export interface FacetGroup {
  fields: readonly FacetField[];
  filters: readonly Filter[];
}

/**
 * All facets, each under all filters except its own. The first group is under all filters, and has the facets without one;
 * each other facet is a group of its own.
 */
export function groupFacets(filters: readonly Filter[]): [FacetGroup, ...FacetGroup[]] {
  const isOf = (filter: Filter, field: FacetField) => 'field' in filter && filter.field === field;
  const isChosen = (field: FacetField) => filters.some((filter) => isOf(filter, field));
  const fields = facetFields.map(({ key }) => key);
  const chosen = fields.filter(isChosen).map((field) => {
    return { fields: [field], filters: filters.filter((filter) => !isOf(filter, field)) };
  });
  return [{ fields: fields.filter((field) => !isChosen(field)), filters }, ...chosen];
}
