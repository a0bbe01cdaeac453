import { userInfo } from 'node:os';
import type { AliasGenerations } from '#backends/elasticsearch/alias-generations.ts';
import type { ElasticsearchAddress } from '#backends/elasticsearch/connect-elasticsearch.ts';
import type { MongoStore, MongoSyncDeps } from '#backends/mongo/open-mongo.ts';
import type { Stores } from '#backends/stores.ts';
import { isAvailable } from '#backends/with-outage.ts';
import type { ChangeFeed } from '#records/change-feed.ts';
import type { IndexMaintenance } from '#search/indexed/index-maintenance.ts';
import type { SearchIndex } from '#search/search-index.ts';
import type { Config } from '#src/settings/config.ts';

/** Everything needed to keep the index in Elasticsearch in sync with the records in MongoDB. */
export interface SyncDeps extends MongoSyncDeps {
  generations: AliasGenerations;
}

/** The stores and the index behind the ports, for the configured backend. */
export interface Backends extends Stores {
  kind: 'embedded' | 'production';
  index: SearchIndex;
  changeFeed: ChangeFeed;
  /** Request counts shared by several processes; null with a single process. */
  openRequestCounter: MongoStore['openRequestCounter'] | null;
  /** Rebuilds, compares and maintains the embedded index; null in production, where the indexer does that. */
  maintenance: IndexMaintenance | null;
  /** What the sync needs to keep the index up to date; null if the index follows the records by itself. */
  syncDeps: SyncDeps | null;
  /** Resolves when the engines are up and checked. Until then, every call fails with a Problem. */
  whenPrepared(): Promise<void>;
  close(): Promise<void>;
}

export interface ProductionBackends extends Backends {
  kind: 'production';
  syncDeps: SyncDeps;
}

interface ProductionPlace {
  mongoUri: string;
  elasticsearch: ElasticsearchAddress;
  indexAlias: string;
  indexLayout?: Config['indexLayout'] | undefined;
}

/** The settings of the backend. It is the production backend if both engines are named. */
export type BackendSettings = Pick<Config, 'dataDir'> & {
  [Name in keyof ProductionPlace]?: ProductionPlace[Name] | null;
};

export interface BackendOptions {
  logLine: (line: string) => void;
  /** How long to wait for the store, in milliseconds. By default as long as a request may take. */
  timeoutMs: number;
  /** Whether only the stores are used: then Elasticsearch may be down or unknown, as it is not asked. */
  isOnlyStores: boolean;
  /** For an upgrade of MongoDB: whether processes of 1.1 and 1.2 that are connected to the server use other databases. */
  sharesServer: boolean;
  /** Whether to build an index ahead of an upgrade: see MongoSettings. */
  isAhead: boolean;
}

/** How long a command waits for a store that is down. If a primary dies, MongoDB takes twelve seconds to elect another. */
export const jobTimeoutMs = 30_000;

/** Opens the configured backend, and loads the code of only this one, to start faster. Throws an Error that says what to do. */
export async function openBackends(
  settings: BackendSettings,
  options: Partial<BackendOptions> = {},
): Promise<Backends> {
  const { dataDir, mongoUri, elasticsearch, indexAlias, indexLayout } = settings;
  if (mongoUri && elasticsearch && indexAlias) {
    return openProduction({ mongoUri, elasticsearch, indexAlias, indexLayout: indexLayout ?? undefined }, options);
  }
  const { openEmbedded } = await import('#backends/embedded/open-embedded.ts');
  const embedded = openEmbedded(dataDir, { logLine: logToStandardError, ...options });
  const none = { openRequestCounter: null, syncDeps: null, whenPrepared: async () => {} };
  return { kind: 'embedded', ...none, ...embedded };
}

export async function openProduction(
  { mongoUri, elasticsearch, indexAlias, indexLayout }: ProductionPlace,
  { logLine = logToStandardError, isOnlyStores = false, ...timeouts }: Partial<BackendOptions> = {},
): Promise<ProductionBackends> {
  const [{ openMongo }, { openElasticsearch }] = await Promise.all([
    import('#backends/mongo/open-mongo.ts'),
    import('#backends/elasticsearch/open-elasticsearch.ts'),
  ]);
  const store = await openMongo({ uri: mongoUri, logLine, ...timeouts });
  try {
    const place = { address: elasticsearch, alias: indexAlias, layout: indexLayout };
    const engine = await openElasticsearch({ ...place, isUsed: !isOnlyStores, logLine });
    const syncDeps = { ...store.syncDeps, generations: engine.generations };
    return {
      ...store,
      kind: 'production',
      index: engine.index,
      changeFeed: servedFeed(syncDeps),
      syncDeps,
      maintenance: null,
      async whenPrepared() {
        await Promise.all([store.whenPrepared(), engine.whenPrepared()]);
      },
      async close() {
        await Promise.all([store.close(), engine.close()]);
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The feed as callers may read it: not where the sync brings it up with another index than searches use. */
function servedFeed({ feed, generations }: SyncDeps): ChangeFeed {
  return {
    async findPosition() {
      const state = await feed.findState();
      return state !== null && state.index === (await generations.findServed()) ? state : null;
    },
    read: (query) => feed.read(query),
    purge: (before) => feed.purge(before),
  };
}

function logToStandardError(line: string): void {
  console.error(`masthead: ${line}`);
}

/** What searches alone need, or all of the service. */
export type Purpose = 'search' | 'everything';

/** What does not answer now, or keeps the store from being written to; for searches, only the index counts. */
export async function listMissing(
  { index, keys, health }: Pick<Backends, 'index' | 'keys' | 'health'>,
  purpose: Purpose,
): Promise<string[]> {
  const [searchFault, isKeyStoreReady] = await Promise.all([
    index.findFault(),
    purpose === 'search' || isAvailable(() => keys.findByHash('')),
  ]);
  const missing = searchFault === null ? [] : [searchFault];
  if (purpose === 'search') return missing;
  // A store that does not answer takes no write either: one line says it.
  const fault = isKeyStoreReady ? await health.findFault() : null;
  return [...missing, ...(isKeyStoreReady ? [] : ['key store']), ...(fault === null ? [] : [fault])];
}

/** Who runs this process, for the audit log. In a container users may have no name; then the user's number. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
