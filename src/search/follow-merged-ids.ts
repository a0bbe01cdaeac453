import type { MergedIds } from '#records/record-store.ts';
import type { SearchIndex } from './search-index.ts';
import type { Filter, IdentityFilter, SearchQuery } from './search-query.ts';

/** Where the ids of merged records lead. */
export type MergedIdLookup = Pick<MergedIds, 'resolve'>;

/**
 * The same index, in which queries for ids also mean the records that these were merged into. Only such queries cost a
 * lookup.
 */
export function followMergedIds(index: SearchIndex, mergedIds: MergedIdLookup): SearchIndex {
  const direct = (query: SearchQuery) => directQuery(query, mergedIds);
  return {
    search: async (query, page, visibility) => index.search(await direct(query), page, visibility),
    countFacets: async (query) => index.countFacets(await direct(query)),
    countAudiences: async (query) => index.countAudiences(await direct(query)),
    scan: async (query, isKept) => index.scan(await direct(query), isKept),
    find: (id, visibility) => index.find(id, visibility),
    findMany: (ids, visibility) => index.findMany(ids, visibility),
    findAtHosts: (hosts, visibility) => index.findAtHosts(hosts, visibility),
    findNearest: (meaning, filters, limit) => index.findNearest(meaning, filters, limit),
    isReady: () => index.isReady(),
  };
}

async function directQuery(query: SearchQuery, mergedIds: MergedIdLookup): Promise<SearchQuery> {
  if (query.list !== undefined) throw new Error('A query reached the index with a list that nobody opened.');
  const ids = query.filters.flatMap((filter) => (isOfIds(filter) ? [...filter.any, ...filter.none] : []));
  const kept = ids.length === 0 ? new Map() : await mergedIds.resolve(ids);
  if (kept.size === 0) return query;
  const direct = (values: readonly string[]) => [...new Set(values.map((id) => kept.get(id) ?? id))];
  const filters = query.filters.map((filter) =>
    isOfIds(filter) ? { ...filter, any: direct(filter.any), none: direct(filter.none) } : filter,
  );
  return { ...query, filters };
}

function isOfIds(filter: Filter): filter is IdentityFilter {
  return 'identity' in filter && filter.identity === 'id';
}
