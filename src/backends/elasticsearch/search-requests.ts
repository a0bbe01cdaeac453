import { createHash } from 'node:crypto';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { SearchBody } from './build-query.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { isFaultOfNode, partFault, runOnElasticsearch } from './elasticsearch-faults.ts';
import { type AnsweredDocument, requireWhole, type SearchResponse } from './read-response.ts';

/** How often what a caller waits for may be asked again of another node; the time is divided among the tries. */
const maxRepeats = 2;
/** Within this, Elasticsearch notices a node that hangs, in milliseconds; until then requests wait for it again and again. */
const unnoticedMs = 40_000;

/** Asks the engine for what one caller waits for: complete answers, all within two seconds. */
export type Ask = (...bodies: SearchBody[]) => Promise<SearchResponse[]>;

/**
 * Gives `work` a function that sends several bodies in one request. Everything asked with one `key` is answered by the
 * same copy of the index, so pages of one query do not differ in how copies count words. What a node does not answer in
 * its part of the time is sent to another. What hangs may also be a copy that the node asked, so for a while Elasticsearch
 * chooses the copies, and takes those that answer fastest (decisions/0063).
 *
 * Throws Problem `search_unavailable` if the engine cannot answer completely.
 */
export async function withSearchRequests<Answer>(
  cluster: Cluster,
  index: string,
  key: unknown,
  work: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  const endsAt = performance.now() + cluster.timeoutMs;
  const leftMs = () => Math.max(1, endsAt - performance.now());
  // In hexadecimal, because a leading _ has a meaning for Elasticsearch.
  const keyHash = createHash('sha1').update(JSON.stringify(key)).digest('hex');
  let repeats = maxRepeats;
  const ask: Ask = async (...bodies) => {
    for (;;) {
      const preference = performance.now() < cluster.unsureUntil ? undefined : keyHash;
      const timeoutMs = leftMs() / (cluster.hasOthers ? repeats + 1 : 1);
      try {
        return await send(cluster.client, { index, preference, bodies, timeoutMs });
      } catch (error) {
        if (repeats === 0 || !isFaultOfNode(error) || performance.now() > endsAt) throw error;
        repeats -= 1;
        cluster.unsureUntil = performance.now() + unnoticedMs;
      }
    }
  };
  return runOnElasticsearch(() => work(ask));
}

interface Request {
  index: string;
  preference: string | undefined;
  bodies: readonly SearchBody[];
  timeoutMs: number;
}

async function send(client: Client, { index, preference, bodies, timeoutMs }: Request): Promise<SearchResponse[]> {
  const options = { requestTimeout: timeoutMs, maxRetries: 0 };
  const target = { index, ...(preference && { preference }), allow_partial_search_results: false };
  const [only] = bodies;
  if (only !== undefined && bodies.length === 1) {
    const answer = await client.search<AnsweredDocument>({ ...target, ...only }, options);
    return [requireWhole(answer)];
  }
  const searches = bodies.flatMap((body) => [target, body]) as estypes.MsearchRequestItem[];
  const { responses } = await client.msearch<AnsweredDocument>({ searches }, options);
  return responses.map((answer) => {
    if (!('error' in answer)) return requireWhole(answer);
    throw partFault(answer.status ?? 500, answer.error.type ?? 'without a type');
  });
}
