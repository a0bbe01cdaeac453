import type { Logger } from 'pino';
import { EmbeddingsEndpoint } from '#search/meaning/embeddings-endpoint.ts';
import { OwnModel } from '#search/meaning/own-model.ts';
import type { Metrics } from '#src/metrics/metrics.ts';
import type { Config } from '#src/settings/config.ts';
import type { Backends } from './open-backends.ts';

/** How often to look for records without a vector, in milliseconds. */
const everyMs = 5 * 60 * 1000;

/** Opens the operator's own model, if there is one, and lets it make vectors of records as soon as the store is there. */
export function runOwnModel(
  { embeddings }: Pick<Config, 'embeddings'>,
  { index, keyed, locks, whenPrepared }: Pick<Backends, 'index' | 'keyed' | 'locks' | 'whenPrepared'>,
  { log, metrics, signal }: { log: Pick<Logger, 'info' | 'warn'>; metrics: Metrics | null; signal: AbortSignal },
): OwnModel | null {
  if (embeddings === null) return null;
  const { textsPerDay, ...endpoint } = embeddings;
  const now = () => new Date();
  const onFailure = (purpose: 'query' | 'records', reason: string) => {
    metrics?.embeddingsFailures.inc({ of: purpose });
    log.warn({ of: purpose, reason }, 'the model at EMBEDDINGS_URL did not answer');
  };
  const model = new OwnModel({
    endpoint: new EmbeddingsEndpoint(endpoint),
    index,
    keyed,
    locks,
    textsPerDay,
    now,
    onFailure,
  });
  const fill = async () => {
    try {
      const filled = await model.fill(signal, (waiting) => metrics?.waitingForVectors.set(waiting));
      if (filled !== null && filled.reason !== null) log.warn(filled, 'some records have no vector yet');
      else if (filled !== null && filled.made > 0) log.info(filled, 'made vectors of records');
    } catch (err) {
      if (!signal.aborted) log.warn({ err }, 'vectors of records could not be made; next attempt soon');
    }
    if (!signal.aborted) setTimeout(fill, everyMs).unref();
  };
  void whenPrepared().then(fill);
  return model;
}
