import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { NearRecord, SearchIndex } from '#search/search-index.ts';
import { type Filter, firstPage, onlyIds, type SearchQuery, type Understanding } from '#search/search-query.ts';
import { noWords } from '#search/understanding/understand.ts';
import { embedText, type Meaning, weighWords } from './embed.ts';
import type { OwnModel } from './own-model.ts';

/** How many records a search by meaning finds at most: something is near to everything. */
export const maxNear = 1_000;
/** How many of the nearest are read, and put in order by their words too. */
export const maxRead = 50;
/** What the near words of a record count beside the cosine of its vector. */
const wordsWeight = 0.8;

export interface NearDeps {
  index: SearchIndex;
  ownModel: Pick<OwnModel, 'compare'> | null;
}

export function queryFor(ids: readonly string[]): SearchQuery {
  return { text: null, filters: [onlyIds(ids)] };
}

export const byId = (records: readonly MediaRecord[]) => records.map((record) => [record.id, record] as const);

export function typedText({ typedWords, phrases }: Understanding): string {
  return [...typedWords, ...phrases.flat()].join(' ');
}

/** What a text means: between its own words and the records nearest to them; null if no word of it is known. */
export async function findWanted(index: SearchIndex, text: string): Promise<Meaning | null> {
  const askedMeaning = embedText(text);
  return askedMeaning && index.sharpen(askedMeaning);
}

/** The nearest that pass the filters, best first, and the first of these records. */
export async function findNear(
  deps: NearDeps,
  { text, filters }: { text: string; filters: readonly Filter[] },
  meaning: Meaning,
  visibility: Visibility,
) {
  const near = await deps.index.findNearest(meaning, filters, maxNear);
  const records = await deps.index.findMany(
    near.slice(0, maxRead).map(({ id }) => id),
    visibility,
  );
  return { near: await orderNear(deps, text, meaning, { near, records }), records };
}

/** Orders what is near by the words of the records that were read of it, too. */
export async function orderNear(
  { ownModel }: NearDeps,
  text: string,
  meaning: Meaning,
  { near, records }: { near: readonly NearRecord[]; records: readonly MediaRecord[] },
): Promise<NearRecord[]> {
  const weigh = weighWords(meaning);
  const weights = new Map(records.map((record) => [record.id, weigh(record) * wordsWeight]));
  const ownLikenesses = (await ownModel?.compare(text, near)) ?? null;
  const score = ({ id, likeness }: NearRecord) =>
    likeness + (weights.get(id) ?? 0) + (ownLikenesses === null ? 0 : (ownLikenesses.get(id) ?? likeness));
  const byScore = (one: NearRecord, other: NearRecord) => score(other) - score(one);
  if (ownLikenesses !== null) return near.toSorted(byScore);
  return [...near.slice(0, maxRead).toSorted(byScore), ...near.slice(maxRead)];
}

/** The ids of those that have nothing of what the text excludes. */
export async function withoutExcluded(
  index: SearchIndex,
  text: Understanding,
  ids: readonly string[],
): Promise<string[]> {
  const { excluded, excludedHosts, excludedPages } = text;
  const isExcluding = excluded.length + excludedHosts.length + excludedPages.length > 0;
  if (!isExcluding) return [...ids];
  const exclusions = { ...text, ...noWords, excluded, excludedHosts, excludedPages };
  const { records } = await index.search({ ...queryFor(ids), text: exclusions }, firstPage(maxNear), 'masked');
  const readIds = new Set(records.map(({ id }) => id));
  return ids.filter((id) => readIds.has(id));
}
