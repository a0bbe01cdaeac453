import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

/** The minimum between a caller and the engine: a process that passes bytes on. */
export interface BareHop {
  url: string;
  stop(): Promise<void>;
}

const file = fileURLToPath(import.meta.url);
const maxConnections = 64;

/** Starts a process that passes every request on to the engine, and its answer back, and does nothing else. */
export async function startBareHop(engineUrl: string): Promise<BareHop> {
  const hop: ChildProcess = spawn(process.execPath, [file, engineUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (hop.stdout === null) throw new Error('the hop has no output');
  const [url] = await once(createInterface(hop.stdout), 'line');
  return {
    url: String(url),
    async stop() {
      const exit = once(hop, 'exit');
      hop.kill();
      await exit;
    },
  };
}

function serveHop(engineUrl: string): void {
  const pool = new Pool(engineUrl, { connections: maxConnections, pipelining: 1 });
  const server = createServer(async (req, res) => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: req.url ?? '/',
      body: await text(req),
      headers: { 'content-type': req.headers['content-type'] ?? 'application/json' },
    });
    res.writeHead(statusCode, { 'content-type': 'application/json' }).end(await body.text());
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
  });
}

if (process.argv[1] === file) serveHop(process.argv[2] ?? '');
