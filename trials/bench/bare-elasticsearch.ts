import type { Client } from '@elastic/elasticsearch';
import { Pool } from 'undici';
import type { SearchBody } from '../../src/backends/elasticsearch/build-query.ts';
import { connectCluster } from '../../src/backends/elasticsearch/connect-elasticsearch.ts';
import { ElasticsearchSearchIndex } from '../../src/backends/elasticsearch/elasticsearch-search-index.ts';
import { foldedWords } from '../../src/text/fold.ts';
import multiMatch from './baselines/multi-match.json' with { type: 'json' };
import type { Call } from './measure.ts';
import type { BareEngine } from './search.ts';
import { type Question, toPage, toSearchQuery } from './search-questions.ts';

const maxConnections = 64;

export interface BareElasticsearch extends BareEngine {
  /** The committed baseline instead of the product's query: one multi_match over three fields. */
  baseline(question: Question): Call;
  /** The requests that the product makes for its facets, in their last form. */
  prepareFacets(question: Question): Promise<Call>;
  /** Sends one search body. */
  post(body: object): Call;
  /** Clears the engine's request cache. */
  forget(): Promise<void>;
}

/**
 * Elasticsearch without the product: for each question the requests that answer it whole, with the exact total, as the
 * product's own search index words them (without those that only choose the query); sent on kept connections, one after
 * the other, their answers read and not parsed.
 *
 * @param through where the requests that are timed are sent, if not straight to the engine
 */
export function openBareElasticsearch(url: string, alias: string, through = url): BareElasticsearch {
  const pool = new Pool(through, { connections: maxConnections, pipelining: 1 });
  const cluster = connectCluster({ nodes: [url] });
  const { client } = cluster;
  const recorded = recordBodies(client);
  const index = new ElasticsearchSearchIndex(cluster, alias);
  const calls = new Map<string, Call>();

  const send = (path: string, body: string, type: string): Call => {
    return async () => {
      const answer = await pool.request({ method: 'POST', path, body, headers: { 'content-type': type } });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${path} gave ${answer.statusCode}: ${text.slice(0, 500)}`);
    };
  };
  const post = (body: object) => send(`/${alias}/_search`, JSON.stringify(body), 'application/json');
  const postAll = (bodies: readonly object[]): Call => {
    const [only] = bodies;
    if (bodies.length === 1 && only !== undefined) return post(only);
    const lines = bodies.flatMap((body) => ['{}', JSON.stringify(body)]);
    return send(`/${alias}/_msearch`, `${lines.join('\n')}\n`, 'application/x-ndjson');
  };
  const remembered = async (key: string, make: () => Promise<Call>): Promise<Call> => {
    const call = calls.get(key) ?? (await make());
    calls.set(key, call);
    return call;
  };

  return {
    name: 'Elasticsearch',
    prepare: (question) =>
      remembered(JSON.stringify(question), async () => {
        recorded.length = 0;
        await index.search(toSearchQuery(question), toPage(question), 'masked');
        const calls = answering(recorded).map(postAll);
        if (calls.length === 0) throw new Error('the search index asked for no page');
        return async () => {
          for (const call of calls) await call();
        };
      }),
    prepareFacets: (question) =>
      remembered(`facets of ${JSON.stringify(question)}`, async () => {
        recorded.length = 0;
        await index.countFacets(toSearchQuery(question));
        const bodies = recorded.at(-1)?.filter(({ aggs }) => aggs !== undefined) ?? [];
        return postAll(bodies);
      }),
    baseline({ q, page, perPage }) {
      const query = { multi_match: { ...multiMatch.query.multi_match, query: foldedWords(q ?? '').join(' ') } };
      return post({ ...multiMatch, query, from: (page - 1) * perPage, size: perPage });
    },
    post,
    async forget() {
      await client.indices.clearCache({ index: alias, request: true });
    },
    async close() {
      await client.close();
      await pool.close();
    },
  };
}

/** The requests of the query that was chosen: from the one that tells its total, without probes of the choice. */
function answering(requests: readonly SearchBody[][]): SearchBody[][] {
  const isProbe = ({ size, track_total_hits: total }: SearchBody) => size === 0 && typeof total === 'number';
  const telling = requests.findLastIndex((bodies) => bodies.some(({ track_total_hits: total }) => total === true));
  return requests.slice(Math.max(0, telling)).map((bodies) => bodies.filter((body) => !isProbe(body)));
}

/** Records, from now on, the bodies of each request that the client sends, grouped as sent. */
function recordBodies(client: Client): SearchBody[][] {
  const recorded: SearchBody[][] = [];
  const search = client.search.bind(client);
  const msearch = client.msearch.bind(client);
  client.search = ((parameters: Record<string, unknown>, options: object) => {
    const { index, preference, allow_partial_search_results, ...body } = parameters;
    recorded.push([body as SearchBody]);
    return search(parameters, options);
  }) as typeof client.search;
  client.msearch = ((parameters: { searches: SearchBody[] }, options: object) => {
    recorded.push(parameters.searches.filter((_, place) => place % 2 === 1));
    return msearch(parameters, options);
  }) as typeof client.msearch;
  return recorded;
}
