import type { OpenFacetField } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { groupFacets, joinFacets, withoutAudience } from '#search/facet-groups.ts';
import { type NearRecord, type SearchIndex, withMethods } from '#search/search-index.ts';
import type { Filter, Page, SearchQuery, TextQuery } from '#search/search-query.ts';
import { searchableText } from '#search/searchable-text.ts';
import { Problem } from '#src/problem.ts';
import { nameKey } from '#text/fold.ts';
import { blend, embedRecord, embedText, type Meaning, weighWords } from './embed.ts';
import type { OwnModel } from './own-model.ts';

/** How many records a search by meaning finds at most: something is near to everything. */
export const maxNear = 1_000;
/** How many of the records that match in words are ranked with those that are near. */
const maxByWords = 50;
/** The records nearest to a text say better than its few words what it is about, and more so those in order by their words. */
const examples = 5;
const examplesWeight = 0.5;
const betterExamplesWeight = 0.4;
/** Among so many of the nearest the better examples are looked for. More cost time and find no better ones. */
const maxForExamples = 40;
/** How many of the nearest are put in order by their words too. */
const maxByTheirWords = 100;
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
  const found = async (query: SearchQuery) => (isByMeaning(query) ? queryFor(await rankNear(near, query)) : query);
  return withMethods(index, {
    async search(query, page, visibility) {
      if (!isByMeaning(query)) return index.search(query, page, visibility);
      const ids = await rankNear(near, query);
      if (page.sort.key !== 'relevance') return index.search(queryFor(ids), page, visibility);
      const ordered = page.sort.reversed ? ids.toReversed() : ids;
      const shown = ordered.slice(page.offset, page.offset + page.limit);
      const records = new Map((await index.findMany(shown, visibility)).map((record) => [record.id, record]));
      return { records: shown.flatMap((id) => records.get(id) ?? []), total: ids.length, isCorrected: false };
    },
    async countFacets(query, withAudiences) {
      if (!isByMeaning(query)) return index.countFacets(query, withAudiences);
      const wanted = findWanted(index, query.text);
      const foundUnder = async (filters: readonly Filter[]) =>
        queryFor(await rankNear(near, { ...query, filters }, wanted));
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
      const joined = { total, ...joinFacets(groups.flatMap(({ facets }) => facets)), isCorrected: false };
      if (!withAudiences) return joined;
      const inAll = await foundUnder(withoutAudience(query.filters));
      const { audiences = [] } = await index.countFacets(inAll, true);
      return { ...joined, audiences };
    },
    scan: async (query, isKept) => index.scan(await found(query), isKept),
  });
}

type NearQuery = SearchQuery & { text: TextQuery };

interface NearDeps {
  index: SearchIndex;
  ownModel: Pick<OwnModel, 'compare'> | null;
}

function queryFor(ids: readonly string[]): SearchQuery {
  // No record has the id '': no ids at all would mean every record.
  return { text: null, filters: [{ identity: 'id', any: ids.length === 0 ? [''] : ids, none: [] }] };
}

/** The ids of what is near and of what matches in words, best first. What is called as was typed comes before all else. */
async function rankNear(
  { index, ownModel }: NearDeps,
  { text, filters }: NearQuery,
  wanted = findWanted(index, text),
): Promise<string[]> {
  const [byWords, near] = await Promise.all([
    index.search({ text, filters }, firstByWords, 'masked'),
    wanted.then((found) => (found === null ? [] : findNear({ index, ownModel }, text, found, filters))),
  ]);
  const isCalled = byWords.records.filter(({ name, aliases }) =>
    [name, ...aliases].some((one) => nameKey(one) === text.nameKey),
  );
  const scores = new Map<string, number>();
  const add = (id: string, score: number) => scores.set(id, (scores.get(id) ?? 0) + score);
  const wordWeight = byWords.isCorrected ? correctedWeight : 1;
  for (const [place, { id }] of byWords.records.entries()) add(id, wordWeight / (rankConstant + place));
  for (const [place, { id }] of near.entries()) add(id, 1 / (rankConstant + place));
  const fused = [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
  const ids = [...new Set([...isCalled.map(({ id }) => id), ...fused])].slice(0, maxNear);
  return withoutExcluded(index, text, ids);
}

const firstByWords: Page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: maxByWords };

