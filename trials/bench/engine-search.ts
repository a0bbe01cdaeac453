import { renderText } from '../../src/backends/elasticsearch/build-query.ts';
import { Dice } from '../../src/sample/dice.ts';
import { planStrict } from '../../src/search/plan-query.ts';
import type { BareElasticsearch } from './bare-elasticsearch.ts';
import { type Call, median, medianOfRatios, percentile, timeCalls } from './measure.ts';
import { postFilterFacets } from './post-filter-facets.ts';
import type { ProductServer } from './product-server.ts';
import type { SearchPlan } from './search.ts';
import { type Question, type QuestionData, questionClasses, toPath, toSearchQuery } from './search-questions.ts';

/** Two ways of answering the same questions: milliseconds, and how much longer the first takes. */
export interface Comparison {
  name: string;
  first: { p50: number; p99: number };
  second: { p50: number; p99: number };
  /** Median over the rounds of: p50 of the first / p50 of the second. */
  ratio: number;
}

export interface EngineFigures {
  /** A process that only passes bytes on to the engine, against the same straight to it. */
  hop: Comparison[];
  /** Searches through the API against the same through that process. */
  overHop: Comparison[];
  /** The product's query against one multi_match over three fields, both straight to the engine. */
  queries: Comparison[];
  /** Facets through the API against the same requests straight to the engine. */
  facets: Comparison[];
  /** Facets through the API against the same through a bare hop. */
  facetsOverHop: Comparison[];
  /** Facets with post_filter compared with the product's, both directly on the engine. */
  facetForms: Comparison[];
  /**
   * Requests per second with sixteen clients, all search classes mixed: through the API, and directly to the engine.
   */
  throughput: { product: number; bare: number; ratio: number };
}

const clients = 16;

/** The queries to measure a bare hop with: the cheapest for the engine, where a hop matters most. */
const hopQuestions = ['exact name', 'one word', 'phrase'] as const;

/** The questions that facets are measured with; two of each have two selections. */
const facetQuestions: Readonly<Record<string, (data: QuestionData) => Question>> = {
  'one selection': (data) => filtered(data, 1, null),
  'two selections': (data) => filtered(data, 2, null),
  'a word': (data) => ({ ...filtered(data, 0, null), q: data.word() }),
  'a word, two selections': (data) => filtered(data, 2, data.commonWord()),
};

/** Interleaved, in turns of who goes first; every round asks new questions, and a first one warms up. */
export async function measureEngine(
  product: ProductServer,
  bare: BareElasticsearch,
  throughHop: BareElasticsearch,
  data: QuestionData,
  { rounds, each, seed }: SearchPlan,
): Promise<EngineFigures> {
  const compare = (name: string, make: () => Promise<[Call[], Call[]]>, forget?: () => Promise<void>) =>
    compareCalls(name, rounds, make, forget);
  const ask = (make: (data: QuestionData) => Question) => Array.from({ length: each }, () => make(data));

  const hop: Comparison[] = [];
  const overHop: Comparison[] = [];
  for (const name of hopQuestions) {
    hop.push(
      await compare(name, async () => {
        const questions = ask(questionClasses[name]);
        return [await prepareAll(questions, throughHop.prepare), await prepareAll(questions, bare.prepare)];
      }),
    );
    overHop.push(
      await compare(name, async () => {
        const questions = ask(questionClasses[name]);
        return [
          questions.map((question) => () => product.get(toPath(question))),
          await prepareAll(questions, throughHop.prepare),
        ];
      }),
    );
  }

  const queries: Comparison[] = [];
  for (const [name, make] of Object.entries(questionClasses)) {
    if (make(data).q === null) continue;
    queries.push(
      await compare(name, async () => {
        const questions = ask(make);
        return [await prepareAll(questions, bare.prepare), questions.map(bare.baseline)];
      }),
    );
  }

  const facets: Comparison[] = [];
  const facetsOverHop: Comparison[] = [];
  const facetForms: Comparison[] = [];
  for (const [name, make] of Object.entries(facetQuestions)) {
    const against = (engine: BareElasticsearch) =>
      compare(
        name,
        async () => {
          const questions = ask(make);
          const own = questions.map((question) => () => product.get(toFacetsPath(question)));
          return [own, await prepareAll(questions, engine.prepareFacets)];
        },
        bare.forget,
      );
    facets.push(await against(bare));
    facetsOverHop.push(await against(throughHop));
    facetForms.push(
      await compare(
        name,
        async () => {
          const questions = ask(make);
          return [
            questions.map((question) => bare.post(oneRequest(question))),
            await prepareAll(questions, bare.prepareFacets),
          ];
        },
        bare.forget,
      ),
    );
  }
  return {
    hop,
    overHop,
    queries,
    facets,
    facetsOverHop,
    facetForms,
    throughput: await compareThroughput(product, bare, data, { rounds, each, seed }),
  };
}

