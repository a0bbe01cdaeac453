import type { AnyBulkWriteOperation, Db, Document } from 'mongodb';
import { StartupError } from '#src/problem.ts';
import { daysAfter } from '#text/days.ts';
import { fromSnakeCase } from '../stores.ts';
import { renewRecords } from './renew-records.ts';

/** The form of what this version stores beside the records. Those before 1.2 had no number. */
const formNumber = 4;

const pageSize = 1_000;

/** A keyed value (mongo-keyed-store.ts). */
function keyed(order: string, body: Document, owner: string | null = null, end: string | null = null): Document {
  return { version: 'first', owner, order, expires_at: end === null ? null : new Date(end), body };
}

/** What the documents of 1.1 become, by their collection. */
const renewed: Record<string, (old: Document) => Document> = {
  audit_log: ({ _id, ...entry }) => keyed(entry.at, { outcome: null, ...entry }),
  key_usage: ({ _id, ...day }) => keyed(day.date, fromSnakeCase<Document>(day), day.key_hash, daysAfter(day.date, 400)),
  pushes: ({ _id: id, ...push }) => keyed(push.startedAt, { id, ...push }, null, daysAfter(push.updatedAt, 90)),
  key_pepper: ({ proof, since }) => keyed(since, { proof, since }),
  media_lists: ({ _id: id, ...list }) => keyed(list.name, { id, ...list, count: list.entries.length }, list.account),
  api_keys: ({ _id: hash, tier, expires_at: expiresAt, renewals, ...old }) => {
    const { secretHash, retiringHash, retiringPrefix, retiringEndsAt, ...key } = fromSnakeCase<Document>(old);
    const body = {
      hash,
      ...key,
      plan: { tier, expiresAt },
      ...(secretHash && { secretHash }),
      ...(retiringHash && { retiring: { hash: retiringHash, prefix: retiringPrefix, endsAt: retiringEndsAt } }),
      ...(renewals && { renewals: JSON.parse(renewals) }),
    };
    return { version: 'first', body };
  },
  orders: ({ _id: id, revision, applied, unsettled, ...order }) => ({
    body: { id, customerReference: null, renewsHash: null, ...fromSnakeCase<Document>(order) },
  }),
  payment_events: ({ _id: id, received_at, handled_at, order_id, ...event }) => ({
    received_at,
    handled_at,
    order_id,
    body: { id, checkout: null, customer: null, ...event, orderId: order_id },
  }),
};

/** A process that stops midway leaves the rest to the next. Throws StartupError if a newer version wrote the store. */
export async function renewDocuments(db: Db): Promise<void> {
  const forms = db.collection<{ _id: 'form'; number: number }>('store_form');
  const { number = 1 } = (await forms.findOne({ _id: 'form' })) ?? {};
  if (number === formNumber) return;
  if (number > formNumber) {
    throw new StartupError(
      `The store in MONGODB_URI belongs to a newer version of Masthead (form ${number}; this version knows ${formNumber}). Run that version.`,
    );
  }
  const isOld = { body: { $exists: false } };
  if ((await db.collection('orders').findOne({ unsettled: { $type: 'object' } })) !== null) {
    throw new StartupError(
      'MongoDB holds an order that a process of Masthead 1.1 left half written. Start 1.1 once, stop it, then start this version.',
    );
  }
  await db.collection('api_keys').deleteMany({ is_provisional: true });
  // Reads normalize what other tools wrote; 1.1 also refused it.
  await db.command({ collMod: 'records', validator: {}, validationLevel: 'off' }).catch(() => {});
  for (const [name, renew] of Object.entries(renewed)) {
    const collection = db.collection(name);
    await collection.dropIndexes().catch(() => {}); // It may not exist.
    let writes: AnyBulkWriteOperation[] = [];
    const flush = async () => {
      if (writes.length > 0) await collection.bulkWrite(writes, { ordered: false });
      writes = [];
    };
    for await (const old of collection.find(isOld, { promoteLongs: false })) {
      writes.push({ replaceOne: { filter: { _id: old._id, ...isOld }, replacement: renew(old) } });
      if (writes.length === pageSize) await flush();
    }
    await flush();
  }
  // Leases and reservations are over soon, and the index is built again.
  for (const name of ['job_locks', 'work_slots', 'reservations', 'index_generations']) {
    await db.collection(name).deleteMany(isOld);
  }
  await renewRecords({ records: db.collection('records'), changes: db.collection('changes') });
  await forms.updateOne({ _id: 'form' }, { $set: { number: formNumber } }, { upsert: true });
}
