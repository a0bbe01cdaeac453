import { type Caller, visibilityFor } from '#accounts/stored-key.ts';
import { isSameMedium } from '#records/duplicates/compare-media.ts';
import { filterValues } from '#records/field-values.ts';
import { type FilterableField, mediumFilterFields } from '#records/fields.ts';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { MergedIdLookup } from '#records/record-store.ts';
import { searchableText } from './indexed/searchable-text.ts';
import { findRecord } from './look-up-records.ts';
import { embedRecord } from './meaning/embed.ts';
import type { SearchIndex } from './search-index.ts';
import { type Filter, firstPage } from './search-query.ts';
import type { SearchPage } from './search-records.ts';

/** How many similar records there are at most: whatever comes after them has little in common. */
export const maxSimilar = 50;

interface SimilarDeps {
  index: Pick<SearchIndex, 'findMany' | 'findNearest' | 'search'>;
  mergedIds: MergedIdLookup;
}

/** A page of similar records, best first, without doubles of the record. Pages count from 1. Throws Problem `not_found`. */
export async function findSimilar(
  { index, mergedIds }: SimilarDeps,
  { id, page, perPage }: { id: string; page: number; perPage: number },
  caller: Caller,
  now: Date,
): Promise<SearchPage & { id: string }> {
  const visibility = visibilityFor(caller, now);
  const record = await findRecord({ index, mergedIds }, id, caller, now);
  const similar = (await listSimilar(index, record, visibility))
    .filter((other) => !isSameMedium(record, other))
    .slice(0, maxSimilar);
  return {
    id: record.id,
    records: similar.slice((page - 1) * perPage, page * perPage),
    text: null,
    total: similar.length,
    page,
    perPage,
    totalPages: Math.ceil(similar.length / perPage),
    isMasked: visibility === 'masked',
    isCorrected: false,
    dropped: [],
  };
}

/** How many neighbors of each kind are asked for. */
const poolSize = 100;
/** Points for each trait that two records share. The same meaning counts `meaningWeight`. */
const traitWeights = { category: 3, type: 3, city: 3, region: 2, country: 2, language: 2 };
const meaningWeight = 12;
/** Records that share no trait need at least this likeness, a cosine. */
const minLikeness = 0.45;

/** What the records of each pool share. */
const sharedFields: readonly (readonly FilterableField['key'][])[] = [
  ['kind'],
  ['kind', 'country', 'region'],
  ['kind', 'country', 'city'],
];

/**
 * Records of the same kind that are near in meaning, anywhere, in its region and in its city; the best known ones if its
 * texts have no known word, as those of a station that has only a call sign. Best first.
 */
async function listSimilar(
  index: SimilarDeps['index'],
  record: MediaRecord,
  visibility: Visibility,
): Promise<MediaRecord[]> {
  const meaning = embedRecord(record, searchableText(record));
  const pools = sharedFields.filter((keys) => keys.every((key) => record[key] !== null));
  const sharing = (keys: readonly FilterableField['key'][]): Filter[] =>
    mediumFilterFields
      .filter(({ key }) => keys.includes(key))
      .map((field) => ({ field: field.key, any: filterValues(record, field).slice(0, 1), none: [] }));
  const findPool = async (filters: Filter[]) => {
    if (meaning !== null) return index.findNearest(meaning, filters, poolSize);
    const { records } = await index.search({ text: null, filters }, firstPage(poolSize), visibility);
    return records.map(({ id }) => ({ id, likeness: 0 }));
  };
  const alike = await Promise.all(pools.map((keys) => findPool(sharing(keys))));
  const likeness = new Map(alike.flat().map((near) => [near.id, near.likeness]));
  likeness.delete(record.id);
  const records = await index.findMany([...likeness.keys()], visibility);
  return records
    .map((other) => ({ other, alike: likeness.get(other.id) ?? 0, traits: weighTraits(record, other) }))
    .filter(({ alike, traits }) => traits > 0 || alike >= minLikeness)
    .map(({ other, alike, traits }) => {
      const isSameLanguage = record.language !== null && other.language === record.language;
      const score = alike * meaningWeight + traits + (isSameLanguage ? traitWeights.language : 0);
      // Of records that are about as much alike, those with the larger audience come first.
      return { other, score: Math.round(score * 10) };
    })
    .sort(
      (a, b) =>
        b.score - a.score || (b.other.audience ?? -1) - (a.other.audience ?? -1) || (a.other.id < b.other.id ? -1 : 1),
    )
    .map(({ other }) => other);
}

/** A city counts only in the same region, and a region only in the same country: there are many Springfields. */
function weighTraits(one: MediaRecord, other: MediaRecord): number {
  const isSame = (key: 'type' | 'country' | 'region' | 'city') => one[key] !== null && one[key] === other[key];
  const shared = one.categories.filter((category) => other.categories.includes(category)).length;
  const country = isSame('country');
  const region = country && isSame('region');
  return (
    shared * traitWeights.category +
    (isSame('type') ? traitWeights.type : 0) +
    (country ? traitWeights.country : 0) +
    (region ? traitWeights.region : 0) +
    (region && isSame('city') ? traitWeights.city : 0)
  );
}
