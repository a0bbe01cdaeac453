import type { RequestListener } from 'node:http';
import { presentReadiness } from './api/about.ts';
import { setSecurityHeaders } from './guards.ts';
import { type RunningServer, startServer } from './start-server.ts';

interface MetricsSource {
  contentType: string;
  metrics(): Promise<string>;
}

/** Serves GET /metrics without authentication, and GET /readyz with `listMissing`. Null if no address is configured. */
export async function startMetricsServer(
  address: { host: string; port: number } | null,
  source: MetricsSource,
  logLine: (line: string) => void,
  listMissing?: () => readonly string[],
): Promise<RunningServer | null> {
  if (address === null) return null;
  const server = await startServer({ ...address, publicUrl: null }, (url) => handleMetrics(source, url, listMissing));
  logLine(`Metrics are at ${server.url}/metrics.`);
  return server;
}

function handleMetrics(source: MetricsSource, url: string, listMissing?: () => readonly string[]): RequestListener {
  const secure = setSecurityHeaders(url);
  return async (req, res) => {
    secure(req, res, () => {});
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (isRead && req.url === '/readyz' && listMissing !== undefined) {
      const { status, body } = presentReadiness(listMissing());
      res
        .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
        .end(JSON.stringify(body));
      return;
    }
    if (!isRead || req.url !== '/metrics') {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at GET /metrics.\n');
      return;
    }
    const text = await source.metrics();
    res.writeHead(200, { 'Content-Type': source.contentType, 'Cache-Control': 'no-store' }).end(text);
  };
}
