import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@elastic/elasticsearch';
import { Dice } from '../../src/sample/dice.ts';
import { startIndexer } from '../../test/support/indexer-process.ts';
import { readExport } from './export.ts';
import { type FilledEngines, pickSomeOf } from './load-production.ts';
import { median, percentile, timeCalls } from './measure.ts';
import { type ProductServer, startProduct, UnexpectedAnswer } from './product-server.ts';
import { issueKeys } from './run-export.ts';
import { type QuestionData, questionClasses, questionData, toPath } from './search-questions.ts';

export interface ScalePlan {
  /** Shards of the index, one after the other. */
  shards: readonly number[];
  /** API processes, one after the other. */
  processes: readonly number[];
  rounds: number;
  /** Questions of each class in a round. */
  each: number;
  seed: number;
}

/** What one index of one size costs and delivers. */
export interface ScaleFigures {
  records: number;
  nodes: number;
  shards: number;
  /** Records per second, from the start of the command to the swap of the alias: filled, compared and published. */
  rebuildRate: number;
  /** Of the primary shards, in MB. */
  disk: number;
  /** The least that was in use on a node while searches ran, which is what lives between collections; MB. */
  heap: number;
  /** Milliseconds, one client. */
  search: { p50: number; p99: number };
  facets: { p50: number; p99: number };
  /** Rows per second of an export of everything. */
  exportRate: number;
  /** Answered searches per second with 16 clients, by number of API processes; the median of the rounds. */
  throughput: Array<{ processes: number; perSecond: number }>;
  /** Share of all searches that the engine did not answer within the limit of a request. */
  unanswered: number;
}

/** Searches sent, and those of them that were not answered in time (503). */
interface Tally {
  sent: number;
  unanswered: number;
}

const clients = 16;
const heapLookMs = 1_000;
const megabyte = 1024 * 1024;

/** Indexes one set of records with different numbers of shards, and measures each index; prints each as soon as it is known. */
export async function measureScale(
  data: FilledEngines,
  nodes: number,
  plan: ScalePlan,
  onFigures: (figures: ScaleFigures) => void,
): Promise<void> {
  const pepper = randomBytes(32).toString('hex');
  const engine = new Client({ nodes: data.elasticsearchUrl.split(',') });
  const [key = ''] = await issueKeys(data.backend, pepper);
  try {
    for (const shards of plan.shards) {
      const settings = { ...data.settings, KEY_PEPPER: pepper, INDEX_SHARDS: String(shards) };
      const rebuildRate = await rebuild(data.records, settings);
      const products = await startProducts(data, settings, Math.max(...plan.processes));
      try {
        const [product] = products;
        if (product === undefined) throw new RangeError('at least one API process is measured');
        const questions = questionData(await pickSomeOf(data), new Dice(plan.seed));
        const tally = { sent: 0, unanswered: 0 };
        const watched = await watchHeap(engine, async () => ({
          search: await latency(product, plan, () => mixedPaths(questions, plan.each), tally),
          facets: await latency(product, plan, () => facetPaths(questions, plan.each), tally),
          exportRate: await exportRate(product, key),
          throughput: await throughputs(products, plan, questions, tally),
        }));
        onFigures({
          records: data.records,
          nodes,
          shards,
          rebuildRate,
          disk: await diskOf(engine, data.alias),
          heap: watched.heap,
          ...watched.result,
          unanswered: tally.unanswered / tally.sent,
        });
      } finally {
        await Promise.all(products.map((product) => product.stop()));
      }
    }
  } finally {
    await engine.close();
  }
}

async function rebuild(records: number, settings: Record<string, string>): Promise<number> {
  const start = performance.now();
  const indexer = startIndexer(['reindex', '--allow-shrink'], settings);
  const code = await indexer.ended;
  if (code !== 0) throw new Error(`the rebuild ended with ${code}:\n${indexer.output()}`);
  return (records * 1_000) / (performance.now() - start);
}

async function startProducts(data: FilledEngines, settings: Record<string, string>, count: number) {
  const products: ProductServer[] = [];
  while (products.length < count) {
    products.push(await startProduct(settings, join(data.dataDir, `server-${products.length + 1}.log`)));
  }
  return products;
}

/** Asks for a path. A busy engine may not answer in time: that is counted, and does not end the measurement. */
async function ask(product: ProductServer | undefined, path: string, tally: Tally): Promise<void> {
  tally.sent += 1;
  try {
    await product?.get(path);
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer && error.status === 503)) throw error;
    tally.unanswered += 1;
  }
}

/** A first round warms up. */
async function latency(product: ProductServer, { rounds }: ScalePlan, makePaths: () => string[], tally: Tally) {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const calls = makePaths().map((path) => () => ask(product, path, tally));
    const measured = await timeCalls(calls, 1);
    if (round > 0) times.push(...measured);
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

async function exportRate(product: ProductServer, key: string): Promise<number> {
  const start = performance.now();
  const rows = await readExport(product, key);
  return (rows * 1_000) / (performance.now() - start);
}

async function throughputs(products: readonly ProductServer[], plan: ScalePlan, questions: QuestionData, tally: Tally) {
  const measured: ScaleFigures['throughput'] = [];
  for (const processes of plan.processes) {
    const asked = products.slice(0, processes);
    const rates: number[] = [];
    for (let round = 0; round <= plan.rounds; round += 1) {
      const paths = mixedPaths(questions, plan.each);
      const calls = paths.map((path, index) => () => ask(asked[index % processes], path, tally));
      const before = tally.unanswered;
      const start = performance.now();
      await timeCalls(calls, clients);
      const answered = calls.length - (tally.unanswered - before);
      if (round > 0) rates.push((answered * 1_000) / (performance.now() - start));
    }
    measured.push({ processes, perSecond: median(rates) });
  }
  return measured;
}

/** Queries of all classes, in random order. */
function mixedPaths(data: QuestionData, each: number): string[] {
  return Object.values(questionClasses)
    .flatMap((make) => Array.from({ length: each }, () => ({ path: toPath(make(data)), key: data.dice.fraction() })))
    .sort((a, b) => a.key - b.key)
    .map(({ path }) => path);
}

function facetPaths(data: QuestionData, each: number): string[] {
  const classes = [questionClasses['word and filters'], questionClasses['filters only'], questionClasses['one word']];
  return classes.flatMap((make) => Array.from({ length: each }, () => toPath(make(data), 'facets')));
}

/** Does work and returns the minimum heap that the fullest node used meanwhile, in MB. */
async function watchHeap<Result>(engine: Client, work: () => Promise<Result>) {
  let heap = Number.POSITIVE_INFINITY;
  const look = async () => {
    const { nodes } = await engine.nodes.stats({ metric: 'jvm' });
    const used = Object.values(nodes).map(({ jvm }) => jvm?.mem?.heap_used_in_bytes ?? 0);
    heap = Math.min(heap, Math.max(...used) / megabyte);
  };
  await look();
  const timer = setInterval(() => look().catch(() => {}), heapLookMs);
  try {
    return { result: await work(), heap };
  } finally {
    clearInterval(timer);
  }
}

async function diskOf(engine: Client, alias: string): Promise<number> {
  const { _all } = await engine.indices.stats({ index: alias, metric: 'store' });
  return (_all.primaries?.store?.size_in_bytes ?? Number.NaN) / megabyte;
}
