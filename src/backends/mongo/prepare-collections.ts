import type { Db, IndexDescription, ObjectId } from 'mongodb';
import indexes from '../../../mappings/collections.json' with { type: 'json' };
import { keyedKinds } from '../stores.ts';
import { type FeedDocument, feedStateKind } from './mongo-change-feed.ts';
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
    /**
     * One count per key, even if several processes start it at once, and gone when its minute is over, as rate-limiter-flexible
     * expects: its indexes see to that.
     */
    counts: db.collection('rate_limits'),
    changeSets: db.collection<ChangeSetDocument>('change_sets'),
    changes: db.collection<ChangeDocument>('changes'),
    changeFeed: db.collection<FeedDocument>('change_feed'),
    mergedIds: db.collection<MergedIdDocument>('merged_ids'),
    suppressions: db.collection<SuppressionDocument>('suppressions'),
    /** Marks that the sync writes into the history, see MongoRecordSource. */
    marks: db.collection<{ _id: ObjectId; at: Date }>('sync_marks'),
    deadLetters: db.collection<DeadLetterDocument>('dead_letters'),
  };
}

export type Collections = ReturnType<typeof collectionsOf>;

/** Makes collections and the indexes of mappings/collections.json where there are none: else read and write rights are enough. */
export async function prepareCollections(db: Db): Promise<void> {
  const collections = collectionsOf(db);
  const indexesByName = Object.entries(indexes) as [keyof Collections, IndexDescription[]][];
  await Promise.all([
    ...indexesByName.map(([name, descriptions]) => collections[name].createIndexes(descriptions)),
    ...[...keyedKinds, generationKind, feedStateKind, probeKind].map(({ name }) => prepareKeyed(db, name)),
  ]);
}

/** Compares texts without their case, as addresses are, and as their index does. */
export const inAnyCase = { locale: 'en', strength: 2 } as const;
