import { answerMetrics, type MetricsSource } from '#http/answer-metrics.ts';
import { type RunningServer, serve } from '#http/serve.ts';
import type { Config } from '#src/settings/config.ts';

/**
 * Answers Prometheus where the settings say, and says where that is; null where they say nowhere. With a `listMissing`
 * the same listener answers /readyz.
 */
export async function serveMetrics(
  place: Config['metrics'],
  registry: MetricsSource,
  say: (line: string) => void,
  listMissing?: () => readonly string[],
): Promise<RunningServer | null> {
  if (place === null) return null;
  const server = await serve({ ...place, publicUrl: null }, (url) => answerMetrics(registry, url, listMissing));
  say(`Metrics are at ${server.url}/metrics.`);
  return server;
}
