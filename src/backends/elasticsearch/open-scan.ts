import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { MediaRecord } from '#domain/media-record.ts';
import type { SearchQuery } from '#domain/search/search-query.ts';
import type { RecordScan } from '#ports/search-index.ts';
import { answerInForm } from './answer-in-form.ts';
import { askAnotherNode } from './ask-another-node.ts';
import { buildCondition, buildCount, buildScan, type SearchBody } from './build-query.ts';
import { type Cluster, sentOnce } from './connect-elasticsearch.ts';
import { runOnElasticsearch } from './elasticsearch-faults.ts';
import type { NodeChoice } from './node-pool.ts';
import { type AnsweredDocument, readRecords, readTotal, requireWhole, type SearchResponse } from './read-response.ts';

/** Records in a batch: 1,000 are a tenth faster, and take 20 MB more (decisions/0104). */
const batchSize = 500;
/** How long the engine keeps the moment unasked: so long, too, where this process is killed. */
const keepAlive = '2m';
/** Readers may take longer than that over one batch, so the engine is asked to go on keeping it. */
const remindEveryMs = 45_000;
/** How long one step of a scan may take, in milliseconds. */
const batchPatienceMs = 30_000;

/**
 * Opens a point in time, in which a query's form is chosen, its records are counted, and then read batch by batch. All
 * up to the first batch is done once more where a node is lost meanwhile; later batches can come only from the copies of
 * the index that the point in time is of.
 */
export async function openScan(cluster: Cluster, index: string, query: SearchQuery): Promise<RecordScan> {
  const { nodes, client } = cluster;
  const patience = new AbortController();
  const begin = (context: NodeChoice) =>
    beginScan(() => Moment.open(client, index, nodes.preferenceFor(), { context, signal: patience.signal }), query);
  try {
    return await runOnElasticsearch(() => askAnotherNode(nodes, { isLeft: true }, begin, (unused) => unused.close()));
  } finally {
    // What another node did first is no longer waited for.
    patience.abort();
  }
}

async function beginScan(openMoment: () => Promise<Moment>, { text, filters }: SearchQuery): Promise<RecordScan> {
  const moment = await openMoment();
  try {
    const ask = (...bodies: SearchBody[]) => Promise.all(bodies.map((body) => moment.search(body)));
    const { form, answers } = await answerInForm(ask, text, filters, (tried) => [buildCount(tried, filters)]);
    const body = buildScan(buildCondition(form, filters), batchSize);
    const first = await moment.search(body);
    return {
      total: readTotal(answers[0]).value,
      close: () => moment.close(),
      [Symbol.asyncIterator]: () => readAll(moment, body, first),
    };
  } catch (error) {
    await moment.close();
    throw error;
  }
}

async function* readAll(
  moment: Moment,
  body: SearchBody,
  first: SearchResponse,
): AsyncGenerator<readonly MediaRecord[]> {
  let next = Promise.resolve(first);
  try {
    for (;;) {
      const answer = await runOnElasticsearch(() => next);
      const sort = answer.hits.hits.at(-1)?.sort;
      if (sort === undefined) return;
      next = readAhead(moment, { ...body, search_after: sort });
      // The request leaves before this batch is worked on.
      await nextTurn();
      yield readRecords(answer);
    }
  } finally {
    await next.catch(() => {});
    await moment.close();
  }
}

/** Who reads it meets its failure. */
function readAhead(moment: Moment, body: SearchBody): Promise<SearchResponse> {
  const answer = moment.search(body);
  answer.catch(() => {});
  return answer;
}

/** A point in time of the index. */
class Moment {
  readonly #client: Client;
  readonly #reminders: NodeJS.Timeout;
  #id: string;

  private constructor(client: Client, id: string) {
    this.#client = client;
    this.#id = id;
    this.#reminders = setInterval(() => this.search({ size: 0 }).catch(() => {}), remindEveryMs).unref();
  }

  static async open(
    client: Client,
    index: string,
    preference: string | undefined,
    options: { context: NodeChoice; signal: AbortSignal },
  ): Promise<Moment> {
    const { id } = await client.openPointInTime(
      { index, keep_alive: keepAlive, allow_partial_search_results: false, ...(preference && { preference }) },
      { requestTimeout: batchPatienceMs, ...options, ...sentOnce },
    );
    return new Moment(client, id);
  }

  async search(body: SearchBody): Promise<SearchResponse> {
    const request: estypes.SearchRequest = { ...body, pit: { id: this.#id, keep_alive: keepAlive } };
    delete request.timeout;
    const answer = await this.#client.search<AnsweredDocument>(
      { ...request, allow_partial_search_results: false },
      { requestTimeout: batchPatienceMs },
    );
    this.#id = answer.pit_id ?? this.#id;
    return requireWhole(answer);
  }

  /** One that the engine has ended by itself, or that it cannot be told of, holds nothing for longer than its time. */
  async close(): Promise<void> {
    clearInterval(this.#reminders);
    const patience = { ignore: [404], requestTimeout: batchPatienceMs };
    await this.#client.closePointInTime({ id: this.#id }, patience).catch(() => {});
  }
}
