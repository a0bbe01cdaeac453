import { anonymous } from '#accounts/stored-key.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { kinds } from '#records/vocabularies.ts';
import { everything, ofRows } from '#search/search-query.ts';
import { countMatches, searchRecords } from '#search/search-records.ts';
import { daysAfter } from '#text/days.ts';
import { presentFacets } from '../api/facets.ts';
import type { AppDeps } from '../app-deps.ts';
import { querySchema, toSearchQuery } from '../parse/query-parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';

const checkedDays = 90;
const samplesOfKind = 3;
const mostSearches = 6;

/** What people look for, the most telling first. */
const usualSearches = [
  'technology newsletters',
  'climate podcasts',
  'newspapers in Texas',
  'radio in Chicago',
  'newspapers in Spanish',
  'health podcasts',
  'gardening podcasts',
  'food magazines',
  'education newspapers',
  'business newsletters',
  'newspapers in London',
  'music podcasts',
];

const schema = querySchema({});
const readQuery = (query: string) => toSearchQuery(readParameters(`?${query}`, schema).values);

type StockDeps = Pick<AppDeps, 'index' | 'now'>;

/** `media`: how many there are, if the caller knows. */
export type StockReader = (media?: number) => Promise<Stock>;

/** How long a reading serves, in milliseconds; and where a caller sees another number of media, which changes all the time while a sync runs. */
const servesMs = 60_000;
const servesOthersMs = 10_000;

/**
 * Reads the stock, which takes some twenty searches, at most once a minute; after ten seconds if a caller sees another number of `media`.
 * The reading rejects with Problem `search_unavailable` if the index does not answer.
 */
export function keepStock(deps: StockDeps): StockReader {
  let last: { stock: Promise<Stock>; media: number | undefined; readAt: number } | null = null;
  return (media) => {
    const time = deps.now().getTime();
    const isOther = media !== undefined && media !== last?.media;
    if (last !== null && time < last.readAt + (isOther ? servesOthersMs : servesMs)) return last.stock;
    const reading = { stock: readStock(deps), media, readAt: time };
    last = reading;
    reading.stock.then(
      ({ counts }) => {
        reading.media = counts.media;
      },
      () => {
        if (last === reading) last = null;
      },
    );
    return reading.stock;
  };
}

export type Stock = Awaited<ReturnType<typeof readStock>>;

/** What the service has, for people who do not know it yet. */
async function readStock({ index, now }: StockDeps) {
  const since = daysAfter(now(), -checkedDays).slice(0, 10);
  const count = (query: string) => countMatches(index, readQuery(query));
  const [media, people, withAddress, checked, searches, samples] = await Promise.all([
    countMatches(index, everything),
    countMatches(index, ofRows(readQuery('contact_kind=person'), 'contacts')),
    count('has_email=1'),
    count(`has_email=1&verified_since=${since}`),
    offerSearches(index),
    Promise.all(kinds.map((kind) => findSamples(kind, { index, now }))),
  ]);
  return {
    /** `withAddress`, `checked`: media with an address, and with one that was checked within 90 days. */
    counts: { media, people, withAddress, checked },
    searches,
    /** Masked: the largest media of each kind that have an address. */
    samples: samples.flat(),
  };
}

async function findSamples(kind: string, { index, now }: StockDeps): Promise<readonly MediaRecord[]> {
  const query = readQuery(`kind=${kind}&has_email=1`);
  const request = { query, sort: { key: 'audience', reversed: false }, page: 1, perPage: samplesOfKind } as const;
  return (await searchRecords(index, request, anonymous, now())).records;
}

/** Searches that find something with all of their words, as somebody would type them; where these are too few, the largest countries. */
async function offerSearches(index: AppDeps['index']) {
  const { countries = [] } = presentFacets(await index.countFacets(everything), everything, null) as {
    countries?: { label: string }[];
  };
  const searches: { q: string; total: number }[] = [];
  for (const q of [...usualSearches, ...countries.map(({ label }) => `media in ${label}`)]) {
    const total = await countMatches(index, readQuery(`q=${encodeURIComponent(q)}`));
    if (total > 0) searches.push({ q, total });
    if (searches.length === mostSearches) break;
  }
  return searches;
}
