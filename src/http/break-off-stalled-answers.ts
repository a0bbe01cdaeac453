import type { Server } from 'node:http';

/**
 * Breaks off connections whose reader takes nothing of an answer for so many milliseconds: what waits for such a reader
 * is memory. One that waits for an answer still being made is left alone.
 */
export function breakOffStalledAnswers(server: Server, stallMs: number): void {
  server.timeout = stallMs;
  server.on('request', (_req, res) => {
    // Who listens decides: without a listener the connection would be closed even while its answer is made.
    res.on('timeout', () => {
      if (res.socket !== null && res.socket.writableLength > 0) res.socket.resetAndDestroy();
    });
  });
}
