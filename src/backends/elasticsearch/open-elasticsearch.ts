import { EngineReadiness } from '#backends/engine-readiness.ts';
import type { IndexGenerations } from '#ports/index-generations.ts';
import type { SearchIndex } from '#ports/search-index.ts';
import { AliasGenerations } from './alias-generations.ts';
import { checkElasticsearch, createElasticsearchClient, type ElasticsearchAddress } from './connect-elasticsearch.ts';
import { ElasticsearchSearchIndex } from './elasticsearch-search-index.ts';

export interface ElasticsearchSettings extends ElasticsearchAddress {
  /** The alias that searches read. */
  alias: string;
  /** Takes one plain line: that the server is waited for, or is ready. */
  say: (line: string) => void;
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
  alias,
  say,
  ...address
}: ElasticsearchSettings): Promise<ElasticsearchBackend> {
  const client = createElasticsearchClient(address);
  const prepare = () => checkElasticsearch(client, address);
  let readiness: EngineReadiness;
  try {
    readiness = await EngineReadiness.start({ name: 'Elasticsearch', prepare, say });
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    index: new ElasticsearchSearchIndex(client, alias),
    generations: new AliasGenerations(client, alias),
    whenPrepared: () => readiness.whenReady(),
    async close() {
      await readiness.close();
      await client.close();
    },
  };
}
