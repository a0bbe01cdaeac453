import type { OpenFacetField } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { groupFacets, joinFacets, withoutAudience } from '#search/facet-groups.ts';
import type { NearRecord, SearchIndex } from '#search/search-index.ts';
import { type Filter, firstPage, onlyIds, type SearchQuery, type Understanding } from '#search/search-query.ts';
import { noWords } from '#search/understand.ts';
import { Problem } from '#src/problem.ts';
import { nameKey } from '#text/fold.ts';
import { withMethods } from '#text/with-methods.ts';
import { embedText, type Meaning, weighWords } from './embed.ts';
import type { OwnModel } from './own-model.ts';

/** How many records a search by meaning finds at most: something is near to everything. */
export const maxNear = 1_000;
/** How many of the records that match in words are ranked with those that are near. */
const maxByWords = 30;
/** How many of the nearest are put in order by their words too. */
const maxByTheirWords = 50;
/** What the near words of a record count beside the cosine of its vector. */
const wordsWeight = 0.8;
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
  const found = async (query: SearchQuery) =>
    isByMeaning(query) ? rowsFor((await rankNear(near, query)).ids, query) : query;
  return withMethods(index, {
    async search(query, page, visibility) {
      if (!isByMeaning(query)) return index.search(query, page, visibility);
      const { ids, read } = await rankNear(near, query, visibility);
      if (page.sort.key !== 'relevance') return index.search(queryFor(ids), page, visibility);
      const ordered = page.sort.reversed ? ids.toReversed() : ids;
      const shown = ordered.slice(page.offset, page.offset + page.limit);
      const missing = shown.filter((id) => !read.has(id));
      const others = missing.length === 0 ? [] : await index.findMany(missing, visibility);
      const records = new Map([...read, ...byId(others)]);
      return {
        records: shown.flatMap((id) => records.get(id) ?? []),
        total: ids.length,
        isCorrected: false,
        dropped: [],
      };
    },
    async countFacets(query, options = {}) {
      if (!isByMeaning(query)) return index.countFacets(query, options);
      const wanted = findWanted(index, query.text);
      const foundUnder = async (filters: readonly Filter[]) =>
        rowsFor((await rankNear(near, { ...query, filters }, 'masked', wanted)).ids, { ...query, filters });
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
    scan: async (query, options) => index.scan(await found(query), options),
  });
}

type NearQuery = SearchQuery & { text: Understanding };

interface NearDeps {
  index: SearchIndex;
  ownModel: Pick<OwnModel, 'compare'> | null;
}

function queryFor(ids: readonly string[]): SearchQuery {
  return { text: null, filters: [onlyIds(ids)] };
}

/** The same, or the contacts of these records that pass the filters of contacts. */
function rowsFor(ids: readonly string[], { match: _, ...query }: SearchQuery): SearchQuery {
  const near = queryFor(ids);
  return query.rows === 'contacts' ? { ...query, ...near, filters: [...near.filters, ...query.filters] } : near;
}

const byId = (records: readonly MediaRecord[]) => records.map((record) => [record.id, record] as const);

/** The ids of what is near and what matches in words, best first, before all what is called so; and what was read of them. */
async function rankNear(
  deps: NearDeps,
  query: NearQuery,
  visibility: Visibility = 'masked',
  wanted = findWanted(deps.index, query.text),
): Promise<{ ids: string[]; read: ReadonlyMap<string, MediaRecord> }> {
  const { text, filters } = query;
  const [byWords, found] = await Promise.all([
    deps.index.search({ text, filters }, firstPage(maxByWords), visibility),
    wanted.then((meaning) => meaning && findNear(deps, query, meaning, visibility)),
  ]);
  const isCalled = byWords.records.filter(({ name, aliases }) =>
    [name, ...aliases].some((one) => nameKey(one) === text.nameKey),
  );
  const scores = new Map<string, number>();
  const add = (id: string, score: number) => scores.set(id, (scores.get(id) ?? 0) + score);
  const wordWeight = byWords.isCorrected ? correctedWeight : 1;
  for (const [place, { id }] of byWords.records.entries()) add(id, wordWeight / (rankConstant + place));
  for (const [place, { id }] of (found?.near ?? []).entries()) add(id, 1 / (rankConstant + place));
  const fused = [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
  const ids = [...new Set([...isCalled.map(({ id }) => id), ...fused])].slice(0, maxNear);
  const read = new Map([...byId(found?.records ?? []), ...byId(byWords.records)]);
  return { ids: await withoutExcluded(deps.index, text, ids), read };
}

/** What the text means: between its own words and the records nearest to them; null if no word of it is known. */
async function findWanted(index: SearchIndex, text: Understanding): Promise<Meaning | null> {
  const asked = embedText(wordsOf(text));
  return asked && index.sharpen(asked);
}

function wordsOf({ typedWords, phrases }: Understanding): string {
  return [...typedWords, ...phrases.flat()].join(' ');
}

/** The nearest, best first, and the first of these records. */
async function findNear(
  { index, ownModel }: NearDeps,
  { text, filters }: NearQuery,
  wanted: Meaning,
  visibility: Visibility,
) {
  const near = await index.findNearest(wanted, filters, maxNear);
  const first = near.slice(0, maxByTheirWords);
  const records = await index.findMany(
    first.map(({ id }) => id),
    visibility,
  );
  const weigh = weighWords(wanted);
  const weights = new Map(records.map((record) => [record.id, weigh(record) * wordsWeight]));
  const own = (await ownModel?.compare(wordsOf(text), near)) ?? null;
  const score = ({ id, likeness }: NearRecord) =>
    likeness + (weights.get(id) ?? 0) + (own === null ? 0 : (own.get(id) ?? likeness));
  const byScore = (one: NearRecord, other: NearRecord) => score(other) - score(one);
  if (own !== null) return { near: near.toSorted(byScore), records };
  return { near: [...first.toSorted(byScore), ...near.slice(maxByTheirWords)], records };
}

/** The ids of those that have nothing of what the text excludes. */
async function withoutExcluded(index: SearchIndex, text: Understanding, ids: readonly string[]): Promise<string[]> {
  const { excluded, excludedHosts, excludedPages } = text;
  const isExcluding = excluded.length + excludedHosts.length + excludedPages.length > 0;
  if (!isExcluding) return [...ids];
  const exclusions = { ...text, ...noWords, excluded, excludedHosts, excludedPages };
  const { records } = await index.search({ ...queryFor(ids), text: exclusions }, firstPage(maxNear), 'masked');
  const kept = new Set(records.map(({ id }) => id));
  return ids.filter((id) => kept.has(id));
}
