import type { AnsweredRequest } from '#http/middleware/report-requests.ts';
import type { Metrics } from './create-metrics.ts';

/** Adds the request to the metrics. */
export function countRequest(metrics: Metrics, request: AnsweredRequest): void {
  const { method, status, seconds, isBroken, rows } = request;
  const route = request.route ?? 'none';
  metrics.requests.inc({ route, method, status });
  metrics.requestSeconds.observe({ route }, seconds);
  if (rows === null) return;
  metrics.exports.inc({ outcome: isBroken ? 'broken' : 'whole' });
  if (!isBroken) metrics.exportedRows.inc(rows);
}
