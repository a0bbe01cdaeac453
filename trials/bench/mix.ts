import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import { readProcessorTime } from '../../test/support/process-figures.ts';
import { LastWords } from '../relevance/last-words.ts';
import { queryClasses } from '../relevance/query-classes.ts';
import { median, percentile, timeCalls } from './measure.ts';
import type { ProductServer } from './product-server.ts';

interface MixPlan {
  /** Rounds that count. */
  rounds: number;
  /** Rounds before them, to warm up. */
  warmUp: number;
  /** Requests of each sort in a round. */
  requests: number;
  seed: number;
}

/** The figures of one sort of request from sixteen clients: medians of the rounds. */
interface Rate {
  perSecond: number;
  p99Ms: number;
  /** Processor time of the service for one request, without that of its engines; NaN without /proc. */
  processorMs: number;
}

const clients = 16;
const sorts = { searches: makeSearches, facets: makeFacets };
type Sort = keyof typeof sorts;

/**
 * Measures servers with what people type, from sixteen clients, and with facets under a filter. All answer the same requests in
 * turns, other ones in each round; the first rounds warm up. `times`: how many times as many requests the first server answers.
 */
export async function measureMix(
  servers: Readonly<Record<string, ProductServer>>,
  records: readonly MediaRecord[],
  { rounds, warmUp, requests, seed }: MixPlan,
) {
  const measured = Object.entries(servers).map(([name, product]) => ({
    name,
    product,
    rates: { searches: [] as Rate[], facets: [] as Rate[] },
  }));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const dice = new Dice(seed + round);
    for (const [sort, make] of Object.entries(sorts)) {
      const paths = make(records, dice, requests);
      for (const { product, rates } of round % 2 === 0 ? measured : measured.toReversed()) {
        rates[sort as Sort].push(await measureRate(product, paths));
      }
    }
  }
  const first = measured[0]?.rates;
  const middle = (rates: readonly Rate[], base: readonly Rate[] = []) => ({
    perSecond: median(rates.slice(warmUp).map(({ perSecond }) => perSecond)),
    p99Ms: median(rates.slice(warmUp).map(({ p99Ms }) => p99Ms)),
    processorMs: median(rates.slice(warmUp).map(({ processorMs }) => processorMs)),
    times: median(rates.map(({ perSecond }, round) => (base[round]?.perSecond ?? 0) / perSecond).slice(warmUp)),
  });
  return Object.fromEntries(
    measured.map(({ name, rates }) => [
      name,
      { searches: middle(rates.searches, first?.searches), facets: middle(rates.facets, first?.facets) },
    ]),
  );
}

/**
 * Every seventh query has words for a kind, a place and a topic. The others are names: five of six are changed in one of the ways
 * of the relevance classes, and one is left as it is.
 */
export function makeSearches(records: readonly MediaRecord[], dice: Dice, count: number): string[] {
  const lastWords = new LastWords(records.flatMap(({ name, aliases }) => [name, ...aliases]));
  const damages = queryClasses.filter(({ name }) => name !== 'exact');
  const typed = (place: number): string => {
    for (;;) {
      const record = dice.pick(records);
      const damaged = () => dice.pick(damages).change(record.name, place, lastWords);
      const q = place % 7 === 6 ? wordsFor(record) : place % 6 === 0 ? record.name : damaged();
      if (q !== null && q.length <= 200) return q;
    }
  };
  return Array.from({ length: count }, (_, place) => `/api/v1/search?${new URLSearchParams({ q: typed(place) })}`);
}

/** Each query has a filter, and half of them also a word of a name. */
export function makeFacets(records: readonly MediaRecord[], dice: Dice, count: number): string[] {
  return Array.from({ length: count }, (_, place) => {
    const { name, kind, country, categories, language } = dice.pick(records);
    const [category = null] = categories;
    const known = Object.entries({ kind, country, category, language }).filter(([, value]) => value !== null);
    const [parameter, value] = dice.pick(known);
    const q = place % 2 === 0 ? {} : { q: name };
    return `/api/v1/facets?${new URLSearchParams({ ...q, [parameter]: value ?? '' })}`;
  });
}

/** Searches by meaning for the first words of descriptions. */
export function makeDescriptions(records: readonly MediaRecord[], dice: Dice, count: number): string[] {
  const described = records.filter(({ description }) => description !== null);
  return Array.from({ length: count }, () => {
    const q = dice.pick(described).description?.split(' ').slice(0, 8).join(' ') ?? '';
    return `/api/v1/search?${new URLSearchParams({ q, match: 'meaning' })}`;
  });
}

/** Words for its kind or type, its place and topic, as people type them; null if its place is not known. */
function wordsFor({ kind, type, city, country_name, categories }: MediaRecord): string | null {
  const place = city ?? country_name;
  const [category = ''] = categories;
  return place && `${type === null || type === 'other' ? kind : type} ${place} ${category}`.trim();
}

async function measureRate(product: ProductServer, paths: readonly string[]): Promise<Rate> {
  const processorBefore = readProcessorTime(product.pid) ?? Number.NaN;
  const start = performance.now();
  const times = await timeCalls(
    paths.map((path) => () => product.get(path)),
    clients,
  );
  const seconds = (performance.now() - start) / 1000;
  const processor = (readProcessorTime(product.pid) ?? Number.NaN) - processorBefore;
  return {
    perSecond: paths.length / seconds,
    p99Ms: percentile(times, 0.99),
    processorMs: processor / paths.length,
  };
}
