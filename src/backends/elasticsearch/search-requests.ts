import { createHash } from 'node:crypto';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { SearchBody } from './build-query.ts';
import { requestPatienceMs } from './connect-elasticsearch.ts';
import { askElasticsearch } from './elasticsearch-faults.ts';
import { type AnsweredDocument, requireWhole, type SearchResponse, UnusableAnswer } from './read-response.ts';

/** Asks the engine for what one caller waits for: whole answers, all of them within two seconds. */
export type Ask = (...bodies: SearchBody[]) => Promise<SearchResponse[]>;

/**
 * Gives `work` a way to ask: several bodies go in one request. All that is asked under one `key` is answered by the same
 * copy of the index, so that pages of one query do not differ by how its copies count words.
 *
 * Throws Problem `search_unavailable` for any fault of the engine and for any answer that is not whole.
 */
export async function askIndex<Answer>(
  client: Client,
  index: string,
  key: unknown,
  work: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  // Not AbortSignal.timeout, which would hold all that belongs to an answered request, then fire, seconds later.
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), requestPatienceMs);
  // In hexadecimal: what begins with _ means something to Elasticsearch.
  const preference = createHash('sha1').update(JSON.stringify(key)).digest('hex');
  try {
    const ask: Ask = (...bodies) => send(client, { index, preference, bodies, signal: patience.signal });
    return await askElasticsearch(() => work(ask));
  } finally {
    clearTimeout(timer);
  }
}

interface Request {
  index: string;
  preference: string;
  bodies: readonly SearchBody[];
  signal: AbortSignal;
}

async function send(client: Client, { index, preference, bodies, signal }: Request): Promise<SearchResponse[]> {
  const target = { index, preference, allow_partial_search_results: false };
  const [only] = bodies;
  if (only !== undefined && bodies.length === 1) {
    const answer = await client.search<AnsweredDocument>({ ...target, ...only }, { signal });
    return [requireWhole(answer)];
  }
  const searches = bodies.flatMap((body) => [target, body]) as estypes.MsearchRequestItem[];
  const { responses } = await client.msearch<AnsweredDocument>({ searches }, { signal });
  return responses.map((answer) => {
    if ('error' in answer) throw new UnusableAnswer(`${answer.status} ${answer.error.type}`);
    return requireWhole(answer);
  });
}
