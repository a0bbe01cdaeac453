import type { RequestCounter } from '#accounts/request-counter.ts';
import type { OpenKeyed } from '#records/keyed-store.ts';
import { startEngine } from '../engine-readiness.ts';
import { openKeyedStores, type Stores } from '../stores.ts';
import {
  checkMongo,
  createMongoClient,
  databaseName,
  explainMongoFault,
  openDatabase,
  primaryAndMajority,
  requestTimeoutMs,
} from './connect-mongo.ts';
import { MongoChangeFeed } from './mongo-change-feed.ts';
import { MongoChangeLog } from './mongo-change-log.ts';
import { MongoDeadLetters } from './mongo-dead-letters.ts';
import { MongoHealth } from './mongo-health.ts';
import { MongoIndexJournal } from './mongo-index-journal.ts';
import { MongoKeyStore } from './mongo-key-store.ts';
import { MongoKeyedStore } from './mongo-keyed-store.ts';
import { MongoMergedIds } from './mongo-merged-ids.ts';
import { MongoOrderStore } from './mongo-order-store.ts';
import { MongoRecordSource } from './mongo-record-source.ts';
import { MongoRecordStore } from './mongo-record-store.ts';
import { MongoRequestCounter } from './mongo-request-counter.ts';
import { MongoSuppressionList } from './mongo-suppression-list.ts';
import { isOnlyVersion } from './other-versions.ts';
import { collectionsOf, prepareCollections } from './prepare-collections.ts';
import { aheadName, upgradeStore, watchForm } from './upgrade-store.ts';

interface MongoSettings {
  uri: string;
  logLine: (line: string) => void;
  /** How long an operation may look for a server, in milliseconds; jobs can wait longer than requests. */
  timeoutMs?: number;
  /** Called while the store is open, once a newer version has upgraded it. By default logs why, and ends the process. */
  onNewer?: (reason: Error) => void;
  /**
   * Whether to build an index for the store of an earlier version that goes on with it: then nothing is upgraded, and what is
   * kept beside the records goes to collections of its own.
   */
  isAhead?: boolean;
  /** For an upgrade: whether processes of 1.1 and 1.2 that are connected to the server use other databases. */
  sharesServer?: boolean;
}

export type MongoStore = Awaited<ReturnType<typeof openMongo>>;

/** What keeps an external index in sync with the records. */
export type MongoSyncDeps = MongoStore['syncDeps'];

/** `store_unavailable` while the server is down; StartupError if waiting cannot help: invalid URI, user or server. */
export async function openMongo({
  uri,
  logLine,
  timeoutMs,
  onNewer,
  isAhead = false,
  sharesServer = false,
}: MongoSettings) {
  const client = createMongoClient(uri, timeoutMs ?? requestTimeoutMs);
  const db = openDatabase(client, uri);
  const collections = collectionsOf(db);
  const open: OpenKeyed = (kind) => new MongoKeyedStore(db, isAhead ? { ...kind, name: aheadName(kind.name) } : kind);
  const keyedStores = openKeyedStores(open);
  const keys = new MongoKeyStore(collections.keys);
  const orders = new MongoOrderStore(client, collections, keys);
  const source = new MongoRecordSource(db, { onlyReads: isAhead });
  const mergedIds = new MongoMergedIds(collections.mergedIds);
  const changes = new MongoChangeLog(client, collections, source.earlier);
  const suppressions = new MongoSuppressionList(collections.suppressions, source, timeoutMs);
  const prepare = async () => {
    try {
      await checkMongo(client);
      if (isAhead) return;
      await upgradeStore(db, { sharesServer });
      await prepareCollections(db);
    } catch (error) {
      throw explainMongoFault(error, client);
    }
  };
  const endWatch = watchForm(db, (reason) => {
    if (onNewer) return onNewer(reason);
    logLine(reason.message);
    process.exit(1);
  });
  const disconnect = () => {
    endWatch();
    return client.close();
  };
  const engine = await startEngine({ name: 'MongoDB', prepare, disconnect, logLine });
  return {
    records: new MongoRecordStore(client, collections.records, { changes, mergedIds, suppressions, source }),
    mergedIds,
    changes,
    keys,
    orders,
    ...keyedStores,
    /** Request counts that several processes share; acknowledged before they are on disk. */
    openRequestCounter: (timeoutMs?: number): RequestCounter =>
      new MongoRequestCounter(
        client.db(databaseName(uri), { ...primaryAndMajority, writeConcern: { w: 1, journal: false } }),
        collections.counts.collectionName,
        timeoutMs,
      ),
    suppressions,
    health: new MongoHealth(db, open),
    syncDeps: {
      source,
      journal: new MongoIndexJournal(open),
      feed: new MongoChangeFeed(collections.changeFeed, collections.mergedIds, open),
      deadLetters: new MongoDeadLetters(isAhead ? db.collection(aheadName('dead_letters')) : collections.deadLetters),
      locks: keyedStores.locks,
      suppressions,
      isOnlyVersion: () => isOnlyVersion(db),
    },
    ...engine,
  } satisfies Stores & Record<string, unknown>;
}
