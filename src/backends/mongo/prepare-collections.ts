import type { Db, IndexDescription, ObjectId } from 'mongodb';
import { keyedKinds } from '../stores.ts';
import type { ChangeDocument, ChangeSetDocument } from './mongo-change-log.ts';
import type { DeadLetterDocument } from './mongo-dead-letters.ts';
import { probeKind } from './mongo-health.ts';
import { generationKind } from './mongo-index-journal.ts';
import type { KeyDocument } from './mongo-key-store.ts';
import { prepareKeyed } from './mongo-keyed-store.ts';
import type { MergedIdDocument } from './mongo-merged-ids.ts';
import type { EventDocument, OrderDocument } from './mongo-order-store.ts';
import type { SuppressionDocument } from './mongo-suppression-list.ts';
import type { RecordDocument } from './read-document.ts';

export function collectionsOf(db: Db) {
  return {
    records: db.collection<RecordDocument>('records'),
    keys: db.collection<KeyDocument>('api_keys'),
    orders: db.collection<OrderDocument>('orders'),
    events: db.collection<EventDocument>('payment_events'),
    counts: db.collection('rate_limits'),
    changeSets: db.collection<ChangeSetDocument>('change_sets'),
    changes: db.collection<ChangeDocument>('changes'),
    mergedIds: db.collection<MergedIdDocument>('merged_ids'),
    suppressions: db.collection<SuppressionDocument>('suppressions'),
    /** Marks that the sync writes into the history, see MongoRecordSource. */
    marks: db.collection<{ _id: ObjectId; at: Date }>('sync_marks'),
    deadLetters: db.collection<DeadLetterDocument>('dead_letters'),
  };
}

export type Collections = ReturnType<typeof collectionsOf>;

/** Makes collections and indexes where there are none: else read and write rights are enough. */
export async function prepareCollections(db: Db): Promise<void> {
  const collections = collectionsOf(db);
  const wanted = Object.entries(indexes) as [keyof Collections, IndexDescription[]][];
  await Promise.all([
    ...wanted.map(([name, own]) => collections[name].createIndexes(own)),
    ...[...keyedKinds, generationKind, probeKind].map(({ name }) => prepareKeyed(db, name)),
  ]);
}

/** Compares texts without their case, as addresses are. */
export const inAnyCase = { locale: 'en', strength: 2 } as const;

const indexes: Partial<Record<keyof Collections, IndexDescription[]>> = {
  records: [{ key: { name_key: 1 } }, { key: { 'contacts.email': 1 }, collation: inAnyCase }],
  keys: [
    { key: { 'body.secretHash': 1 }, sparse: true },
    { key: { 'body.retiring.hash': 1 }, sparse: true },
    { key: { 'body.createdAt': -1, _id: 1 } },
  ],
  orders: [
    { key: { 'body.checkoutReference': 1 } },
    { key: { 'body.paymentReference': 1 } },
    { key: { 'body.status': 1, 'body.createdAt': 1 } },
  ],
  events: [
    { key: { 'body.checkout.reference': 1, handled_at: 1 } },
    { key: { 'body.payment': 1, handled_at: 1 } },
    { key: { order_id: 1 } },
    { key: { handled_at: 1, received_at: 1 } },
  ],
  changeSets: [{ key: { started_at: -1, _id: -1 } }],
  changes: [{ key: { record_id: 1, at: -1 } }],
  mergedIds: [{ key: { kept_id: 1 } }],
  // One count per key, even if several processes start it at once, and gone when its minute is over, as
  // rate-limiter-flexible expects.
  counts: [
    { key: { key: 1 }, unique: true },
    { key: { expire: -1 }, expireAfterSeconds: 0 },
  ],
  suppressions: [{ key: { added_at: 1 } }],
  marks: [{ key: { at: 1 }, expireAfterSeconds: 3_600 }],
  deadLetters: [{ key: { at: 1 } }],
};
