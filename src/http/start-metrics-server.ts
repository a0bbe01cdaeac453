import express from 'express';
import { sendReadiness } from './api/about.ts';
import { setSecurityHeaders } from './guards.ts';
import { type RunningServer, startServer } from './start-server.ts';

/** Serves GET /metrics without authentication, and GET /readyz with `listMissing`. Null if no address is configured. */
export async function startMetricsServer(
  address: { host: string; port: number } | null,
  source: { contentType: string; metrics(): Promise<string> },
  logLine: (line: string) => void,
  listMissing?: () => readonly string[],
): Promise<RunningServer | null> {
  if (address === null) return null;
  const server = await startServer({ ...address, publicUrl: null }, (url) => {
    const app = express().disable('x-powered-by').use(setSecurityHeaders(url));
    app.get('/metrics', async (_req, res) => {
      res.set({ 'Content-Type': source.contentType, 'Cache-Control': 'no-store' }).send(await source.metrics());
    });
    if (listMissing) app.get('/readyz', (_req, res) => sendReadiness(res, listMissing()));
    return app;
  });
  logLine(`Metrics are at ${server.url}/metrics.`);
  return server;
}