interface Wanted {
  meaning: Meaning;
  weigh: (record: MediaRecord) => number;
}

/** What the text means: between its own words and the records nearest to them; null if no word of it is known. */
async function findWanted(index: SearchIndex, text: TextQuery): Promise<Wanted | null> {
  const asked = embedText(wordsOf(text));
  if (asked === null) return null;
  const weighBy = weighWords(wordsOf(text));
  const nearest = await index.findNearest(asked, [], examples);
  const first = blend(asked, embedAll(await findRecords(index, nearest)), examplesWeight);
  const { records } = await orderByWords(index, await index.findNearest(first, [], maxForExamples), weighBy(first));
  const meaning = blend(first, embedAll(records.slice(0, examples)), betterExamplesWeight);
  return { meaning, weigh: weighBy(meaning) };
}

function embedAll(records: readonly MediaRecord[]): Meaning[] {
  return records.map((record) => embedRecord(record, searchableText(record))).filter((meaning) => meaning !== null);
}

function wordsOf({ typedWords, phrases }: TextQuery): string {
  return [...typedWords, ...phrases.flat()].join(' ');
}

async function findNear(
  { index, ownModel }: NearDeps,
  text: TextQuery,
  { meaning, weigh }: Wanted,
  filters: readonly Filter[],
): Promise<NearRecord[]> {
  const near = await index.findNearest(meaning, filters, maxNear);
  const { ordered } = await orderByWords(index, near.slice(0, maxByTheirWords), weigh);
  const all = [...ordered, ...near.slice(maxByTheirWords)];
  const own = (await ownModel?.compare(wordsOf(text), near)) ?? null;
  if (own === null) return all;
  for (const { id, likeness } of near) if (!own.has(id)) own.set(id, likeness);
  return byLikeness(all.map(({ id, likeness }) => ({ id, likeness: likeness + (own.get(id) ?? 0) })));
}

/** In order by their words too, each as a record and with what it is near by. */
async function orderByWords(index: SearchIndex, near: readonly NearRecord[], weigh: Wanted['weigh']) {
  const found = new Map((await findRecords(index, near)).map((record) => [record.id, record]));
  const ordered = byLikeness(
    near.map(({ id, likeness }) => {
      const record = found.get(id);
      return { id, likeness: likeness + (record === undefined ? 0 : weigh(record)) };
    }),
  );
  return { ordered, records: ordered.flatMap(({ id }) => found.get(id) ?? []) };
}

function byLikeness(near: readonly NearRecord[]): NearRecord[] {
  return near.toSorted((one, other) => other.likeness - one.likeness);
}

function findRecords(index: SearchIndex, near: readonly NearRecord[]): Promise<MediaRecord[]> {
  return index.findMany(
    near.map(({ id }) => id),
    'masked',
  );
}

/** The ids of those that have nothing of what the text excludes. */
async function withoutExcluded(index: SearchIndex, text: TextQuery, ids: readonly string[]): Promise<string[]> {
  const isExcluding = text.excluded.length + text.excludedHosts.length > 0;
  if (!isExcluding) return [...ids];
  const exclusions = {
    ...text,
    nameKey: '',
    otherNameKeys: [],
    latinKeys: { bySound: [], byConsonants: [] },
    typedWords: [],
    words: [],
    phrases: [],
    hosts: [],
  };
  const page: Page = { ...firstByWords, limit: maxNear };
  const { records } = await index.search({ ...queryFor(ids), text: exclusions }, page, 'masked');
  const kept = new Set(records.map(({ id }) => id));
  return ids.filter((id) => kept.has(id));
}
