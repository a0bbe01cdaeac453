import type { OpenFacetField } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { groupFacets, joinFacets, withoutAudience } from '#search/facet-groups.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { type Filter, firstPage, type SearchQuery, type Understanding } from '#search/search-query.ts';
import { Problem } from '#src/problem.ts';
import { nameKey } from '#text/fold.ts';
import { withMethods } from '#text/with-methods.ts';
import { findAlso } from './find-also.ts';
import {
  byId,
  findNear,
  findWanted,
  maxNear,
  type NearDeps,
  queryFor,
  typedText,
  withoutExcluded,
} from './find-near.ts';
import type { OwnModel } from './own-model.ts';

/** How many of the records that match in words are ranked with those that are near. */
const maxByWords = 30;
/** Of reciprocal rank fusion: how little the first places differ. */
const rankConstant = 60;
/** What a match in words counts that was found with other words than were typed, or fewer. */
const correctedWeight = 0.3;

/**
 * The same index, in which queries can ask for what is near in meaning. It first decides which records those are and in
 * which order, and then asks for them by their ids, so search, facets, export and push see the same records.
 * @param ownModel also says how near records are, if the operator runs one
 */
export function searchByMeaning(
  index: SearchIndex,
  isAnswered = true,
  ownModel: Pick<OwnModel, 'compare'> | null = null,
): SearchIndex {
  const near = { index, ownModel };
  const isByMeaning = (query: SearchQuery): query is NearQuery => {
    if (query.match !== 'meaning' || query.text === null) return false;
    if (isAnswered) return true;
    throw new Problem('meaning_unavailable', 'This service does not search by meaning. Leave out match.');
  };
  const narrowed = async (query: SearchQuery) =>
    isByMeaning(query) ? rowsFor((await rankNear(near, query)).ids, query) : query;
  return withMethods(index, {
    async search(query, page, visibility) {
      if (!isByMeaning(query)) {
        const { also: isAsked, ...inWords } = query;
        const result = await index.search(inWords, page, visibility);
        if (!isAsked || !isAnswered) return result;
        return { ...result, also: await findAlso(near, inWords, result, visibility) };
      }
      const { ids, records: ranked } = await rankNear(near, query, visibility);
      if (page.sort.key !== 'relevance') return index.search(queryFor(ids), page, visibility);
      const ordered = page.sort.reversed ? ids.toReversed() : ids;
      const pageIds = ordered.slice(page.offset, page.offset + page.limit);
      const missing = pageIds.filter((id) => !ranked.has(id));
      const unread = missing.length === 0 ? [] : await index.findMany(missing, visibility);
      const records = new Map([...ranked, ...byId(unread)]);
      return {
        records: pageIds.flatMap((id) => records.get(id) ?? []),
        total: ids.length,
        isCorrected: false,
        dropped: [],
      };
    },
    async countFacets(query, options = {}) {
      if (!isByMeaning(query)) return index.countFacets(query, options);
      const wantedMeaning = findWanted(index, typedText(query.text));
      const foundUnder = async (filters: readonly Filter[]) =>
        rowsFor((await rankNear(near, { ...query, filters }, 'masked', wantedMeaning)).ids, { ...query, filters });
      const groups = await Promise.all(
        groupFacets(query.filters).map(async ({ fields, filters }) => {
          const { total, counts, more } = await index.countFacets(await foundUnder(filters));
          const facets = fields.map((field) => ({
            field,
            values: counts[field],
            more: field in more ? more[field as OpenFacetField] : 0,
          }));
          return { total, facets };
        }),
      );
      const [{ total } = { total: 0 }] = groups;
      const joined = { total, ...joinFacets(groups.flatMap(({ facets }) => facets)), isCorrected: false, dropped: [] };
      if (!options.audiences) return joined;
      const inAll = await foundUnder(withoutAudience(query.filters));
      const { audiences = [] } = await index.countFacets(inAll, { audiences: true });
      return { ...joined, audiences };
    },
    scan: async (query, options) => index.scan(await narrowed(query), options),
  });
}

type NearQuery = SearchQuery & { text: Understanding };

/** The same, or the contacts of these records that pass the filters of contacts. */
function rowsFor(ids: readonly string[], { match: _, ...query }: SearchQuery): SearchQuery {
  const near = queryFor(ids);
  return query.rows === 'contacts' ? { ...query, ...near, filters: [...near.filters, ...query.filters] } : near;
}

/** The ids of what is near and what matches in words, best first, before all what is called so; and what was read of them. */
async function rankNear(
  deps: NearDeps,
  query: NearQuery,
  visibility: Visibility = 'masked',
  wantedMeaning = findWanted(deps.index, typedText(query.text)),
): Promise<{ ids: string[]; records: ReadonlyMap<string, MediaRecord> }> {
  const { text, filters } = query;
  const [byWords, byMeaning] = await Promise.all([
    deps.index.search({ text, filters }, firstPage(maxByWords), visibility),
    wantedMeaning.then((meaning) => meaning && findNear(deps, { text: typedText(text), filters }, meaning, visibility)),
  ]);
  const isCalled = byWords.records.filter(({ name, aliases }) =>
    [name, ...aliases].some((recordName) => nameKey(recordName) === text.nameKey),
  );
  const scores = new Map<string, number>();
  const add = (id: string, score: number) => scores.set(id, (scores.get(id) ?? 0) + score);
  const wordWeight = byWords.isCorrected ? correctedWeight : 1;
  for (const [place, { id }] of byWords.records.entries()) add(id, wordWeight / (rankConstant + place));
  for (const [place, { id }] of (byMeaning?.near ?? []).entries()) add(id, 1 / (rankConstant + place));
  const fused = [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
  const ids = [...new Set([...isCalled.map(({ id }) => id), ...fused])].slice(0, maxNear);
  const records = new Map([...byId(byMeaning?.records ?? []), ...byId(byWords.records)]);
  return { ids: await withoutExcluded(deps.index, text, ids), records };
}
