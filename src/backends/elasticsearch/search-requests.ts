import { createHash } from 'node:crypto';
import type { Client, estypes } from '@elastic/elasticsearch';
import { askAnotherNode } from './ask-another-node.ts';
import type { SearchBody } from './build-query.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { partFault, runOnElasticsearch } from './elasticsearch-faults.ts';
import type { NodeChoice } from './node-pool.ts';
import { type AnsweredDocument, requireWhole, type SearchResponse } from './read-response.ts';

/** Asks the engine for what one caller waits for: complete answers, all within two seconds. */
export type Ask = (...bodies: SearchBody[]) => Promise<SearchResponse[]>;

/**
 * Gives `work` a function that sends several bodies in one request. Everything asked with one `key` is answered by the
 * same copy of the index, so pages of one query do not differ in how copies count words. One of the requests may be
 * sent once more, to another node.
 *
 * Throws Problem `search_unavailable` if the engine cannot answer completely.
 */
export async function withSearchRequests<Answer>(
  { client, nodes, timeoutMs }: Cluster,
  index: string,
  key: unknown,
  work: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  // Not AbortSignal.timeout, which keeps everything of an answered request alive and then fires seconds later.
  const aborter = new AbortController();
  const timer = setTimeout(() => aborter.abort(), timeoutMs);
  // In hexadecimal, because a leading _ has a meaning for Elasticsearch.
  const keyHash = createHash('sha1').update(JSON.stringify(key)).digest('hex');
  const retry = { isLeft: true };
  try {
    const ask: Ask = (...bodies) =>
      askAnotherNode(nodes, retry, (choice) => {
        const preference = nodes.preferenceFor(keyHash);
        return send(client, { index, preference, bodies, options: { signal: aborter.signal, context: choice } });
      });
    return await runOnElasticsearch(() => work(ask));
  } finally {
    clearTimeout(timer);
    // The other node was faster; this answer is no longer needed.
    if (!retry.isLeft) aborter.abort();
  }
}

interface Request {
  index: string;
  preference: string | undefined;
  bodies: readonly SearchBody[];
  options: { signal: AbortSignal; context: NodeChoice };
}

async function send(client: Client, { index, preference, bodies, options }: Request): Promise<SearchResponse[]> {
  const target = { index, ...(preference && { preference }), allow_partial_search_results: false };
  const [only] = bodies;
  if (only !== undefined && bodies.length === 1) {
    const answer = await client.search<AnsweredDocument>({ ...target, ...only }, { ...options, maxRetries: 0 });
    return [requireWhole(answer)];
  }
  const searches = bodies.flatMap((body) => [target, body]) as estypes.MsearchRequestItem[];
  const { responses } = await client.msearch<AnsweredDocument>({ searches }, { ...options, maxRetries: 0 });
  return responses.map((answer) => {
    if (!('error' in answer)) return requireWhole(answer);
    throw partFault(answer.status ?? 500, answer.error.type ?? 'without a type');
  });
}
