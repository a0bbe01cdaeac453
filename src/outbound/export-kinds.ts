import type { Right } from '#accounts/plans.ts';
import type { Filter, SearchQuery, ValueFilter } from '#search/search-query.ts';

const outletsOnly: ValueFilter = { field: 'kind', any: ['outlet'], none: [] };

/** What an export or push contains: what the query finds, or only outlets if it names no kind. */
export function defaultToOutlets(query: SearchQuery): SearchQuery {
  return query.filters.some(isKindFilter) ? query : { ...query, filters: [...query.filters, outletsOnly] };
}

/** The right that an export needs: that of its format for outlets alone, else `export_all`. */
export function rightToExport({ filters }: SearchQuery, rightOfFormat: Right): Right {
  const isOfOutlets = filters
    .filter(isKindFilter)
    .every(({ any, none }) => any.length === 1 && any[0] === 'outlet' && none.length === 0);
  return isOfOutlets ? rightOfFormat : 'export_all';
}

function isKindFilter(filter: Filter): filter is ValueFilter {
  return 'field' in filter && filter.field === 'kind' && filter.any.length + filter.none.length > 0;
}
