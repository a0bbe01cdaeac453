import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import { readProcessorTime } from '../../test/support/process-figures.ts';
import { LastWords } from '../relevance/last-words.ts';
import { queryClasses } from '../relevance/query-classes.ts';
import { median, percentile, timeCalls } from './measure.ts';
import type { ProductServer } from './product-server.ts';
import { ask, filtersOf, kindAndPlace, type Question, toPath } from './search-questions.ts';

export interface MixPlan {
  /** Rounds that count. */
  rounds: number;
  /** Rounds before them, to warm up. */
  warmUp: number;
  /** Requests of each sort in a round. */
  requests: number;
  seed: number;
}

/** One sort of request, at sixteen clients: medians of the rounds. */
export interface Rate {
  /** Requests a second. */
  perSecond: number;
  /** Milliseconds. */
  p99: number;
  /** Milliseconds of processor time that the service takes for one, without its engines; null without /proc. */
  processor: number | null;
}

export interface MixFigures {
  name: string;
  searches: Rate;
  facets: Rate;
  /** Median over the rounds of the first server's requests a second, by this one's. */
  ratio: { searches: number; facets: number };
}

const clients = 16;
const sorts = ['searches', 'facets'] as const;

/**
 * What people type, from sixteen clients, and facets under a filter: all servers answer the same requests in turns, new ones in
 * every round, of which the first warm up.
 */
export async function measureMix(
  servers: readonly { name: string; product: ProductServer }[],
  records: readonly MediaRecord[],
  { rounds, warmUp, requests, seed }: MixPlan,
): Promise<MixFigures[]> {
  const lastWords = new LastWords(records.flatMap(({ name, aliases }) => [name, ...aliases]));
  const measured = servers.map(() => ({ searches: [] as Rate[], facets: [] as Rate[] }));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const dice = new Dice(seed + round);
    const paths = {
      searches: mixedSearches(records, lastWords, dice, requests),
      facets: filteredFacets(records, dice, requests),
    };
    const places = [...servers.keys()];
    for (const sort of sorts) {
      for (const place of round % 2 === 0 ? places : places.toReversed()) {
        const product = servers[place]?.product;
        if (product !== undefined) measured[place]?.[sort].push(await measureRate(product, paths[sort]));
      }
    }
  }
  const counted = measured.map(({ searches, facets }) => ({
    searches: searches.slice(warmUp),
    facets: facets.slice(warmUp),
  }));
  const ratio = (sort: (typeof sorts)[number], place: number) =>
    median(
      (counted[0]?.[sort] ?? []).map((rate, round) => rate.perSecond / (counted[place]?.[sort][round]?.perSecond ?? 0)),
    );
  return servers.map(({ name }, place) => ({
    name,
    searches: middle(counted[place]?.searches ?? []),
    facets: middle(counted[place]?.facets ?? []),
    ratio: { searches: ratio('searches', place), facets: ratio('facets', place) },
  }));
}

/**
 * Every seventh is of kind, place and topic words; of the others, five of six are names that are typed in one of the ways of
 * the relevance classes, and one as it is.
 */
function mixedSearches(records: readonly MediaRecord[], lastWords: LastWords, dice: Dice, count: number): string[] {
  const damages = queryClasses.filter(({ name }) => name !== 'exact');
  const words = () => {
    const record = dice.pick(records);
    return kindAndPlace(record) === null ? null : [kindAndPlace(record), record.categories[0] ?? ''].join(' ').trim();
  };
  const typed = (place: number): string => {
    for (;;) {
      const { name } = dice.pick(records);
      const isWhole = place % 6 === 0;
      const q = place % 7 === 6 ? words() : isWhole ? name : dice.pick(damages).change(name, place, lastWords);
      if (q !== null && q.length <= 200) return q;
    }
  };
  return Array.from({ length: count }, (_, place) => toPath(ask(typed(place))));
}

/** Half of them with a word of a name, each under one filter. */
function filteredFacets(records: readonly MediaRecord[], dice: Dice, count: number): string[] {
  return Array.from({ length: count }, (_, place) => {
    const record = dice.pick(records);
    const [parameter, value] = dice.pick(Object.entries(filtersOf(record)));
    const question: Question = { ...ask(place % 2 === 0 ? null : record.name), filters: { [parameter]: value } };
    return toPath(question, 'facets');
  });
}

async function measureRate(product: ProductServer, paths: readonly string[]): Promise<Rate> {
  const processorBefore = readProcessorTime(product.pid);
  const start = performance.now();
  const times = await timeCalls(
    paths.map((path) => () => product.get(path)),
    clients,
  );
  const seconds = (performance.now() - start) / 1000;
  const processor = readProcessorTime(product.pid);
  return {
    perSecond: paths.length / seconds,
    p99: percentile(times, 0.99),
    processor: processor === null || processorBefore === null ? null : (processor - processorBefore) / paths.length,
  };
}

function middle(rates: readonly Rate[]): Rate {
  const processor = rates.map(({ processor }) => processor).filter((time) => time !== null);
  return {
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    p99: median(rates.map(({ p99 }) => p99)),
    processor: processor.length === 0 ? null : median(processor),
  };
}
