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
  for (const [name, form] of Object.entries(renewed)) {
    await db.collection(name).updateMany(isOld, [{ $replaceWith: form }]);
  }
  for (const name of ['job_locks', 'work_slots']) await db.collection(name).deleteMany(isOld);
  await forms.updateOne({ _id: 'form' }, { $set: { number: formNumber } }, { upsert: true });
}
