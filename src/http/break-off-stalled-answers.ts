import type { Server } from 'node:http';

/**
 * Cuts connections whose reader has taken nothing of an answer for so many milliseconds: data that waits for such a
 * reader uses memory. A connection that waits for an answer still being made is left alone.
 */
export function breakOffStalledAnswers(server: Server, stallMs: number): void {
  server.timeout = stallMs;
  server.on('request', (_req, res) => {
    // The listener decides: without one the connection would be closed even while its answer is made.
    res.on('timeout', () => {
      if (res.socket !== null && res.socket.writableLength > 0) res.socket.resetAndDestroy();
    });
  });
}
