import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to a request: passed on, never answered, cut off before or after it is passed on, or refused. */
export type Treatment = 'pass on' | 'hang' | 'cut off' | 'lose the answer' | 502 | 503 | 504;

/** A proxy between a client and an Elasticsearch node. */
export interface NodeProxy {
  url: string;
  /** Applies to requests from now on. */
  treatment: Treatment;
  /** The requests that came, such as `POST /index/_search`. */
  received: string[];
  close(): Promise<void>;
}

export interface NodeProxyOptions {
  /** Key and certificate, for TLS. */
  tls?: ServerOptions;
  /** The Authorization header that each request must have. */
  authorization?: string;
}

/** Starts a proxy in front of a real node. */
export async function startNodeProxy(node: string, { tls, authorization }: NodeProxyOptions = {}): Promise<NodeProxy> {
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const body = await buffer(req);
    const { treatment } = proxy;
    proxy.received.push(`${req.method} ${req.url?.split('?')[0]}`);
    if (authorization !== undefined && req.headers.authorization !== authorization) return refuse(res, 401);
    if (treatment === 'hang') return;
    if (treatment === 'cut off') return res.destroy();
    if (typeof treatment === 'number') return refuse(res, treatment);
    const passedOn = await passOn(node, req, body);
    if (treatment === 'lose the answer') return res.destroy();
    res.writeHead(passedOn.status, {
      'content-type': passedOn.headers.get('content-type') ?? 'application/json',
      'x-elastic-product': 'Elasticsearch',
    });
    res.end(Buffer.from(await passedOn.arrayBuffer()));
  };
  const server = tls === undefined ? createPlainServer(answer) : createTlsServer(tls, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: NodeProxy = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    treatment: 'pass on',
    received: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

function passOn(node: string, { method = 'GET', url, headers }: IncomingMessage, body: Buffer): Promise<Response> {
  const { host, connection, authorization, 'content-length': _, 'transfer-encoding': __, ...passed } = headers;
  const init = { method, headers: passed as Record<string, string> };
  return fetch(new URL(url ?? '/', node), body.length > 0 ? { ...init, body: new Uint8Array(body) } : init);
}

function refuse(res: ServerResponse, status: number): void {
  res.writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' });
  res.end(JSON.stringify({ error: { type: 'proxy_exception', reason: 'refused' }, status }));
}
