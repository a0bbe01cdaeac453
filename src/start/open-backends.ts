import type { ElasticsearchAddress } from '#backends/elasticsearch/connect-elasticsearch.ts';
import type { CountsPlace } from '#backends/mongo/open-mongo.ts';
import { showControls } from '#domain/show-controls.ts';
import type { AuditLog } from '#ports/audit-log.ts';
import type { IndexUpkeep } from '#ports/index-upkeep.ts';
import type { KeyStore } from '#ports/key-store.ts';
import type { OrderStore } from '#ports/order-store.ts';
import type { PepperRecord } from '#ports/pepper-record.ts';
import type { PushLog } from '#ports/push-log.ts';
import type { RecordStore } from '#ports/record-store.ts';
import type { SearchIndex } from '#ports/search-index.ts';
import type { SuppressionList } from '#ports/suppression-list.ts';
import type { WorkSlots } from '#ports/work-slots.ts';
import type { Config } from '#src/settings/config.ts';

/** The stores and the index behind the ports, for the configured backend. */
export interface Backends {
  kind: 'embedded' | 'production';
  records: RecordStore;
  index: SearchIndex;
  keys: KeyStore;
  orders: OrderStore;
  /** Which pepper made the keys and orders. */
  pepper: PepperRecord;
  audit: AuditLog;
  /** Request counts shared by several processes; null with a single process. */
  counts: CountsPlace | null;
  pushes: PushLog;
  /** Limits concurrent work per key, over all processes. */
  slots: WorkSlots;
  suppressions: SuppressionList;
  /** What keeps the search index in sync with the records. */
  upkeep: IndexUpkeep;
  /** Resolves when the engines are up and have been checked; until then every call answers that they are not. */
  whenPrepared(): Promise<void>;
  close(): Promise<void>;
}

/** The backend settings: production if both engines are named. */
export type BackendSettings = Pick<Config, 'dataDir'> & Partial<ProductionSettings>;

type ProductionSettings = Pick<Config, 'mongoUri' | 'indexAlias' | 'indexLayout'> & {
  elasticsearch: ElasticsearchAddress | null;
};

export interface BackendOptions {
  /** Receives one line for the operator, such as that an engine is down; default: standard error. */
  say: (line: string) => void;
  /** How long to wait for the store, in milliseconds; default: the time of a request. */
  patienceMs: number;
}

/**
 * How long a job of data staff waits for a store that is down, such as during an election, which takes twelve seconds
 * if the primary dies.
 */
export const jobPatienceMs = 30_000;

/**
 * Opens the configured backend. Loads only its own clients: those of the engines take a third of a second.
 *
 * @throws Error whose message is one line that says what is wrong and what to do.
 */
export async function openBackends(
  settings: BackendSettings,
  options: Partial<BackendOptions> = {},
): Promise<Backends> {
  const { dataDir, mongoUri, elasticsearch, indexAlias, indexLayout } = settings;
  const { say = (line) => console.error(`masthead: ${showControls(line)}`), ...patience } = options;
  if (!mongoUri || !elasticsearch || indexAlias === undefined) {
    const { openEmbedded } = await import('#backends/embedded/open-embedded.ts');
    const whenPrepared = async () => {};
    return { kind: 'embedded', counts: null, whenPrepared, ...openEmbedded({ dataDir, say }) };
  }
  const [{ openMongo }, { openElasticsearch }] = await Promise.all([
    import('#backends/mongo/open-mongo.ts'),
    import('#backends/elasticsearch/open-elasticsearch.ts'),
  ]);
  const store = await openMongo({ uri: mongoUri, say, ...patience });
  try {
    const engine = await openElasticsearch({
      address: elasticsearch,
      alias: indexAlias,
      layout: indexLayout,
      readingForm: store.readingForm,
      say,
    });
    return {
      ...store,
      kind: 'production',
      index: engine.index,
      upkeep: { ...store.upkeep, generations: engine.generations },
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
