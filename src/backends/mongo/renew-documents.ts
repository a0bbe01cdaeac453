import type { Db, Document } from 'mongodb';
import { StartupError } from '#src/startup-error.ts';

/** The form of what this version stores beside the records. Those before 1.2 had no number. */
const formNumber = 2;

const dayMs = 24 * 60 * 60 * 1000;

function daysAfter(time: string, days: number): Document {
  return { $add: [{ $dateFromString: { dateString: time } }, days * dayMs] };
}

/** A keyed value (mongo-keyed-store.ts). */
function keyed(
  order: string,
  body: Document,
  expiresAt: Document | null = null,
  owner: string | null = null,
): Document {
  return { _id: '$_id', version: 'first', owner, order, expires_at: expiresAt, body };
}

/** A document of a store of its own: its columns, and the body. */
function own(body: Document, columns: Document = {}): Document {
  return { _id: '$_id', ...columns, body };
}

/** A field that early documents lack. */
function orNull(field: string): Document {
  return { $ifNull: [field, null] };
}

/** A property that only some keys have. */
function ifThere(field: string, value: unknown = field): Document {
  return { $cond: [{ $gt: [field, null] }, value, '$$REMOVE'] };
}

/** What the documents of 1.1 become, by their collection. Leases are left out: they are over before the next start. */
const renewed: Record<string, Document> = {
  audit_log: keyed('$at', {
    ...{ at: '$at', operator: '$operator', action: '$action', subject: '$subject' },
    outcome: { $ifNull: ['$outcome', null] },
  }),
  key_usage: keyed(
    '$date',
    {
      ...{ keyHash: '$key_hash', date: '$date', requests: '$requests', exportedRows: '$exported_rows' },
      ...{ pushedLeads: '$pushed_leads', lastUsedAt: '$last_used_at' },
    },
    daysAfter('$date', 400),
    '$key_hash',
  ),
  pushes: keyed(
    '$startedAt',
    {
      ...{ id: '$_id', keyHash: '$keyHash', keyPrefix: '$keyPrefix', tool: '$tool', campaignId: '$campaignId' },
      ...{ status: '$status', counts: '$counts', details: '$details', failure: '$failure' },
      ...{ startedAt: '$startedAt', updatedAt: '$updatedAt' },
    },
    daysAfter('$updatedAt', 90),
  ),
  reservations: keyed(
    '$created_at',
    { hash: '$_id', fingerprint: '$fingerprint', subjectId: '$order_id', createdAt: '$created_at' },
    daysAfter('$created_at', 1),
  ),
  key_pepper: keyed('$since', { proof: '$proof', since: '$since' }),
  index_generations: keyed('$_id', {
    ...{ index: '$_id', identity: '$identity', isComplete: '$is_complete', token: '$token' },
    ...{ version: { $toString: '$version' }, reachedAt: { $dateToString: { date: '$reached_at' } } },
  }),
  api_keys: own(
    {
      ...{ hash: '$_id', prefix: '$prefix', plan: { tier: '$tier', expiresAt: '$expires_at' }, email: '$email' },
      ...{ orderId: '$order_id', createdAt: '$created_at', revokedAt: '$revoked_at' },
      secretHash: ifThere('$secret_hash'),
      retiring: ifThere('$retiring_hash', {
        ...{ hash: '$retiring_hash', prefix: '$retiring_prefix', endsAt: '$retiring_ends_at' },
      }),
      // As JSON, which no step of an update can read: renewKeys does.
      renewals: ifThere('$renewals'),
    },
    { version: 'first' },
  ),
  orders: own({
    ...{ id: '$_id', status: '$status', tier: '$tier', price: '$price', currency: '$currency', days: '$days' },
    ...{ email: '$email', checkoutUrl: '$checkout_url', checkoutReference: '$checkout_reference' },
    ...{ paymentReference: '$payment_reference', customerReference: orNull('$customer_reference') },
    ...{ createdAt: '$created_at', paidAt: '$paid_at', planExpiresAt: '$plan_expires_at', refundedAt: '$refunded_at' },
    ...{ suspendedAt: '$suspended_at', keyClaimedAt: '$key_claimed_at', keyHash: '$key_hash' },
    ...{ renewsHash: orNull('$renews_hash'), askedAt: '$asked_at' },
  }),
  payment_events: own(
    {
      ...{ id: '$_id', effect: '$effect', orderId: '$order_id', checkout: orNull('$checkout'), payment: '$payment' },
      ...{ customer: orNull('$customer'), at: '$at' },
    },
    { received_at: '$received_at', handled_at: '$handled_at', order_id: '$order_id' },
  ),
};

/**
 * Brings what an earlier version stored into the form of this one. A process that stops midway leaves the rest to the next.
 *
 * @throws StartupError if a newer version wrote the store.
 */
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
  for (const [name, form] of Object.entries(renewed)) {
    await db.collection(name).updateMany(isOld, [{ $replaceWith: form }]);
    await db.collection(name).dropIndexes();
  }
  const keys = db.collection<{ _id: string }>('api_keys');
  for await (const { _id, body } of keys.find<{ _id: string; body: { renewals: string } }>({
    'body.renewals': { $type: 'string' },
  })) {
    await keys.updateOne({ _id }, { $set: { 'body.renewals': JSON.parse(body.renewals) } });
  }
  for (const name of ['job_locks', 'work_slots']) await db.collection(name).deleteMany(isOld);
  await forms.updateOne({ _id: 'form' }, { $set: { number: formNumber } }, { upsert: true });
}
