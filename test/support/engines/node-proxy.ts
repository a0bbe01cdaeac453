import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from '../listen.ts';

/**
 * What happens to a request: it is passed on, never answered, cut off before or after it is passed on, or refused; or a function
 * changes the answer.
 */
export type Treatment = 'pass on' | 'hang' | 'cut off' | 'lose the answer' | 429 | 502 | 503 | 504 | Alteration;
type Alteration = (answer: string) => string;

/** A proxy between a client and an Elasticsearch node. */
export interface NodeProxy extends Listening {
  /** How requests are treated from now on. */
  treatment: Treatment;
  /** The requests that came, such as `POST /index/_search`. */
  received: string[];
}

interface NodeProxyOptions {
  /** Key and certificate, for TLS. */
  tls?: ServerOptions;
  /** The Authorization header that each request must have. */
  authorization?: string;
  /** Decides how a request for a path is treated, instead of `treatment`. */
  choose?: (path: string) => Treatment;
}

/** Starts a proxy in front of a real node. */
export async function startNodeProxy(
  node: string,
  { tls, authorization, choose }: NodeProxyOptions = {},
): Promise<NodeProxy> {
  const received: string[] = [];
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const body = await buffer(req);
    const [path = ''] = req.url?.split('?') ?? [];
    const treatment = choose?.(path) ?? proxy.treatment;
    received.push(`${req.method} ${path}`);
    if (authorization !== undefined && req.headers.authorization !== authorization) return refuse(res, 401);
    if (treatment === 'hang') return;
    if (treatment === 'cut off') return res.destroy();
    if (typeof treatment === 'number') return refuse(res, treatment);
    const passedOn = await passOn(node, req, body);
    if (treatment === 'lose the answer') return res.destroy();
    const type = passedOn.headers.get('content-type') ?? 'application/json';
    res.writeHead(passedOn.status, { 'content-type': type, 'x-elastic-product': 'Elasticsearch' });
    if (typeof treatment === 'function') return res.end(treatment(await passedOn.text()));
    res.end(Buffer.from(await passedOn.arrayBuffer()));
  };
  const server = await listen(tls === undefined ? createPlainServer(answer) : createTlsServer(tls, answer));
  const proxy: NodeProxy = { ...server, treatment: 'pass on', received };
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
