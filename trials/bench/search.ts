import { setImmediate as nextTurn } from 'node:timers/promises';
import { Dice } from '../../src/sample/dice.ts';
import { type Call, median, medianOfRatios, percentile, timeCalls } from './measure.ts';
import type { ProductServer } from './product-server.ts';
import { type Question, type QuestionClass, type QuestionData, questionClasses, toPath } from './search-questions.ts';

/** The engine without the product: the baseline. */
export interface BareEngine {
  name: string;
  /** Prepares everything that is not timed; the call itself answers the query. */
  prepare(question: Question): Call | Promise<Call>;
  close(): Promise<void>;
}

export interface SearchPlan {
  rounds: number;
  /** Queries of each class in each round, never the same twice if the data permits. */
  each: number;
  seed: number;
}

/** Milliseconds. */
export interface Latency {
  p50: number;
  p99: number;
}

export interface ClassFigures {
  class: QuestionClass | 'all';
  bare: Latency;
  /** Through the API, one client. */
  alone: Latency;
  /** Through the API, sixteen clients asking questions of all classes in turn. */
  crowded: Latency;
  /** Median over the rounds of: p50 through the API / p50 of the bare engine. */
  ratio: number;
  /** The p50 allowed: twice the bare one, or 3 ms if that is more. */
  limit: number;
}

export interface SearchFigures {
  bareName: string;
  classes: ClassFigures[];
  /** Requests per second with sixteen clients, all classes mixed; the median of the rounds. */
  throughput: number;
}

const clients = 16;
const least = { factor: 2, ms: 3 };
const classNames = Object.keys(questionClasses) as QuestionClass[];

/** What each round measured for one class. */
interface Rounds {
  bare: number[][];
  alone: number[][];
  crowded: number[][];
}

/**
 * Sends the same queries to the bare engine and through the API, class by class and alternating, so that other load
 * affects both; then through the API from sixteen clients. A first round warms up and does not count. Every round uses
 * new queries, so that no answer comes from a cache of the round before.
 */
export async function measureSearch(
  product: ProductServer,
  bare: BareEngine,
  data: QuestionData,
  { rounds, each, seed }: SearchPlan,
): Promise<SearchFigures> {
  const measured = new Map(
    classNames.map((name): [QuestionClass, Rounds] => [name, { bare: [], alone: [], crowded: [] }]),
  );
  const throughputs: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, times] of measured) {
      const { bareTimes, aloneTimes } = await compare(product, bare, askAll(name, data, each), round % 2 === 0);
      times.bare.push(bareTimes);
      times.alone.push(aloneTimes);
    }
    const { crowded, perSecond } = await crowd(product, data, each, new Dice(seed + round));
    for (const [name, times] of measured) times.crowded.push(crowded.get(name) ?? []);
    throughputs.push(perSecond);
  }
  const counted = new Map(
    [...measured].map(([name, times]) => [
      name,
      { bare: times.bare.slice(1), alone: times.alone.slice(1), crowded: times.crowded.slice(1) },
    ]),
  );
  const classes = [...counted].map(([name, times]) => sumUp(name, times));
  return {
    bareName: bare.name,
    classes: [...classes, sumUp('all', joinClasses([...counted.values()]))],
    throughput: median(throughputs.slice(1)),
  };
}

function askAll(name: QuestionClass, data: QuestionData, each: number): Question[] {
  return Array.from({ length: each }, () => questionClasses[name](data));
}

async function compare(product: ProductServer, bare: BareEngine, questions: readonly Question[], bareFirst: boolean) {
  const bareCalls: Call[] = [];
  for (const question of questions) {
    bareCalls.push(await bare.prepare(question));
    await nextTurn();
  }
  const productCalls = questions.map((question) => () => product.get(toPath(question)));
  if (bareFirst) {
    const bareTimes = await timeCalls(bareCalls, 1);
    return { bareTimes, aloneTimes: await timeCalls(productCalls, 1) };
  }
  const aloneTimes = await timeCalls(productCalls, 1);
  return { bareTimes: await timeCalls(bareCalls, 1), aloneTimes };
}

/** All classes at once, in random order. */
async function crowd(product: ProductServer, data: QuestionData, each: number, dice: Dice) {
  const asked = classNames
    .flatMap((name) =>
      askAll(name, data, each).map((question) => ({ name, path: toPath(question), key: dice.fraction() })),
    )
    .sort((a, b) => a.key - b.key);
  const start = performance.now();
  const times = await timeCalls(
    asked.map(
      ({ path }) =>
        () =>
          product.get(path),
    ),
    clients,
  );
  const seconds = (performance.now() - start) / 1000;
  const byClass = Map.groupBy(times.entries(), ([place]) => asked[place]?.name);
  const crowded = new Map([...byClass].map(([name, entries]) => [name, entries.map(([, time]) => time)]));
  return { crowded, perSecond: asked.length / seconds };
}

function sumUp(name: ClassFigures['class'], { bare, alone, crowded }: Rounds): ClassFigures {
  const bareLatency = latency(bare.flat());
  return {
    class: name,
    bare: bareLatency,
    alone: latency(alone.flat()),
    crowded: latency(crowded.flat()),
    ratio: medianOfRatios(alone, bare),
    limit: Math.max(least.factor * bareLatency.p50, least.ms),
  };
}

function joinClasses(classes: readonly Rounds[]): Rounds {
  const join = (pick: (rounds: Rounds) => number[][]) =>
    (classes[0] ? pick(classes[0]) : []).map((_, round) => classes.flatMap((rounds) => pick(rounds)[round] ?? []));
  return { bare: join((r) => r.bare), alone: join((r) => r.alone), crowded: join((r) => r.crowded) };
}

function latency(times: readonly number[]): Latency {
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
