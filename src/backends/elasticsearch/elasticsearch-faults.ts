import { errors } from '@elastic/elasticsearch';
import { retold, withOutage } from '../with-outage.ts';

/** A missing or incomplete answer; the message is for the log. */
export class UnusableAnswer extends Error {
  /** Whether a node caused it, so that another node may succeed. */
  readonly isFaultOfNode: boolean;

  constructor(message: string, { isFaultOfNode = false } = {}) {
    super(message);
    this.name = 'UnusableAnswer';
    this.isFaultOfNode = isFaultOfNode;
  }
}

/** Client errors for no answer, or an answer that is not from Elasticsearch. */
const outages = [
  UnusableAnswer,
  errors.ConnectionError,
  errors.TimeoutError,
  errors.NoLivingConnectionsError,
  errors.RequestAbortedError,
  errors.DeserializationError,
  errors.ProductNotSupportedError,
];
/** Caused by the engine's state: access revoked, no index or point in time, overload. A query it cannot read is 400. */
const outageStatuses = new Set([401, 403, 404, 408, 429]);

/** The statuses of a node that lacks something it needs, and of a proxy in front of it. */
const unavailableStatuses: ReadonlySet<unknown> = new Set([502, 503, 504]);

/** Runs work on the engine. Its messages may quote a query or a document, so the log gets only their kind. */
export const { run: runOnElasticsearch } = withOutage({
  code: 'search_unavailable',
  explain: (error) =>
    isIndexMissing(error)
      ? 'The search index has not been built yet. The operator can build it with: npm run indexer -- reindex'
      : 'The search engine is not available right now. Try again.',
  isOutage,
  describe: (error) =>
    isOutage(error) || error instanceof errors.ElasticsearchClientError ? retold(error, describeFault(error)) : error,
});

/** The error for one part of an answer, from that part's status. */
export function partFault(status: number, type: string): Error {
  const message = `${status} ${type}`;
  return isOutageStatus(status)
    ? new UnusableAnswer(message, { isFaultOfNode: unavailableStatuses.has(status) })
    : new Error(`Elasticsearch rejected part of the request: ${message}`);
}

function isOutage(error: unknown): error is Error {
  if (error instanceof errors.ResponseError) return isOutageStatus(error.statusCode ?? 0);
  return outages.some((outage) => error instanceof outage);
}

function isOutageStatus(status: number): boolean {
  return status >= 500 || outageStatuses.has(status);
}

export function isFaultOfNode(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return unavailableStatuses.has(error.statusCode);
  if (error instanceof UnusableAnswer) return error.isFaultOfNode;
  return error instanceof errors.ConnectionError || error instanceof errors.TimeoutError;
}

const missingIndex = 'index_not_found_exception';

/** Whether there is no index, according to a whole answer or to one of its parts. */
function isIndexMissing(error: unknown): boolean {
  if (error instanceof UnusableAnswer) return error.message.endsWith(` ${missingIndex}`);
  return error instanceof errors.ResponseError && errorType(error) === missingIndex;
}

/** The kind of an error, for logs: the engine's message may quote a query or a document. */
export function describeFault(error: unknown): string {
  if (error instanceof errors.ResponseError) return `Elasticsearch: ${error.statusCode} ${errorType(error)}`;
  if (error instanceof Error) return `Elasticsearch: ${error.name}: ${error.message}`;
  return `Elasticsearch: ${String(error)}`;
}

function errorType(error: errors.ResponseError): string {
  const type: unknown = error.body?.error?.type;
  return typeof type === 'string' ? type : 'without a type';
}