async function compareCalls(
  name: string,
  rounds: number,
  make: () => Promise<[Call[], Call[]]>,
  forget: () => Promise<void> = async () => {},
): Promise<Comparison> {
  const first: number[][] = [];
  const second: number[][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [some, others] = await make();
    const sides: [Call[], number[][]][] = [
      [some, first],
      [others, second],
    ];
    for (const [calls, times] of round % 2 === 0 ? sides : sides.toReversed()) {
      await forget();
      times.push(await timeCalls(calls, 1));
    }
  }
  const counted = [first.slice(1), second.slice(1)] as const;
  const latency = (times: number[][]) => ({ p50: percentile(times.flat(), 0.5), p99: percentile(times.flat(), 0.99) });
  return {
    name,
    first: latency(counted[0]),
    second: latency(counted[1]),
    ratio: medianOfRatios(counted[0], counted[1]),
  };
}

async function compareThroughput(
  product: ProductServer,
  bare: BareElasticsearch,
  data: QuestionData,
  { rounds, each, seed }: SearchPlan,
): Promise<EngineFigures['throughput']> {
  const rates = { product: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const dice = new Dice(seed + round);
    const questions = Object.values(questionClasses)
      .flatMap((make) => Array.from({ length: each }, () => ({ question: make(data), key: dice.fraction() })))
      .sort((a, b) => a.key - b.key)
      .map(({ question }) => question);
    const calls = {
      bare: await prepareAll(questions, bare.prepare),
      product: questions.map((question) => () => product.get(toPath(question))),
    };
    for (const side of round % 2 === 0 ? (['bare', 'product'] as const) : (['product', 'bare'] as const)) {
      const start = performance.now();
      await timeCalls(calls[side], clients);
      rates[side].push((questions.length * 1_000) / (performance.now() - start));
    }
  }
  const [own, engine] = [rates.product.slice(1), rates.bare.slice(1)];
  return {
    product: median(own),
    bare: median(engine),
    ratio: median(own.map((rate, round) => rate / (engine[round] ?? Number.NaN))),
  };
}

async function prepareAll(
  questions: readonly Question[],
  prepare: (question: Question) => Call | Promise<Call>,
): Promise<Call[]> {
  const calls: Call[] = [];
  for (const question of questions) calls.push(await prepare(question));
  return calls;
}

function filtered({ record }: QuestionData, selections: number, q: string | null): Question {
  const { kind, language, country } = record();
  const choices = Object.entries({ country, kind, language }).filter(([, value]) => value !== null);
  return {
    q,
    filters: Object.fromEntries(choices.slice(0, selections)) as Record<string, string>,
    page: 1,
    perPage: 20,
  };
}

export function toFacetsPath({ q, filters }: Question): string {
  const parameters = new URLSearchParams({ ...filters, ...(q !== null && { q }) });
  return `/api/v1/facets?${parameters}`;
}

function oneRequest(question: Question): object {
  const { text, filters } = toSearchQuery(question);
  return postFilterFacets(text && renderText(text, planStrict(text)), filters);
}
