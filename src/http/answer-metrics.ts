import type { RequestListener } from 'node:http';
import { setSecurityHeaders } from './middleware/set-security-headers.ts';

/** What Prometheus is answered with. */
export interface MetricsSource {
  contentType: string;
  metrics(): Promise<string>;
}

/** GET /metrics, and nothing else: for a listener of its own at `url`, which asks nobody for a key. */
export function answerMetrics(source: MetricsSource, url: string): RequestListener {
  const secure = setSecurityHeaders(url);
  return async (req, res) => {
    secure(req, res, () => {});
    const isKnown = req.url === '/metrics' && (req.method === 'GET' || req.method === 'HEAD');
    if (!isKnown) {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at GET /metrics.\n');
      return;
    }
    const text = await source.metrics();
    res.writeHead(200, { 'Content-Type': source.contentType, 'Cache-Control': 'no-store' }).end(text);
  };
}
