import { EngineReadiness } from '#backends/engine-readiness.ts';
import { once } from '#domain/once.ts';
import type { IndexGenerations } from '#ports/index-generations.ts';
import type { SearchIndex } from '#ports/search-index.ts';
import { AliasGenerations, type IndexLayout, usualLayout } from './alias-generations.ts';
import { checkElasticsearch, connectCluster, type ElasticsearchAddress } from './connect-elasticsearch.ts';
import { ElasticsearchSearchIndex } from './elasticsearch-search-index.ts';
import { indexForm } from './index-form.ts';

export interface ElasticsearchSettings {
  address: ElasticsearchAddress;
  /** The alias that searches read. */
  alias: string;
  /** How a new index is spread over the nodes; usualLayout unless given. */
  layout?: IndexLayout | undefined;
  /** Another for each way in which records are read from the store. */
  readingForm: () => string;
  /** Takes one plain line: that the server is waited for, or is ready. */
  say: (line: string) => void;
  /** How long a search may take, in milliseconds: as long as a request has, unless given. */
  patienceMs?: number;
}

export interface ElasticsearchBackend {
  index: SearchIndex;
  generations: IndexGenerations;
  /** Resolves when the server is there and was checked. */
  whenPrepared(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the search index in Elasticsearch. Where the server is down it says so and opens all the same: searches are
 * then `search_unavailable` until it is there.
 *
 * @throws StartupError when waiting would not help: a URL, key or server that will not do.
 */
export async function openElasticsearch({
  address,
  alias,
  layout = usualLayout,
  readingForm,
  say,
  patienceMs,
}: ElasticsearchSettings): Promise<ElasticsearchBackend> {
  const cluster = connectCluster(address, patienceMs);
  const { client, nodes } = cluster;
  nodes.say = say;
  const prepare = async () => {
    for (const fault of await checkElasticsearch(cluster, address)) say(`${fault}; continuing with the other nodes`);
  };
  let readiness: EngineReadiness;
  try {
    readiness = await EngineReadiness.start({ name: 'Elasticsearch', prepare, say });
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    index: new ElasticsearchSearchIndex(cluster, alias),
    generations: new AliasGenerations(client, alias, { layout, form: once(() => indexForm(readingForm())) }),
    whenPrepared: () => readiness.whenReady(),
    async close() {
      await readiness.close();
      await client.close();
    },
  };
}
