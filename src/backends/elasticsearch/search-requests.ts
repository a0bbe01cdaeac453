import { createHash } from 'node:crypto';
import type { Client, estypes } from '@elastic/elasticsearch';
import { askAnotherNode } from './ask-another-node.ts';
import type { SearchBody } from './build-query.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { partFault, runOnElasticsearch } from './elasticsearch-faults.ts';
import type { NodeChoice } from './node-pool.ts';
import { type AnsweredDocument, requireWhole, type SearchResponse } from './read-response.ts';

/** Asks the engine for what one caller waits for: whole answers, all of them within two seconds. */
export type Ask = (...bodies: SearchBody[]) => Promise<SearchResponse[]>;

/**
 * Gives `work` a way to ask: several bodies go in one request. All that is asked under one `key` is answered by the same
 * copy of the index, so that pages of one query do not differ by how its copies count words. One request of all that are
 * sent may be sent once more, to another node.
 *
 * Throws Problem `search_unavailable` where the engine cannot answer, or not wholly.
 */
export async function askIndex<Answer>(
  { client, nodes, patienceMs }: Cluster,
  index: string,
  key: unknown,
  work: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  // Not AbortSignal.timeout, which would hold all that belongs to an answered request, then fire, seconds later.
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  // In hexadecimal: what begins with _ means something to Elasticsearch.
  const usual = createHash('sha1').update(JSON.stringify(key)).digest('hex');
  const retry = { isLeft: true };
  try {
    const ask: Ask = (...bodies) =>
      askAnotherNode(nodes, retry, (choice) => {
        const preference = nodes.preferenceFor(usual);
        return send(client, { index, preference, bodies, options: { signal: patience.signal, context: choice } });
      });
    return await runOnElasticsearch(() => work(ask));
  } finally {
    clearTimeout(timer);
    // What another node answered first is no longer waited for.
    if (!retry.isLeft) patience.abort();
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
