import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Document, MongoClient } from 'mongodb';
import { claimTokenOf } from '#accounts/pepper.ts';
import type { Purchase } from '#testing/buyer.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { daysAfter } from '#text/days.ts';
import { fixturePepper } from './live-in-old-store.ts';
import { oldDocuments, putOldDocuments, putOldStore } from './open-old-store.ts';

/** A process of 1.2 that sells on a store. */
export interface OldShop {
  /** With which this version uses the same store. */
  settings: Record<string, string>;
  /** Sells a plan whose key is not claimed yet. */
  sell(): Promise<Purchase>;
  /** Ends the process. */
  end(): Promise<void>;
  /** Removes what it made. */
  remove(): Promise<void>;
}

type Urls = { mongodb: string; elasticsearch: string };

/** The settings of a store of its own, for both versions. */
function settingsFor(folder: string, engines: Urls | null): Record<string, string> {
  const settings = {
    MASTHEAD_DATA_DIR: folder,
    KEY_PEPPER: fixturePepper,
    PAYMENTS: 'sandbox',
    RATE_LIMIT_CHECKOUT: '10000',
  };
  if (engines === null) return settings;
  const name = `masthead-test-${process.pid}-${randomUUID().slice(0, 8)}`;
  const MONGODB_URI = newTestDatabase(engines.mongodb, name).uri;
  return { ...settings, MONGODB_URI, ELASTICSEARCH_URL: engines.elasticsearch, INDEX_ALIAS: name };
}

/**
 * What a process of 1.2 is for another version: its connections, its lock on the file, and the orders that it writes into a
 * store that 1.2 made.
 */
export async function openOldShop(folder: string, engines: Urls | null): Promise<OldShop> {
  const settings = settingsFor(folder, engines);
  const orders = engines === null ? openFile(folder) : await openCollection(engines, settings.INDEX_ALIAS ?? '');
  return {
    settings,
    async sell() {
      const orderId = `ord_${randomUUID().replaceAll('-', '')}`;
      await orders.insert(orderId, paidOrder(orderId));
      return { orderId, claimToken: claimTokenOf(orderId, fixturePepper) };
    },
    end: orders.close,
    remove: orders.remove,
  };
}

/** An order that 1.2 wrote, paid now. */
function paidOrder(id: string): Document {
  const paid = oldDocuments('1.2').orders?.find(({ body }) => body.status === 'paid' && body.renewsHash === null);
  const now = new Date().toISOString();
  return {
    ...{ ...paid?.body, id, createdAt: now, paidAt: now, planExpiresAt: daysAfter(now, 30) },
    ...{ keyClaimedAt: null, keyHash: null, suspendedAt: null },
    ...{ checkoutReference: `sandbox_${id}`, paymentReference: `sandbox_${id}` },
  };
}

function openFile(folder: string) {
  putOldStore('1.2', folder);
  const database = new DatabaseSync(join(folder, 'masthead.db'), { timeout: 10_000 });
  const insert = database.prepare('INSERT INTO orders (id, body) VALUES (?, ?)');
  return {
    insert: async (id: string, body: Document) => void insert.run(id, JSON.stringify(body)),
    close: async () => database.close(),
    remove: async () => {},
  };
}

async function openCollection({ mongodb }: Urls, name: string) {
  const database = newTestDatabase(mongodb, name);
  await putOldDocuments('1.2', database);
  const client = new MongoClient(database.uri, { appName: 'masthead' });
  const orders = client.db(name).collection<Document & { _id: string }>('orders');
  return {
    insert: async (id: string, body: Document) => void (await orders.insertOne({ _id: id, body })),
    close: () => client.close(),
    remove: () => database.close(),
  };
}
