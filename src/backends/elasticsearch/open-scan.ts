import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { MediaRecord } from '#records/media-record.ts';
import type { RecordScan, ScanOptions } from '#search/search-index.ts';
import { type SearchQuery, withWholeText } from '#search/search-query.ts';
import { buildCondition } from './build-condition.ts';
import { buildCount } from './build-counts.ts';
import { chooseQuery } from './choose-query.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { runOnElasticsearch } from './elasticsearch-faults.ts';
import type { KnownTerms } from './known-terms.ts';
import type { Clause } from './render-text-query.ts';
import { buildScan, type SearchBody } from './search-body.ts';
import { type AnsweredDocument, readRecords, readTotal, requireWhole, type SearchResponse } from './search-requests.ts';

/** Records per batch: 1,000 are a tenth faster but take 20 MB more (decisions/0001). */
const batchSize = 500;
/** How long the engine keeps an unused point in time, even if this process was killed. No reader takes longer for a batch. */
const keepAlive = '30m';
/** Timeouts in milliseconds: to open a point in time, which reads nothing, and for one step of a scan. */
const openTimeoutMs = 3_000;
const batchTimeoutMs = 30_000;

/** Scans all records of a query at one point in time. Another node is tried if one is silent when it opens. */
export async function openScan(
  { client }: Cluster,
  index: string,
  query: SearchQuery,
  options: ScanOptions,
  knownTerms: KnownTerms,
): Promise<RecordScan> {
  return runOnElasticsearch(async () => {
    const moment = await Moment.open(client, index);
    try {
      return await beginScan(moment, query, options, knownTerms);
    } catch (error) {
      await moment.close();
      throw error;
    }
  });
}

/** Scans all records that meet a condition at one point in time, as often as wanted until it is closed. */
export async function scanRecords(
  { client }: Cluster,
  index: string,
  condition: Clause,
): Promise<Omit<RecordScan, 'total'>> {
  return runOnElasticsearch(async () => {
    const moment = await Moment.open(client, index);
    const body = buildScan(condition, batchSize);
    const close = () => moment.close();
    const scanAgain = async function* () {
      yield* readAll(moment, { body, first: await moment.search(body), onEnd: async () => {} });
    };
    return { close, [Symbol.asyncIterator]: scanAgain };
  });
}

async function beginScan(
  moment: Moment,
  searchQuery: SearchQuery,
  options: ScanOptions,
  knownTerms: KnownTerms,
): Promise<RecordScan> {
  const wholeQuery = withWholeText(searchQuery);
  const ask = (...bodies: SearchBody[]) => Promise.all(bodies.map((body) => moment.search(body)));
  const { query, answers } = await chooseQuery(ask, wholeQuery, (tried) => [buildCount(tried, wholeQuery.filters)], {
    known: knownTerms,
  });
  const body = buildScan(buildCondition(query, wholeQuery.filters), batchSize);
  const first = await moment.search(body);
  const close = () => moment.close();
  const onEnd = options.isKept ? async () => {} : close;
  return { total: readTotal(answers[0]), close, [Symbol.asyncIterator]: () => readAll(moment, { body, first, onEnd }) };
}

async function* readAll(
  moment: Moment,
  { body, first, onEnd }: { body: SearchBody; first: SearchResponse; onEnd: () => Promise<void> },
): AsyncGenerator<readonly MediaRecord[]> {
  let next = Promise.resolve(first);
  try {
    for (;;) {
      const answer = await runOnElasticsearch(() => next);
      const sort = answer.hits.hits.at(-1)?.sort;
      if (sort === undefined) return;
      next = readAhead(moment, { ...body, search_after: sort });
      // Lets the next request go out before this batch is processed.
      await nextTurn();
      yield readRecords(answer);
    }
  } finally {
    await next.catch(() => {});
    await onEnd();
  }
}

/** Requests the next batch. Awaiting it throws its error. */
function readAhead(moment: Moment, body: SearchBody): Promise<SearchResponse> {
  const answer = moment.search(body);
  answer.catch(() => {});
  return answer;
}

class Moment {
  readonly #client: Client;
  #id: string;

  private constructor(client: Client, id: string) {
    this.#client = client;
    this.#id = id;
  }

  static async open(client: Client, index: string): Promise<Moment> {
    const { id } = await client.openPointInTime(
      { index, keep_alive: keepAlive, allow_partial_search_results: false },
      { requestTimeout: openTimeoutMs },
    );
    return new Moment(client, id);
  }

  async search(body: SearchBody): Promise<SearchResponse> {
    const request: estypes.SearchRequest = { ...body, pit: { id: this.#id, keep_alive: keepAlive } };
    delete request.timeout;
    const answer = await this.#client.search<AnsweredDocument>(
      { ...request, allow_partial_search_results: false },
      { requestTimeout: batchTimeoutMs },
    );
    this.#id = answer.pit_id ?? this.#id;
    return requireWhole(answer);
  }

  /** A point in time that expired, or cannot be closed, ends by itself. */
  async close(): Promise<void> {
    const options = { ignore: [404], requestTimeout: batchTimeoutMs };
    await this.#client.closePointInTime({ id: this.#id }, options).catch(() => {});
  }
}
