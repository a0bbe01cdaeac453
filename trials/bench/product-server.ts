import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { findFreePort } from '../../test/support/engines/probe-engine.ts';
import { limitHeapGrowth, startIndexer } from '../../test/support/processes.ts';
import type { DataSource, Filled } from './load-data.ts';

/** The service as a separate process, with keep-alive connections to it. */
export interface ProductServer {
  url: string;
  pid: number;
  /** Asks for a path and reads the whole answer; rejects with an UnexpectedAnswer unless that is 200. */
  get(path: string): Promise<void>;
  stop(): Promise<void>;
}

export class UnexpectedAnswer extends Error {
  readonly status: number;

  constructor(path: string, status: number, text: string) {
    super(`${path} gave ${status}: ${text.slice(0, 500)}`);
    this.status = status;
  }
}

const readyWithinMs = 60_000;
const maxConnections = 64;
const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts src/main.ts on a free port with these settings and a higher rate limit. It logs to its data folder.
 *
 * @param checkout the folder of the code to run; by default this checkout
 */
export async function startProduct(
  { dataDir, settings }: Pick<Filled, 'dataDir' | 'settings'>,
  given: Readonly<Record<string, string>> = {},
  checkout: string = root,
): Promise<ProductServer> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const limits = { RATE_LIMIT_ANONYMOUS: '1000000', RATE_LIMIT_PREMIUM: '1000000' };
  const logPath = join(dataDir, `server-${port}.log`);
  const log = openSync(logPath, 'w');
  const server = spawn(process.execPath, [...limitHeapGrowth, join(checkout, 'src/main.ts')], {
    env: { ...limits, ...settings, ...given, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  await waitUntilReady(url, server, logPath);
  const exit = once(server, 'exit');
  const pool = new Pool(url, { connections: maxConnections, pipelining: 1 });
  return {
    url,
    pid: server.pid ?? 0,
    async get(path) {
      const { statusCode, body } = await pool.request({ method: 'GET', path });
      const text = await body.text();
      if (statusCode !== 200) throw new UnexpectedAnswer(path, statusCode, text);
    },
    async stop() {
      await pool.close();
      server.kill('SIGTERM');
      await exit;
    },
  };
}

async function waitUntilReady(url: string, server: ChildProcess, logPath: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (server.exitCode === null && performance.now() < deadline) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await pause(50);
  }
  server.kill();
  throw new Error(`the server did not become ready: ${readFileSync(logPath, 'utf8').slice(-2000)}`);
}

/**
 * The service of another checkout with the same records. It fills its own store, because the form of a store may differ.
 *
 * @param folder of the checkout, with its packages installed
 * @param settings of the engines of the production backend; none for the embedded one
 */
export async function startOther(
  folder: string,
  source: DataSource,
  settings: Readonly<Record<string, string>>,
): Promise<ProductServer> {
  const checkout = resolve(folder);
  if (!existsSync(join(checkout, 'indexer/main.ts'))) throw new Error(`${checkout} has no indexer/main.ts`);
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-beside-'));
  const own = { ...settings, MASTHEAD_DATA_DIR: dataDir };
  const run = async (...args: string[]) => {
    const indexer = startIndexer(args, own, checkout);
    const code = await indexer.ended;
    // Exit code 1 only says that some rows were rejected.
    if (code !== 0 && code !== 1) throw new Error(`${args[0]} in ${checkout} ended with ${code}: ${indexer.output()}`);
  };
  const sample = join(dataDir, 'sample.ndjson');
  if ('count' in source) await run('sample', String(source.count), '--output', sample);
  await run('import', ...('count' in source ? [sample] : source.files.map((file) => resolve(file))));
  if (Object.keys(settings).length > 0) await run('reindex');
  const product = await startProduct({ dataDir, settings: own }, {}, checkout);
  return {
    ...product,
    async stop() {
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
