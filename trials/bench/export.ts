import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openIndexer } from '../../indexer/open-indexer.ts';
import { issueKey } from '../../src/accounts/keys.ts';
import { Dice } from '../../src/sample/dice.ts';
import type { BackendSettings } from '../../src/start/open-backends.ts';
import { countConnections, readMemory, watchMemory } from '../../test/support/process-figures.ts';
import type { Filled } from './load-data.ts';
import { median, percentile, perSecond, timeCalls } from './measure.ts';
import { makeSearches } from './mix.ts';
import { type ProductServer, startProduct } from './product-server.ts';

export interface ExportPlan {
  rounds: number;
  /** Each is read completely in every round. */
  formats: readonly string[];
  /** Readers that hang up. */
  hangUps: number;
  /** How long the slow reader reads, in seconds. */
  slowSeconds: number;
}

const keyCount = 20;
const searchCount = 300;
const slowBytesPerSecond = 1024 * 1024;
const exportsAtOnce = 4;

/** Exports everything over HTTP and reads it completely in each format; then slow readers, searches beside, readers that leave. */
export async function measureExport(data: Filled, { rounds, formats, hangUps, slowSeconds }: ExportPlan) {
  const pepper = randomBytes(32).toString('hex');
  const keys = await issueKeys(data.backend, pepper, keyCount);
  const keyOf = (index: number) => keys[index % keys.length] ?? '';
  const product = await startProduct(data, { KEY_PEPPER: pepper });
  try {
    const memoryAtStart = readMemory(product.pid);
    const measured = formats.map((format) => ({ format, rates: [] as number[], peaks: [] as number[] }));
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { format, rates, peaks } of round % 2 === 0 ? measured : measured.toReversed()) {
        let rate = 0;
        const peak = await watchMemory(product.pid, async () => {
          rate = await perSecond(() => readExport(product, keyOf(0), format));
        });
        if (round > 0) rates.push(rate);
        peaks.push(peak ?? Number.NaN);
      }
    }
    const memoryBesideSlowReader = await readSlowly(product, keyOf(0), slowSeconds);
    const calls = makeSearches(data.some, new Dice(1), searchCount).map((path) => () => product.get(path));
    const quiet = await timeCalls(calls, 1);
    const busy = await withExports(product, keyOf, () => timeCalls(calls, 1));
    return {
      records: data.records,
      rowsPerSecond: Object.fromEntries(measured.map(({ format, rates }) => [format, median(rates)])),
      memoryMB: {
        'at start': memoryAtStart,
        ...Object.fromEntries(measured.map(({ format, peaks }) => [format, Math.max(...peaks)])),
        'beside a reader at 1 MB/s': memoryBesideSlowReader,
      },
      searchP99Ms: { alone: percentile(quiet, 0.99), 'beside four exports': percentile(busy, 0.99) },
      connectionsLeft: await hangUp(product, keyOf, keys.length, hangUps),
    };
  } finally {
    await product.stop();
  }
}

/** Premium keys, since each may run only two exports at once. */
export async function issueKeys(settings: BackendSettings, pepper: string, count: number): Promise<string[]> {
  const backends = await openIndexer(settings);
  try {
    await backends.whenPrepared();
    const keys: string[] = [];
    while (keys.length < count) {
      const grant = { tier: 'premium', days: 1, email: null } as const;
      keys.push((await issueKey({ ...backends, operator: 'bench' }, pepper, grant, new Date())).key);
    }
    return keys;
  } finally {
    await backends.close();
  }
}

async function startExport(product: ProductServer, key: string, format = 'csv'): Promise<IncomingMessage> {
  const path = `/api/v1/export?kind=outlet%7Cpodcast%7Cnewsletter&format=${format}`;
  const request = get(product.url + path, { agent: false, headers: { Authorization: `Bearer ${key}` } });
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

/** Readers, two a key at once, that leave after the first bytes; returns how many connections stay, after a while. */
async function hangUp(product: ProductServer, keyOf: (index: number) => string, atOnce: number, count: number) {
  const open = () => countConnections(Number(new URL(product.url).port)) ?? Number.NaN;
  const before = open();
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
  await Promise.all(Array.from({ length: atOnce }, (_, worker) => work(worker)));
  const deadline = performance.now() + 10_000;
  while (open() > before && performance.now() < deadline) await pause(200);
  return open() - before;
}
