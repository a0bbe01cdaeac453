import type { RequestListener } from 'node:http';
import { presentReadiness } from './endpoints/health.ts';
import { setSecurityHeaders } from './middleware/set-security-headers.ts';

/** What Prometheus is answered with. */
export interface MetricsSource {
  contentType: string;
  metrics(): Promise<string>;
}

/**
 * GET /metrics and, with `listMissing`, GET /readyz, which answers like the API's. Nothing else: for a separate
 * listener at `url` without authentication.
 */
export function handleMetrics(
  source: MetricsSource,
  url: string,
  listMissing?: () => readonly string[],
): RequestListener {
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
