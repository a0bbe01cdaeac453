import { isDeepStrictEqual } from 'node:util';
import { type Db, type Document, type IndexDescription, MongoServerError, type ObjectId } from 'mongodb';
import type { FieldDefinition } from '#records/field-definition.ts';
import { fields } from '#records/fields.ts';
import { textLimits } from '#records/normalize/clean-text.ts';
import { keyedKinds } from '../stores.ts';
import type { ChangeDocument, ChangeSetDocument } from './mongo-change-log.ts';
import type { DeadLetterDocument } from './mongo-dead-letters.ts';
import { generationKind } from './mongo-index-journal.ts';
import type { KeyDocument } from './mongo-key-store.ts';
import { prepareKeyed } from './mongo-keyed-store.ts';
import type { MergedIdDocument } from './mongo-merged-ids.ts';
import type { EventDocument, OrderDocument } from './mongo-order-store.ts';
import type { SuppressionDocument } from './mongo-suppression-list.ts';
import type { RecordDocument } from './read-document.ts';
import { renewDocuments } from './renew-documents.ts';

const namespaceExists = 48;

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

/** Changes collections, validator and indexes only where they differ: else read and write rights are enough. */
export async function prepareCollections(db: Db): Promise<void> {
  const collections = collectionsOf(db);
  await renewDocuments(db);
  await prepareRecords(db);
  const wanted = Object.entries(indexes) as [keyof Collections, IndexDescription[]][];
  await Promise.all([
    ...wanted.map(([name, own]) => collections[name].createIndexes(own)),
    ...[...keyedKinds, generationKind].map(({ name }) => prepareKeyed(db, name)),
  ]);
}

const indexes: Partial<Record<keyof Collections, IndexDescription[]>> = {
  records: [{ key: { name_key: 1 } }],
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

/** Moderate: older documents that the validator would fail can still be changed, and are read if possible. */
async function prepareRecords(db: Db): Promise<void> {
  const rules = { validator: recordValidator(), validationLevel: 'moderate', validationAction: 'error' } as const;
  const { collectionName } = collectionsOf(db).records;
  const [standing] = await db.listCollections({ name: collectionName }, { nameOnly: false }).toArray();
  if (standing !== undefined && hasRules(standing, rules)) return;
  if (standing === undefined) {
    try {
      await db.createCollection(collectionName, rules);
      return;
    } catch (error) {
      // Another of our processes, starting at the same time, was first.
      if (!(error instanceof MongoServerError) || error.code !== namespaceExists) throw error;
    }
  }
  await db.command({ collMod: collectionName, ...rules });
}

function hasRules({ options }: Document, rules: Document): boolean {
  return Object.keys(rules).every((name) => isDeepStrictEqual(options?.[name], rules[name]));
}

/** Against mistakes of other tools: rejects values that no search could find. Additional keys are allowed. */
function recordValidator(): Document {
  const properties = Object.fromEntries(
    (fields as readonly FieldDefinition[]).map((field) =>
      field.key === 'id'
        ? ['_id', { bsonType: 'string', minLength: 1, maxLength: textLimits.id }]
        : [field.key, { description: field.doc, ...schemaOf(field) }],
    ),
  );
  return { $jsonSchema: { bsonType: 'object', required: ['_id', 'kind', 'name'], properties } };
}

function schemaOf({ key, type, vocabulary }: FieldDefinition): Document {
  if (key === 'name') return { bsonType: 'string', minLength: 1 };
  if (key === 'kind') return { enum: [...(vocabulary ?? [])] };
  if (type === 'list') {
    return { bsonType: ['array', 'null'], items: vocabulary ? { enum: [...vocabulary] } : { bsonType: 'string' } };
  }
  if (vocabulary) return { enum: [...vocabulary, null] };
  if (type === 'integer') return { bsonType: ['int', 'long', 'double', 'null'], minimum: 0 };
  if (type === 'date') return { bsonType: ['string', 'date', 'null'] };
  return { bsonType: ['string', 'null'] };
}
