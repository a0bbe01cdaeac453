import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import express from 'express';
import { type FieldError, Problem } from '#src/problem.ts';
import { sendReadiness } from './api/about.ts';
import { setSecurityHeaders } from './guards.ts';
import { presentProblem } from './problem-answers.ts';

/** Port 0 is any free one; without a public URL it is the listening address. */
interface ServerSettings {
  host: string;
  port: number;
  publicUrl: string | null;
}

/**
 * How long one connection may keep the server waiting, in milliseconds. Bodies are at most 8 MB, headers 16 kB. Proxies
 * usually keep connections for 60 seconds: closed sooner, one is sometimes closed while a request is on its way.
 */
export const defaultTimeouts = {
  /** From the connection, or the first byte of a further request, to the end of the headers. */
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  /** How often the first two are checked. */
  pollMs: 1_000,
};

export interface RunningServer {
  /** Such as `http://127.0.0.1:3000`; loopback instead of an address that means every interface. */
  url: string;
  /** Lets running requests finish, cuts what is open after `deadlineMs`, and returns how many connections that were. */
  drain(deadlineMs: number): Promise<number>;
}

/** Listens, or rejects with the system's error. Links start with the public URL, so the listener is made after it. */
export async function startServer(
  { host, port, publicUrl }: ServerSettings,
  createListener: (publicUrl: string) => RequestListener,
  timeouts = defaultTimeouts,
): Promise<RunningServer> {
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.idleMs,
    connectionsCheckingInterval: timeouts.pollMs,
  });
  // Their size is limited instead: with a limit on the number, Node would silently drop headers, perhaps a key.
  server.maxHeadersCount = 0;
  server.listen(port, host);
  await once(server, 'listening');
  const url = urlOf(server.address() as AddressInfo);
  server.on('clientError', (error, socket) => answerUnreadable(error, socket, publicUrl ?? url));
  server.on('request', createListener(publicUrl ?? url));
  return { url, drain: (deadlineMs) => drain(server, deadlineMs) };
}

/** What Node refuses before it is a request, and is answered with its status alone. */
const refused = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_CHUNK_EXTENSIONS_OVERFLOW: 413 };

/** What is wrong with bytes that are no request, by Node's codes: most often `?q=Правда`, which curl sends as it is. */
const faults: readonly [RegExp, FieldError['in'], string, string][] = [
  [/URL|CONSTANT/, 'path', 'bad_encoding', 'Encode spaces and letters beyond ASCII: П is %D0%9F.'],
  [/METHOD|VERSION/, 'path', 'invalid', 'Use http, not https, and a method in capitals, such as GET.'],
  [/HEADER_OVERFLOW/, 'header', 'too_large', 'URL and headers exceed 16 kB together. Use fewer values at once.'],
  [/./, 'header', 'invalid', 'A header has an invalid name or value.'],
];

function answerUnreadable({ code = 'unknown' }: NodeJS.ErrnoException, socket: Duplex, publicUrl: string): void {
  // Nothing may be written into an answer that has begun.
  if (!socket.writable || Object(socket)._httpMessage?.headersSent) return void socket.destroy();
  const status = refused[code as keyof typeof refused] ?? 400;
  const requestId = randomUUID();
  const errors = faults
    .filter(([codes]) => codes.test(code))
    .slice(0, 1)
    .map(([, place, fault, message]) => ({ in: place, name: place, code: fault, message }));
  const detail = 'This is not a valid HTTP request. See errors for the usual reason.';
  const problem = new Problem('invalid_request', detail, { errors });
  const body = status === 400 ? JSON.stringify(presentProblem(problem, { publicUrl, path: null, requestId })) : '';
  const type = body && 'Content-Type: application/problem+json\r\n';
  const about = `${type}Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}`;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${about}`;
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
}

async function drain(server: Server, deadlineMs: number): Promise<number> {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  // Not the HTTP server's own close, which would immediately cut connections whose request is sent but not yet read.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  let broken = 0;
  const deadline = setTimeout(() => {
    server.getConnections((_error, count) => {
      broken = count;
      server.closeAllConnections();
    });
  }, deadlineMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  return broken;
}

function urlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address;
  return family === 'IPv6' && host === address ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

/** Serves GET /metrics without authentication, and GET /readyz with `listMissing`. Null if no address is configured. */
export async function startMetricsServer(
  address: { host: string; port: number } | null,
  source: { contentType: string; metrics(): Promise<string> },
  logLine: (line: string) => void,
  listMissing?: () => readonly string[],
): Promise<RunningServer | null> {
  if (address === null) return null;
  const listen = (url: string) => {
    const app = express().disable('x-powered-by').use(setSecurityHeaders(url));
    app.get('/metrics', async (_req, res) => {
      res.set({ 'Content-Type': source.contentType, 'Cache-Control': 'no-store' }).send(await source.metrics());
    });
    if (listMissing) app.get('/readyz', (_req, res) => sendReadiness(res, listMissing()));
    return app;
  };
  const server = await startServer({ ...address, publicUrl: null }, listen).catch((error: Error) => {
    throw Object.assign(error, { isOfMetrics: true });
  });
  logLine(`Metrics are at ${server.url}/metrics.`);
  return server;
}
