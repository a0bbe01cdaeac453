import type { Db } from 'mongodb';
import { EngineReadiness } from '#backends/engine-readiness.ts';
import type { AuditLog } from '#ports/audit-log.ts';
import type { KeyStore } from '#ports/key-store.ts';
import type { OrderStore } from '#ports/order-store.ts';
import type { PushLog } from '#ports/push-log.ts';
import type { RecordStore } from '#ports/record-store.ts';
import type { SuppressionList } from '#ports/suppression-list.ts';
import { checkMongo, createMongoClient, databaseName, explainMongoFault, requestPatienceMs } from './connect-mongo.ts';
import { MongoAuditLog } from './mongo-audit-log.ts';
import { MongoKeyStore } from './mongo-key-store.ts';
import { MongoOrderStore } from './mongo-order-store.ts';
import { MongoPushLog } from './mongo-push-log.ts';
import { MongoRecordStore, type ReportUnreadable } from './mongo-record-store.ts';
import { MongoSuppressionList } from './mongo-suppression-list.ts';
import { auditLogOf, keysOf, prepareCollections, pushesOf, recordsOf, suppressionsOf } from './prepare-collections.ts';

export interface MongoSettings {
  uri: string;
  /** Takes one plain line: that the server is waited for, or is ready. */
  say: (line: string) => void;
  /** Takes each document that is no record, as a scan passes it over. */
  reportUnreadable: ReportUnreadable;
  /** How long an operation may look for a server, in milliseconds; jobs can wait longer than requests. */
  patienceMs?: number;
}

export interface MongoStore {
  records: RecordStore;
  keys: KeyStore;
  orders: OrderStore;
  audit: AuditLog;
  pushes: PushLog;
  suppressions: SuppressionList;
  /** Where request counts are kept that several processes share; acknowledged before they are on disk. */
  counts: Db;
  /** Whether the server was there, was checked, and its collections are prepared. */
  isPrepared(): boolean;
  /** Resolves when it is prepared. */
  whenPrepared(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the store in MongoDB. Where the server is down it says so and opens all the same: the store then answers
 * `store_unavailable` until the server is there.
 *
 * @throws StartupError when waiting would not help: a URI, user or server that will not do.
 */
export async function openMongo({ uri, say, reportUnreadable, patienceMs }: MongoSettings): Promise<MongoStore> {
  const client = createMongoClient(uri, patienceMs ?? requestPatienceMs);
  const db = client.db(databaseName(uri));
  const keys = new MongoKeyStore(keysOf(db));
  const orders = new MongoOrderStore(db, keysOf(db), keys);
  const prepare = async () => {
    try {
      await checkMongo(client);
      await prepareCollections(db);
      await orders.settleAll();
    } catch (error) {
      throw await explainMongoFault(error, client);
    }
  };
  let readiness: EngineReadiness;
  try {
    readiness = await EngineReadiness.start({ name: 'MongoDB', prepare, say });
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    records: new MongoRecordStore(client, recordsOf(db), reportUnreadable),
    keys,
    orders,
    audit: new MongoAuditLog(auditLogOf(db)),
    counts: client.db(databaseName(uri), { writeConcern: { w: 1, journal: false } }),
    pushes: new MongoPushLog(pushesOf(db)),
    suppressions: new MongoSuppressionList(suppressionsOf(db)),
    isPrepared: () => readiness.isReady,
    whenPrepared: () => readiness.whenReady(),
    async close() {
      await readiness.close();
      await client.close();
    },
  };
}
