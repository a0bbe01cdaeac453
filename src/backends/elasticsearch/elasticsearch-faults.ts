import { errors } from '@elastic/elasticsearch';
import { Problem } from '#domain/problem.ts';

const retryAfterSeconds = '5';
/** What a node answers when it, or what it needs, is not there, and what a proxy in front of it answers then. */
const unavailableStatuses: ReadonlySet<unknown> = new Set([502, 503, 504]);

/** Searches cannot be answered now. The cause, which is for the log, quotes neither the query nor a document. */
export function searchUnavailable(cause: unknown): Problem {
  return new Problem(
    'search_unavailable',
    isIndexMissing(cause)
      ? 'The search index has not been built yet. Its operator builds it with: npm run indexer -- reindex'
      : 'The search engine does not answer at the moment. Please try again.',
    { headers: { 'Retry-After': retryAfterSeconds } },
    { cause: new Error(describeFault(cause)) },
  );
}

/** Does the work, and turns whatever the engine or the way to it does wrong into Problem `search_unavailable`. */
export async function askElasticsearch<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem ? error : searchUnavailable(error);
  }
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
