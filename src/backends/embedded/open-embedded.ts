import type { DatabaseSync } from 'node:sqlite';
import type { ChangeFeed } from '#records/change-feed.ts';
import type { OpenKeyed } from '#records/keyed-store.ts';
import type { IndexMaintenance } from '#search/indexed/index-maintenance.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { openKeyedStores, type Stores } from '../stores.ts';
import { connect, databasePath } from './database.ts';
import { EmbeddedIndex } from './embedded-index.ts';
import { WorkerSearchIndex } from './search/worker-search-index.ts';
import { SqliteHealth } from './sqlite-health.ts';
import { SqliteChangeFeed } from './store/sqlite-change-feed.ts';
import { SqliteChangeLog } from './store/sqlite-change-log.ts';
import { SqliteKeyStore } from './store/sqlite-key-store.ts';
import { SqliteKeyedStore } from './store/sqlite-keyed-store.ts';
import { SqliteMergedIds } from './store/sqlite-merged-ids.ts';
import { SqliteOrderStore } from './store/sqlite-order-store.ts';
import { SqliteRecordStore } from './store/sqlite-record-store.ts';
import { SqliteSuppressionList } from './store/sqlite-suppression-list.ts';
import { isUpToDate, makeStore, readForm, upgradeStore } from './store/upgrade-store.ts';

export interface EmbeddedStore extends Stores {
  index: SearchIndex;
  maintenance: IndexMaintenance;
  changeFeed: ChangeFeed;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  logLine?: (line: string) => void;
  /** How long to wait for another process that writes, in milliseconds. By default as long as a request may take. */
  timeoutMs?: number | undefined;
}

/**
 * Creates the SQLite store in `dataDir` if there is none, and upgrades an earlier one, which `logLine` says before. Throws an Error
 * with what to do if it cannot.
 */
export function openEmbedded(dataDir: string, options: EmbeddedOptions = {}): EmbeddedStore {
  const database = openDatabase(dataDir, options);
  const open: OpenKeyed = (kind) => new SqliteKeyedStore(database, kind);
  const keyedStores = openKeyedStores(open);
  const suppressions = new SqliteSuppressionList(database);
  const index = new WorkerSearchIndex(databasePath(dataDir));
  const records = new SqliteRecordStore(database);
  return {
    records,
    changes: new SqliteChangeLog(database),
    changeFeed: new SqliteChangeFeed(database),
    mergedIds: new SqliteMergedIds(database),
    index,
    keys: new SqliteKeyStore(database),
    orders: new SqliteOrderStore(database),
    ...keyedStores,
    suppressions,
    health: new SqliteHealth(dataDir),
    maintenance: new EmbeddedIndex(database, suppressions, keyedStores.locks),
    async close() {
      await index.close();
      await records.close();
      database.close();
    },
  };
}

function openDatabase(dataDir: string, { logLine = () => {}, timeoutMs }: EmbeddedOptions): DatabaseSync {
  const database = connect(dataDir, timeoutMs);
  try {
    if (readForm(database) === 0) makeStore(database);
    if (isUpToDate(database)) return database;
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  logLine(
    `Upgrading the store in ${dataDir}, which takes some minutes for a million records. Nothing is served meanwhile.`,
  );
  upgradeStore(databasePath(dataDir));
  return connect(dataDir, timeoutMs);
}
