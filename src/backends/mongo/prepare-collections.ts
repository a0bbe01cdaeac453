import { isDeepStrictEqual } from 'node:util';
import { type Collection, type Db, type Document, MongoServerError, type ObjectId } from 'mongodb';
import { type FieldDefinition, fields } from '#domain/fields.ts';
import { textLimits } from '#domain/normalize/text-limits.ts';
import type { AuditEntry } from '#ports/audit-log.ts';
import type { DeadLetterDocument } from './mongo-dead-letters.ts';
import type { GenerationDocument } from './mongo-index-journal.ts';
import type { LockDocument } from './mongo-job-locks.ts';
import type { KeyDocument } from './mongo-key-store.ts';
import { orderCollections } from './mongo-order-store.ts';
import type { ProofDocument } from './mongo-pepper-record.ts';
import type { PushDocument } from './mongo-push-log.ts';
import type { SuppressionDocument } from './mongo-suppression-list.ts';
import type { SlotsDocument } from './mongo-work-slots.ts';
import type { RecordDocument } from './read-document.ts';

const namespaceExists = 48;

export function recordsOf(db: Db): Collection<RecordDocument> {
  return db.collection('records');
}

export function keysOf(db: Db): Collection<KeyDocument> {
  return db.collection('api_keys');
}

export function pushesOf(db: Db): Collection<PushDocument> {
  return db.collection('pushes');
}

export function suppressionsOf(db: Db): Collection<SuppressionDocument> {
  return db.collection('suppressions');
}

export function pepperProofsOf(db: Db): Collection<ProofDocument> {
  return db.collection('key_pepper');
}

/** Marks that the sync writes into the history, see RecordSource. */
export function marksOf(db: Db): Collection<{ _id: ObjectId; at: Date }> {
  return db.collection('sync_marks');
}

export function generationsOf(db: Db): Collection<GenerationDocument> {
  return db.collection('index_generations');
}

export function deadLettersOf(db: Db): Collection<DeadLetterDocument> {
  return db.collection('dead_letters');
}

export function locksOf(db: Db): Collection<LockDocument> {
  return db.collection('job_locks');
}

export function workSlotsOf(db: Db): Collection<SlotsDocument> {
  return db.collection('work_slots');
}

export function auditLogOf(db: Db): Collection<AuditEntry> {
  return db.collection('audit_log');
}

export function countsOf(db: Db): Collection {
  return db.collection('rate_limits');
}

/**
 * Creates or updates the collections, their validator and their indexes where they differ. If nothing differs, read and
 * write rights are enough.
 */
export async function prepareCollections(db: Db): Promise<void> {
  await prepareRecords(db);
  await keysOf(db).createIndex({ prefix: 1, created_at: -1 });
  await keysOf(db).createIndex({ order_id: 1 }, { partialFilterExpression: { is_provisional: true } });
  await prepareOrders(db);
  await pushesOf(db).createIndex({ startedAt: -1, _id: -1 });
  await prepareCounts(db);
  await suppressionsOf(db).createIndex({ added_at: 1 });
  await marksOf(db).createIndex({ at: 1 }, { expireAfterSeconds: 3_600 });
  await deadLettersOf(db).createIndex({ at: 1 });
  await workSlotsOf(db).createIndex({ expires_at: 1 }, { expireAfterSeconds: 60 });
}

/**
 * One count per key, even if several processes start it at once, and gone when its minute is over, as
 * rate-limiter-flexible expects.
 */
async function prepareCounts(db: Db): Promise<void> {
  const counts = countsOf(db);
  await counts.createIndex({ key: 1 }, { unique: true });
  await counts.createIndex({ expire: -1 }, { expireAfterSeconds: 0 });
}

async function prepareOrders(db: Db): Promise<void> {
  const { orders, events, reservations } = orderCollections(db);
  await orders.createIndex({ checkout_reference: 1 });
  await orders.createIndex({ payment_reference: 1 });
  await orders.createIndex({ status: 1, created_at: 1 });
  await orders.createIndex({ unsettled: 1 }, { partialFilterExpression: { unsettled: { $type: 'object' } } });
  await events.createIndex({ payment: 1, handled_at: 1 });
  await events.createIndex({ 'checkout.reference': 1, handled_at: 1 });
  await events.createIndex({ order_id: 1, handled_at: 1 });
  await events.createIndex({ handled_at: 1, received_at: 1 });
  await reservations.createIndex({ created_at: 1 });
  await auditLogOf(db).createIndex({ at: -1, _id: -1 });
}

/**
 * Documents older than the validator that would fail it can still be changed (moderate); they are read as far as
 * possible.
 */
async function prepareRecords(db: Db): Promise<void> {
  const rules = { validator: recordValidator(), validationLevel: 'moderate', validationAction: 'error' } as const;
  const { collectionName } = recordsOf(db);
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

/**
 * The schema of documents in the records collection. It guards against mistakes of other tools: a value that no search
 * could find, such as a misspelled kind or an audience stored as text, is rejected with a message on write. Additional
 * keys are allowed.
 */
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
