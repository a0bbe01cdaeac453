import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { limitHeapGrowth } from '../../test/support/process-environment.ts';

/** The service as a separate process, with keep-alive connections to it. */
export interface ProductServer {
  url: string;
  pid: number;
  /** Asks for a path and reads the whole answer; rejects with an UnexpectedAnswer unless that is 200. */
  get(path: string): Promise<void>;
  /** Asks the process to stop; resolves with its exit code, or the signal that ended it. */
  terminate(): Promise<number | string>;
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
 * Starts src/main.ts on a free port with only these settings, logging to the file `logPath`. Only the request limit is
 * raised.
 *
 * @param checkout whose service it is, this one by default
 */
export async function startProduct(
  settings: Readonly<Record<string, string>>,
  logPath: string,
  checkout: string = root,
): Promise<ProductServer> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(logPath, 'w');
  const server = spawn(process.execPath, [...limitHeapGrowth, join(checkout, 'src/main.ts')], {
    env: {
      RATE_LIMIT_ANONYMOUS: '1000000',
      RATE_LIMIT_PREMIUM: '1000000',
      ...settings,
      HOST: '127.0.0.1',
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  await waitUntilReady(url, server, logPath);

  const exit = once(server, 'exit').then(([code, signal]) => code ?? signal);
  const terminate = () => {
    server.kill('SIGTERM');
    return exit;
  };
  const pool = new Pool(url, { connections: maxConnections, pipelining: 1 });
  return {
    url,
    pid: server.pid ?? 0,
    async get(path) {
      const { statusCode, body } = await pool.request({ method: 'GET', path });
      const text = await body.text();
      if (statusCode !== 200) throw new UnexpectedAnswer(path, statusCode, text);
    },
    terminate,
    async stop() {
      await pool.close();
      await terminate();
    },
  };
}

async function waitUntilReady(url: string, server: ChildProcess, logPath: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (server.exitCode === null && performance.now() < deadline) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await pause(50);
  }
  server.kill();
  throw new Error(`the server did not become ready: ${readFileSync(logPath, 'utf8').slice(-2000)}`);
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
