import { errors } from '@elastic/elasticsearch';
import { retold, withOutage } from '#backends/with-outage.ts';
import { UnusableAnswer } from './read-response.ts';

/** What the client says where no answer comes, or one that is not Elasticsearch's. */
const outages = [
  UnusableAnswer,
  errors.ConnectionError,
  errors.TimeoutError,
  errors.NoLivingConnectionsError,
  errors.RequestAbortedError,
  errors.DeserializationError,
  errors.ProductNotSupportedError,
];
/**
 * Refusals by the state that the engine is in, not by what was asked: no longer let in, an index or a moment of the data
 * that is not there, overloaded. A query that the engine does not understand is 400.
 */
const outageStatuses = new Set([401, 403, 404, 408, 429]);

/** What a node answers when it, or what it needs, is not there, and what a proxy in front of it answers then. */
const unavailableStatuses: ReadonlySet<unknown> = new Set([502, 503, 504]);

/** Does work on the engine. Its own words may quote what was searched for or a document, so the log gets their kind. */
export const { run: runOnElasticsearch } = withOutage({
  code: 'search_unavailable',
  retryAfter: 5,
  explain: (error) =>
    isIndexMissing(error)
      ? 'The search index has not been built yet. The operator can build it with: npm run indexer -- reindex'
      : 'The search engine is not available right now. Try again.',
  isOutage,
  describe: (error) => (isOutage(error) || isOfClient(error) ? retold(error, describeFault(error)) : error),
});

/** The error of one part of an answer, by the status that the part has. */
export function partFault(status: number, type: string): Error {
  const message = `${status} ${type}`;
  return isOutageStatus(status)
    ? new UnusableAnswer(message, { isFaultOfNode: isUnavailable(status) })
    : new Error(`Elasticsearch rejected part of the request: ${message}`);
}

function isOutage(error: unknown): error is Error {
  if (error instanceof errors.ResponseError) return isOutageStatus(error.statusCode ?? 0);
  return outages.some((outage) => error instanceof outage);
}

function isOutageStatus(status: number): boolean {
  return status >= 500 || outageStatuses.has(status);
}

function isOfClient(error: unknown): error is Error {
  return error instanceof errors.ElasticsearchClientError;
}

/** Whether a status says that another node may do better. */
export function isUnavailable(status: number | undefined): boolean {
  return unavailableStatuses.has(status);
}

export function isIndexMissing(error: unknown): boolean {
  return error instanceof errors.ResponseError && errorType(error) === 'index_not_found_exception';
}

/** The kind of a fault, for logs: an engine's own message may quote what was searched for or a document. */
export function describeFault(error: unknown): string {
  if (error instanceof errors.ResponseError) return `Elasticsearch: ${error.statusCode} ${errorType(error)}`;
  if (error instanceof Error) return `Elasticsearch: ${error.name}: ${error.message}`;
  return `Elasticsearch: ${String(error)}`;
}

function errorType(error: errors.ResponseError): string {
  const type: unknown = error.body?.error?.type;
  return typeof type === 'string' ? type : 'without a type';
}
