import { handleMetrics, type MetricsSource } from '#http/handle-metrics.ts';
import { type RunningServer, serve } from '#http/serve.ts';
import type { Config } from '#src/settings/config.ts';

/**
 * Serves Prometheus metrics at the configured address, and logs it; null if not configured. With `listMissing` the same
 * listener answers /readyz.
 */
export async function listenForMetrics(
  place: Config['metrics'],
  registry: MetricsSource,
  logLine: (line: string) => void,
  listMissing?: () => readonly string[],
): Promise<RunningServer | null> {
  if (place === null) return null;
  const server = await serve({ ...place, publicUrl: null }, (url) => handleMetrics(registry, url, listMissing));
  logLine(`Metrics are at ${server.url}/metrics.`);
  return server;
}
