import type { SearchIndex } from '#search/search-index.ts';
import { type StartedEngine, startEngine } from '../engine-readiness.ts';
import { AliasGenerations, aliasOfForm, defaultLayout, type IndexLayout } from './alias-generations.ts';
import { checkElasticsearch, connectCluster, type ElasticsearchAddress } from './connect-elasticsearch.ts';
import { ElasticsearchSearchIndex } from './elasticsearch-search-index.ts';

interface ElasticsearchSettings {
  address: ElasticsearchAddress;
  alias: string;
  /** How to distribute a new index over the nodes; default defaultLayout. */
  layout?: IndexLayout | undefined;
  /** Whether to check it. */
  isUsed?: boolean;
  logLine: (line: string) => void;
  /** Timeout of a search, in milliseconds; default: the time of a request. */
  timeoutMs?: number;
}

export interface ElasticsearchBackend extends StartedEngine {
  index: SearchIndex;
  generations: AliasGenerations;
}

/**
 * If the server is down, logs that and opens anyway: searches are `search_unavailable` until it is up.
 * @throws StartupError if waiting would not help: an invalid URL, key or server.
 */
export async function openElasticsearch({
  address,
  alias,
  layout = defaultLayout,
  isUsed = true,
  logLine,
  timeoutMs,
}: ElasticsearchSettings): Promise<ElasticsearchBackend> {
  const cluster = connectCluster(address, timeoutMs);
  const { client } = cluster;
  const prepare = async () => {
    for (const fault of isUsed ? await checkElasticsearch(address) : [])
      logLine(`${fault}; continuing with the other nodes`);
  };
  const disconnect = () => client.close();
  const engine = await startEngine({ name: 'Elasticsearch', prepare, disconnect, logLine });
  return {
    index: new ElasticsearchSearchIndex(cluster, aliasOfForm(alias)),
    generations: new AliasGenerations(cluster, alias, layout),
    ...engine,
  };
}
