import { randomUUID } from 'node:crypto';
import { IncomingMessage, maxHeaderSize, type OutgoingHttpHeaders, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '#src/problem.ts';
import { setSecurityHeaders } from './guards.ts';
import { presentProblem } from './problem-answers.ts';

/** A request that is not answered yet. */
interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
}

/**
 * Answers invalid HTTP requests, and requests with too long URL and headers, in the same form as every other error.
 * Node would send a bare status line; no route or middleware ever sees such a request.
 */
export function refuseUnreadable(server: Server, publicUrl: string): void {
  const exchanges = new WeakMap<Duplex, Exchange[]>();
  server.on('request', (req, res) => {
    const { socket } = req;
    const own = { req, res };
    exchanges.set(socket, [...(exchanges.get(socket) ?? []), own]);
    res.once('close', () => {
      exchanges.set(socket, exchanges.get(socket)?.filter((exchange) => exchange !== own) ?? []);
    });
  });

  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Each further byte is another error on the same connection.
    if (refused.has(socket)) return;
    refused.add(socket);
    const [last, ...earlier] = exchanges.get(socket)?.toReversed() ?? [];
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else if (last === undefined) socket.end(refusal(error.code, publicUrl));
    // What follows a complete request must not hold its answer back.
    else if (last.req.complete) last.res.once('close', () => socket.destroy());
    // The body is unreadable. Within an answer that has begun, any further byte would corrupt it.
    else if (earlier.length > 0 || last.res.headersSent) socket.destroy();
    else socket.end(refusal(error.code, publicUrl));
  });
}

function refusal(code: string | undefined, publicUrl: string): string {
  const security = Object.entries(listSecurityHeaders(publicUrl)).map(([name, value]) => `${name}: ${value}`);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return ['HTTP/1.1 408 Request Timeout', ...security, 'Connection: close', '', ''].join('\r\n');
  }
  const requestId = randomUUID();
  const detail =
    code === 'HPE_HEADER_OVERFLOW'
      ? `URL and headers are too long. Together they may have ${maxHeaderSize} bytes.`
      : 'This is not a valid HTTP/1.1 request.';
  const problem = new Problem('invalid_request', detail, {
    errors: [{ in: 'header', name: 'request', code: 'unreadable', message: detail }],
  });
  const body = JSON.stringify(presentProblem(problem, { publicUrl, path: null, requestId }));
  return [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...security,
    'Cache-Control: private, no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** The security headers of every answer, for one that is written directly to its socket. */
function listSecurityHeaders(publicUrl: string): OutgoingHttpHeaders {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  setSecurityHeaders(publicUrl)(res.req, res, () => {});
  return res.getHeaders();
}
