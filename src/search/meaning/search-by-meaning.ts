import type { OpenFacetField } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { allOf } from '#search/conditions/conditions.ts';
import { orGuessed, strictWord } from '#search/conditions/word-conditions.ts';
import { groupFacets, joinFacets, withoutAudience } from '#search/facet-groups.ts';
import { sortedName } from '#search/indexed/name-forms.ts';
import { editsToName } from '#search/plans/order-by-names.ts';
import type { SearchIndex, SearchResult } from '#search/search-index.ts';
import { type Filter, firstPage, type SearchQuery, type Understanding, withWholeText } from '#search/search-query.ts';
import { isOfKind, isOfLanguage, isPlace } from '#search/words/parts.ts';
import { Problem } from '#src/problem.ts';
import { nameKey } from '#text/fold.ts';
import { withMethods } from '#text/with-methods.ts';
import { embedText } from './embed.ts';
import {
  byId,
  findNear,
  findWanted,
  maxNear,
  maxRead,
  type NearDeps,
  orderNear,
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

/** How many records stand beside results, and how many results are enough without them (contract A19). */
const maxAlso = 10;
/** The least cosine of the meaning of a record and the wanted one. */
const minLikeness = 0.4;

/**
 * What stands beside few results (contract A19): records near in meaning to what the text asks for besides kinds, places and
 * languages, within these and the filters of the query. None beside a name, also with typos or in another order, an address or a page, which are meant alone.
 */
async function findAlso(
  deps: NearDeps,
  query: SearchQuery,
  page: SearchResult,
  visibility: Visibility,
): Promise<MediaRecord[]> {
  const { text, filters } = query;
  if (text === null || query.rows === 'contacts' || text.isStrict || isOfOne(text)) return [];
  // A page that drops nothing counts the records that have all of the text.
  if (page.dropped.length === 0 && page.total >= maxAlso) return [];
  const subject = subjectOf(text);
  const askedMeaning = embedText(subject);
  if (askedMeaning === null || isNamed(text, page)) return [];
  const inWords = page.dropped.length === 0 && page.records.length === page.total ? page : await findWhole();
  if (inWords.total >= maxAlso || isNamed(text, inWords)) return [];
  const limits = text.parts.filter(isLimit).map((part) => orGuessed(part, strictWord(part, false, 'anywhere')));
  const within = limits.length === 0 ? undefined : allOf(limits);
  const { wanted, near } = await deps.index.findAlike(
    askedMeaning,
    filters,
    { limit: maxRead, minLikeness, within },
    visibility,
  );
  const shownIds = new Set([...page.records, ...inWords.records].map(({ id }) => id));
  const furtherRecords = near.filter(({ id }) => !shownIds.has(id));
  const records = new Map(furtherRecords.map(({ id, record }) => [id, record]));
  const ordered = await orderNear(deps, subject, wanted, { near: furtherRecords, records: [...records.values()] });
  const passing = await withoutExcluded(
    deps.index,
    text,
    ordered.map(({ id }) => id),
  );
  return passing.flatMap((id) => records.get(id) ?? []).slice(0, maxAlso);

  /** The first records that have all of the text, where a page also has others, or not all. */
  function findWhole() {
    return deps.index.search(withWholeText(query), firstPage(maxAlso), visibility);
  }
}

/** Whether a text names hosts, pages or addresses. */
const isOfOne = ({ hosts, pages, typedAddresses }: Understanding) =>
  hosts.length + pages.length + typedAddresses.length > 0;

/** Whether a record or one of its people is called like the text, in any order of its words, or the record by one typo for each eight letters: up to two. */
const isNamed = ({ nameKey: typed }: Understanding, { records }: SearchResult) =>
  records.some(
    (record) =>
      editsToName(typed, record) <= Math.min(2, typed.length >> 3) ||
      [record.name, ...record.aliases, ...record.contacts.flatMap(({ name }) => name ?? [])].some(
        (name) => sortedName(nameKey(name)) === sortedName(typed),
      ),
  );

const isLimit: typeof isOfKind = (part) => isOfKind(part) || isPlace(part) || isOfLanguage(part);

/** What a text asks for besides kinds, places and languages. */
function subjectOf({ parts, phrases }: Understanding): string {
  return [...parts.filter((part) => !isLimit(part)).flatMap(({ words }) => words), ...phrases.flat()].join(' ');
}
