import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Dice } from '../../src/sample/dice.ts';

/** A proxy between the indexer and an Elasticsearch that disturbs bulk requests. */
export interface FaultyEngine {
  url: string;
  /** Bulk requests that met with trouble, by its kind. */
  faults: Record<Fault, number>;
  close(): Promise<void>;
}

const kinds = ['overloaded', 'unavailable', 'lost before', 'lost after', 'some overloaded'] as const;
type Fault = (typeof kinds)[number];

/** Passes every request on to a real engine; a share of the bulk requests fails as they do in life. */
export async function startFaultyEngine(engine: string, dice: Dice, share: number): Promise<FaultyEngine> {
  const faults = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Fault, number>;
  const server = createServer(async (req, res) => {
    const body = await buffer(req);
    if (!req.url?.includes('/_bulk') || !dice.chance(share)) return pass(engine, req, res, body);
    const fault = dice.pick(kinds);
    faults[fault] += 1;
    if (fault === 'overloaded') return refuse(res, 429);
    if (fault === 'unavailable') return refuse(res, 503);
    if (fault === 'lost before') return res.destroy();
    const answer = await ask(engine, req, body);
    if (fault === 'lost after') return res.destroy();
    const { items } = (await answer.clone().json()) as { items: object[] };
    return reply(
      res,
      answer,
      JSON.stringify({ items: items.map((item) => (dice.chance(0.3) ? overload(item) : item)) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One document's answer, as if the engine had no room for it. */
function overload(item: object): object {
  const [action] = Object.keys(item);
  return { [action ?? 'index']: { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'full' } } };
}

function ask(engine: string, { method = 'GET', url, headers }: IncomingMessage, body: Buffer): Promise<Response> {
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...passed } = headers;
  const init = { method, headers: passed as Record<string, string> };
  return fetch(new URL(url ?? '/', engine), body.length > 0 ? { ...init, body: new Uint8Array(body) } : init);
}

async function pass(engine: string, req: IncomingMessage, res: ServerResponse, body: Buffer): Promise<void> {
  const answer = await ask(engine, req, body);
  reply(res, answer, Buffer.from(await answer.arrayBuffer()));
}

function reply(res: ServerResponse, { status, headers }: Response, body: string | Buffer): void {
  res.writeHead(status, {
    'content-type': headers.get('content-type') ?? 'application/json',
    'x-elastic-product': 'Elasticsearch',
  });
  res.end(body);
}

function refuse(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' });
  res.end(JSON.stringify({ error: { type: 'es_rejected_execution_exception', reason: 'full' }, status }));
}
