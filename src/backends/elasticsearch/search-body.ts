import type { estypes } from '@elastic/elasticsearch';
import type { Count } from '#search/plans/choice.ts';
import type { Clause } from './render-text-query.ts';

/** A request for records or counts. */
export type SearchBody = Omit<estypes.SearchRequest, 'index'>;

/** How long Elasticsearch may work on a request; partial results are discarded. */
export const engineTimeout = '1500ms';

/** A request for no record, to which counts are added. */
export function countBody(query: Clause): SearchBody {
  return { query, size: 0, track_total_hits: false, timeout: engineTimeout };
}

/** The same request, whose answer also has the exact number of records. */
export function withTotal(body: SearchBody): SearchBody {
  return { ...body, track_total_hits: true };
}

/** How many records meet a condition, up to a limit. */
export function buildProbe(condition: Clause, { limit }: Count): SearchBody {
  return { ...countBody(condition), track_total_hits: limit };
}

/** Whether the index can answer searches. */
export function buildReadiness(): SearchBody {
  return { ...countBody({ match_all: {} }), terminate_after: 1 };
}

/** One batch of all records of a query, in the engine's order. */
export function buildScan(query: Clause, size: number): SearchBody {
  return { query, sort: ['_doc'], size, track_total_hits: false };
}
