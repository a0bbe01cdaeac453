import type { estypes } from '@elastic/elasticsearch';
import type { Page } from '#search/search-query.ts';

const byId = { 'order.id': 'asc' } as const;
/** Contacts of a record in their order. */
const byRank = [byId, { 'order.rank': 'asc' } as const];

/** More than any audience. */
const beyondAudiences = Number.MAX_SAFE_INTEGER;

/** Unknown values come last in both directions, and the id breaks ties. @param isRanked whether a text ranks the records */
export function buildOrder({ sort, after }: Page, isRanked: boolean): estypes.SortCombinations[] {
  const { key, reversed } = sort;
  const [up, down] = reversed ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const);
  // A page cannot begin behind the value by which the engine marks an unknown one: JavaScript has no such number. Other pages are in the
  // order of the index.
  const missing = after === undefined ? '_last' : reversed ? beyondAudiences : -1;
  const byAudience = { 'order.audience': { order: down, missing } };
  const byName = { 'order.name_key': up };
  switch (key) {
    case 'name':
      return [byName, byId];
    case 'audience':
      return [byAudience, byId];
    case 'updated':
      return [{ 'order.updated_at': down }, byId];
    case 'created':
      return [{ 'order.created_at': down }, byId];
    case 'reachable':
      return [{ 'order.reachable': down }, byAudience, byName, byId];
    case 'relevance':
      return isRanked
        ? [{ _score: { order: down } }, { 'order.prominence': { order: down } }, byId]
        : [byAudience, byName, byId];
  }
}

/** The order of contacts. Among those that a text ranks as equal, the usable come first, then those of the best known media. */
export function buildContactOrder(page: Page, isRanked: boolean): estypes.SortCombinations[] {
  const { sort } = page;
  const [up, down] = sort.reversed ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const);
  if (sort.key === 'name') return [{ 'order.contact_name': { order: up, missing: '_last' } }, ...byRank];
  if (sort.key !== 'relevance' || !isRanked) return [...buildOrder(page, isRanked).slice(0, -1), ...byRank];
  return [{ _score: { order: down } }, { 'order.usable': down }, { 'order.prominence': down }, ...byRank];
}
