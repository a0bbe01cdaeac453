import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { countConnections, readMemory, watchMemory } from '../../test/support/process-figures.ts';
import { median, percentile } from './measure.ts';
import type { ProductServer } from './product-server.ts';

/** The engine without the product: reads every record, parses it, and throws it away. */
export interface BareScan {
  name: string;
  /** Answers how many records it read. */
  readAll(): Promise<number>;
  /** Whether the engine still holds a snapshot for somebody. */
  holdsScan(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ExportPlan {
  rounds: number;
  /** Formats to compare, each read completely in every round. */
  formats: readonly string[];
  /** Premium keys; each may run two exports at once. */
  keys: readonly string[];
  /** Readers that hang up. */
  hangUps: number;
  /** How long the slow reader reads, in seconds. */
  slowSeconds: number;
  /** Paths to search for while exports run. */
  searches: readonly string[];
}

export interface ExportFigures {
  bareName: string;
  rows: number;
  /** Rows per second, the median of the rounds. */
  bare: number;
  product: number;
  /** Median over the rounds of product / bare. */
  ratio: number;
  /** Rows per second of each format, the median of the rounds, and the most memory meanwhile in MB. */
  formats: { format: string; rate: number; memory: number | null }[];
  /** MB; null if the system does not report it. */
  memory: { start: number | null; peak: number | null; slowReader: number | null };
  /** Milliseconds at the 99th percentile, alone and during four exports. */
  searchP99: { quiet: number; busy: number };
  /** What 1,000 readers who hung up left behind, some time after the last. */
  leftBehind: { scans: boolean; connections: number | null };
}

const everything = '/api/v1/export?kind=outlet%7Cpodcast%7Cnewsletter&format=';
const slowBytesPerSecond = 1024 * 1024;
const exportsAtOnce = 4;

/** Exports everything over HTTP and reads it completely, alternating with the bare scan; then adds load. */
export async function measureExport(
  product: ProductServer,
  bare: BareScan,
  { rounds, formats, keys, hangUps, slowSeconds, searches }: ExportPlan,
): Promise<ExportFigures> {
  const keyOf = (index: number) => keys[index % keys.length] ?? '';
  const start = readMemory(product.pid);
  const bareRates: number[] = [];
  const productRates: number[] = [];
  let rows = 0;
  const runRound = async (round: number) => {
    const measure = [
      async () => bareRates.push(await rateOf(() => bare.readAll())),
      async () =>
        productRates.push(
          await rateOf(async () => {
            rows = await readExport(product, keyOf(0));
            return rows;
          }),
        ),
    ];
    for (const step of round % 2 === 0 ? measure : measure.toReversed()) await step();
  };
  const peak = await watchMemory(product.pid, async () => {
    for (let round = 0; round <= rounds; round += 1) await runRound(round);
  });
  // The first round warms up.
  const counted = { bare: bareRates.slice(1), product: productRates.slice(1) };
  const comparedFormats = await compareFormats(product, keyOf(0), formats, rounds);
  const slowReader = await readSlowly(product, keyOf(0), slowSeconds);

  const quiet = await searchTimes(product, searches);
  const busy = await withExports(product, keyOf, () => searchTimes(product, searches));

  const connectionsBefore = countConnections(Number(new URL(product.url).port));
  await hangUp(product, keyOf, keys.length, hangUps);
  const leftBehind = await settle(product, bare, connectionsBefore);
  return {
    bareName: bare.name,
    rows,
    bare: median(counted.bare),
    product: median(counted.product),
    ratio: median(counted.product.map((rate, round) => rate / (counted.bare[round] ?? Number.NaN))),
    formats: comparedFormats,
    memory: { start, peak, slowReader },
    searchP99: { quiet: percentile(quiet, 0.99), busy: percentile(busy, 0.99) },
    leftBehind,
  };
}

async function compareFormats(
  product: ProductServer,
  key: string,
  formats: readonly string[],
  rounds: number,
): Promise<ExportFigures['formats']> {
  const compared = formats.map((format) => ({ format, rates: [] as number[], peaks: [] as (number | null)[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { format, rates, peaks } of round % 2 === 0 ? compared : compared.toReversed()) {
      const read = async () => {
        rates.push(await rateOf(() => readExport(product, key, format)));
      };
      peaks.push(await watchMemory(product.pid, read));
    }
  }
  return compared.map(({ format, rates, peaks }) => {
    const known = peaks.filter((peak) => peak !== null);
    return { format, rate: median(rates), memory: known.length > 0 ? Math.max(...known) : null };
  });
}

async function rateOf(read: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const rows = await read();
  return rows / ((performance.now() - start) / 1000);
}

async function startExport(product: ProductServer, key: string, format = 'csv'): Promise<IncomingMessage> {
  const request = get(product.url + everything + format, { agent: false, headers: { Authorization: `Bearer ${key}` } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => {});
  if (response.statusCode !== 200) throw new Error(`the export gave ${response.statusCode}`);
  return response;
}

/** Reads an export completely; returns the announced number of rows. */
export async function readExport(product: ProductServer, key: string, format?: string): Promise<number> {
  const response = await startExport(product, key, format);
  response.resume();
  await once(response, 'end');
  if (!response.complete) throw new Error('the export broke off');
  return Number(response.headers['x-total-count']);
}

/** Reads at 1 MB a second for a while; returns the service's memory then, in MB. */
async function readSlowly(product: ProductServer, key: string, seconds: number): Promise<number | null> {
  const response = await startExport(product, key);
  const start = performance.now();
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    const early = (bytes / slowBytesPerSecond) * 1000 - (performance.now() - start);
    if (early > 0) await pause(early);
    if (performance.now() - start > seconds * 1000) break;
  }
  return readMemory(product.pid);
}

async function searchTimes(product: ProductServer, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const path of paths) {
    const start = performance.now();
    await product.get(path);
    times.push(performance.now() - start);
  }
  return times;
}

/** Does work while four exports run, each restarted when it ends. */
async function withExports<Result>(
  product: ProductServer,
  keyOf: (index: number) => string,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const readers = Array.from({ length: exportsAtOnce }, async (_, index) => {
    while (!isOver) {
      const response = await startExport(product, keyOf(index));
      for await (const _chunk of response) if (isOver) break;
    }
  });
  try {
    return await work();
  } finally {
    isOver = true;
    await Promise.all(readers);
  }
}

/** Readers, two a key at once, that leave after the first bytes. */
async function hangUp(
  product: ProductServer,
  keyOf: (index: number) => string,
  keys: number,
  count: number,
): Promise<void> {
  const queue = Array.from({ length: count }).keys();
  const work = async (worker: number) => {
    for (const _ of queue) {
      const response = await startExport(product, keyOf(worker)).catch(() => null);
      if (response === null) continue;
      await once(response, 'readable');
      response.destroy();
      await once(response, 'close');
    }
  };
  await Promise.all(Array.from({ length: keys }, (_, worker) => work(worker)));
}

/** Waits until what the readers held is released, or a while has passed. */
async function settle(
  product: ProductServer,
  bare: BareScan,
  connectionsBefore: number | null,
): Promise<ExportFigures['leftBehind']> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const open = countConnections(Number(new URL(product.url).port));
    const connections = open === null || connectionsBefore === null ? null : Math.max(open - connectionsBefore, 0);
    const left = { scans: await bare.holdsScan(), connections };
    if ((!left.scans && !left.connections) || performance.now() > deadline) return left;
    await pause(200);
  }
}
