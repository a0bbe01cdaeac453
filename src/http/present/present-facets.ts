import { facetFields } from '#domain/fields.ts';
import type { FacetCounts } from '#ports/search-index.ts';

/** The answer of GET /facets (contract A4): the total, then the lists of the registry in their order. */
export function presentFacets({ total, counts }: FacetCounts): object {
  const lists = facetFields.map(({ key, facet }) => [
    facet.list,
    counts[key].map(({ value, count }) => ({ value, label: facet.label(value), count })),
  ]);
  return { total, ...Object.fromEntries(lists) };
}
