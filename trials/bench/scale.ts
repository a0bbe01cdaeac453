import { randomBytes } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import { startIndexer } from '../../test/support/processes.ts';
import { issuePremiumKey, readExport } from './export.ts';
import { type FilledEngines, pickRecords } from './load-data.ts';
import { median, percentile, perSecond, timeCalls } from './measure.ts';
import { makeDescriptions, makeFacets, makeSearches } from './mix.ts';
import { type ProductServer, startProduct, UnexpectedAnswer } from './product-server.ts';

export interface ScalePlan {
  /** Primary shards of the index. */
  shards: number;
  rounds: number;
  /** Questions in a round. */
  each: number;
  seed: number;
}

const clients = 16;
const heapLookMs = 1_000;
const megabyte = 1024 * 1024;

/** Measures how large an index of stored records is, and how fast it is filled and answers. */
export async function measureScale(data: FilledEngines, plan: ScalePlan) {
  const pepper = randomBytes(32).toString('hex');
  const engine = new Client({ nodes: data.elasticsearchUrl.split(',') });
  const key = await issuePremiumKey(data.backend, pepper);
  try {
    const settings = { ...data.settings, KEY_PEPPER: pepper, INDEX_SHARDS: String(plan.shards) };
    const rebuilt = await perSecond(() => rebuild(data.records, settings));
    const some = await pickRecords(data.backend, data.records);
    const product = await startProduct(data, settings);
    const measured = await watchHeap(engine, () => measureIndex(product, some, plan, key)).finally(product.stop);
    const { _all } = await engine.indices.stats({ index: data.alias, metric: 'store' });
    const disk = (_all.primaries?.store?.size_in_bytes ?? Number.NaN) / megabyte;
    return { records: data.records, shards: plan.shards, 'rebuilt per second': rebuilt, 'disk MB': disk, ...measured };
  } finally {
    await engine.close();
  }
}

/** `search`, `facets` and `meaning` are milliseconds of one client; `unanswered` the share of requests that took longer than their limit. */
async function measureIndex(product: ProductServer, some: readonly MediaRecord[], plan: ScalePlan, key: string) {
  const dice = new Dice(plan.seed);
  let sent = 0;
  let unanswered = 0;
  /** Requests that a busy engine does not answer in time are counted. They do not end the measurement. */
  const ask = async (path: string) => {
    sent += 1;
    try {
      await product.get(path);
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer && error.status === 503)) throw error;
      unanswered += 1;
    }
  };
  /** A first round warms up. */
  const rounds = async (make: typeof makeSearches, atOnce: number) => {
    const times: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round <= plan.rounds; round += 1) {
      const calls = make(some, dice, plan.each).map((path) => () => ask(path));
      const before = unanswered;
      const rate = await perSecond(async () => {
        const measured = await timeCalls(calls, atOnce);
        if (round > 0) times.push(...measured);
        return calls.length - (unanswered - before);
      });
      if (round > 0) rates.push(rate);
    }
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), perSecond: median(rates) };
  };
  const { p50, p99 } = await rounds(makeSearches, 1);
  const facets = await rounds(makeFacets, 1);
  const meaning = await rounds(makeDescriptions, 1);
  const exported = await perSecond(() => readExport(product, key));
  const { perSecond: searches } = await rounds(makeSearches, clients);
  return {
    'search ms': { p50, p99 },
    'facets ms': { p50: facets.p50, p99: facets.p99 },
    'meaning ms': { p50: meaning.p50, p99: meaning.p99 },
    'exported rows per second': exported,
    'searches per second': searches,
    unanswered: unanswered / sent,
  };
}

async function rebuild(records: number, settings: Record<string, string>): Promise<number> {
  const indexer = startIndexer(['reindex', '--allow-shrink'], settings);
  const code = await indexer.ended;
  if (code !== 0) throw new Error(`the rebuild ended with ${code}:\n${indexer.output()}`);
  return records;
}

/** Does work, and adds the least heap that the fullest node used meanwhile: the memory that garbage collection cannot free. */
async function watchHeap<Result extends object>(engine: Client, work: () => Promise<Result>) {
  let heap = Number.POSITIVE_INFINITY;
  const look = async () => {
    const { nodes } = await engine.nodes.stats({ metric: 'jvm' });
    const used = Object.values(nodes).map(({ jvm }) => jvm?.mem?.heap_used_in_bytes ?? 0);
    heap = Math.min(heap, Math.max(...used) / megabyte);
  };
  await look();
  const timer = setInterval(() => look().catch(() => {}), heapLookMs);
  try {
    return { ...(await work()), 'heap MB': heap };
  } finally {
    clearInterval(timer);
  }
}
