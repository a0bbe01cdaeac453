import { EngineReadiness } from '#backends/engine-readiness.ts';
import type { AuditLog } from '#ports/audit-log.ts';
import type { JobLocks } from '#ports/job-locks.ts';
import type { KeyStore } from '#ports/key-store.ts';
import type { OrderStore } from '#ports/order-store.ts';
import type { PepperRecord } from '#ports/pepper-record.ts';
import type { PushLog } from '#ports/push-log.ts';
import type { RecordStore } from '#ports/record-store.ts';
import type { RequestCounter } from '#ports/request-counter.ts';
import type { Reservations } from '#ports/reservations.ts';
import type { SuppressionList } from '#ports/suppression-list.ts';
import type { WorkSlots } from '#ports/work-slots.ts';
import {
  checkMongo,
  createMongoClient,
  databaseName,
  explainMongoFault,
  openDatabase,
  primaryAndMajority,
  requestTimeoutMs,
} from './connect-mongo.ts';
import { FollowedHistory } from './followed-history.ts';
import { MongoAuditLog } from './mongo-audit-log.ts';
import { MongoDeadLetters } from './mongo-dead-letters.ts';
import { MongoIndexJournal } from './mongo-index-journal.ts';
import { MongoJobLocks } from './mongo-job-locks.ts';
import { MongoKeyStore } from './mongo-key-store.ts';
import { MongoOrderStore, orderCollections } from './mongo-order-store.ts';
import { MongoPepperRecord } from './mongo-pepper-record.ts';
import { MongoPushLog } from './mongo-push-log.ts';
import { MongoRecordSource } from './mongo-record-source.ts';
import { MongoRecordStore } from './mongo-record-store.ts';
import { type CounterLog, MongoRequestCounter } from './mongo-request-counter.ts';
import { MongoReservations } from './mongo-reservations.ts';
import { MongoSuppressionList } from './mongo-suppression-list.ts';
import { MongoWorkSlots } from './mongo-work-slots.ts';
import {
  auditLogOf,
  countsOf,
  deadLettersOf,
  generationsOf,
  keysOf,
  locksOf,
  pepperProofsOf,
  prepareCollections,
  pushesOf,
  recordsOf,
  suppressionsOf,
  workSlotsOf,
} from './prepare-collections.ts';
import { readingForm } from './reading-form.ts';

export interface MongoSettings {
  uri: string;
  /** Receives one line when the server is waited for or ready. */
  logLine: (line: string) => void;
  /** How long an operation may look for a server, in milliseconds; jobs can wait longer than requests. */
  timeoutMs?: number;
}

/** What the sync needs from MongoDB to keep an index up to date. */
export interface MongoSyncDeps {
  source: MongoRecordSource;
  journal: MongoIndexJournal;
  deadLetters: MongoDeadLetters;
  locks: JobLocks;
  suppressions: SuppressionList;
}

export interface MongoStore {
  records: RecordStore;
  keys: KeyStore;
  orders: OrderStore;
  reservations: Reservations;
  pepper: PepperRecord;
  audit: AuditLog;
  pushes: PushLog;
  slots: WorkSlots;
  suppressions: SuppressionList;
  /** What keeps an external index in sync with the records. */
  syncDeps: MongoSyncDeps;
  /** Changes whenever the way documents are read as records changes. */
  readingForm: () => string;
  /** Request counts that several processes share; acknowledged before they are on disk. */
  openRequestCounter(log: CounterLog, timeoutMs?: number): RequestCounter;
  /** Resolves when the server is up, has been checked, and its collections are prepared. */
  whenPrepared(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the store in MongoDB. If the server is down, it logs that and opens anyway: the store answers
 * `store_unavailable` until the server is up.
 *
 * @throws StartupError if waiting would not help: an invalid URI, user or server.
 */
export async function openMongo({ uri, logLine, timeoutMs }: MongoSettings): Promise<MongoStore> {
  const client = createMongoClient(uri, timeoutMs ?? requestTimeoutMs);
  const db = openDatabase(client, uri);
  const keys = new MongoKeyStore(keysOf(db));
  const orders = new MongoOrderStore(db, keysOf(db), keys);
  const history = new FollowedHistory(client);
  const suppressions = new MongoSuppressionList(suppressionsOf(db), history);
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
    readiness = await EngineReadiness.start({ name: 'MongoDB', prepare, logLine });
  } catch (error) {
    await client.close();
    throw error;
  }
  return {
    records: new MongoRecordStore(client, recordsOf(db)),
    keys,
    orders,
    reservations: new MongoReservations(orderCollections(db).reservations),
    pepper: new MongoPepperRecord({
      proofs: pepperProofsOf(db),
      keys: keysOf(db),
      orders: orderCollections(db).orders,
    }),
    audit: new MongoAuditLog(auditLogOf(db)),
    openRequestCounter: (log, timeoutMs) =>
      new MongoRequestCounter(
        client.db(databaseName(uri), { ...primaryAndMajority, writeConcern: { w: 1, journal: false } }),
        countsOf(db).collectionName,
        log,
        timeoutMs,
      ),
    pushes: new MongoPushLog(pushesOf(db)),
    slots: new MongoWorkSlots(workSlotsOf(db)),
    suppressions,
    syncDeps: {
      source: new MongoRecordSource(db, history),
      journal: new MongoIndexJournal(generationsOf(db)),
      deadLetters: new MongoDeadLetters(deadLettersOf(db)),
      locks: new MongoJobLocks(locksOf(db)),
      suppressions,
    },
    readingForm,
    whenPrepared: () => readiness.whenReady(),
    async close() {
      await readiness.close();
      await client.close();
    },
  };
}
