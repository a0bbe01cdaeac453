import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '#domain/problem.ts';
import { presentProblem } from './present/present-problem.ts';

/**
 * Answers what is no HTTP request, or one whose URL and headers are too long, in the form of every other error.
 * Node would send a bare status line; no route and no middleware ever sees such a request.
 */
export function refuseUnreadable(server: Server, publicUrl: string): void {
  const answering = new WeakSet<Duplex>();
  server.on('request', ({ socket }, res) => {
    answering.add(socket);
    res.once('close', () => answering.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Within another answer on this connection, any byte more would spoil that one.
    if (!socket.writable || error.code === 'ECONNRESET' || answering.has(socket)) socket.destroy();
    else socket.end(refusal(error.code, publicUrl));
  });
}

function refusal(code: string | undefined, publicUrl: string): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';
  const requestId = randomUUID();
  const detail =
    code === 'HPE_HEADER_OVERFLOW'
      ? `URL and headers are too long: together they may have ${maxHeaderSize} bytes.`
      : 'This is no request of HTTP/1.1.';
  const problem = new Problem('invalid_request', detail, {
    errors: [{ in: 'header', name: 'request', code: 'unreadable', message: detail }],
  });
  const body = JSON.stringify(presentProblem(problem, { publicUrl, path: null, requestId }));
  return [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: private, no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
