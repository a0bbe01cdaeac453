import type { Db, Document } from 'mongodb';
import { daysAfter } from '#text/days.ts';
import { fromSnakeCase } from '../stores.ts';

/** What a document becomes; null: it is left behind. */
type Renewal = (old: Document) => Document | null;

/** A step that brings what is stored from the form before it to `form`. It never changes once it is released. */
export interface Migration {
  /** The number of the form that it makes, in `store_form`. */
  form: number;
  /** What it changes, for operators: `admin check` prints it before an upgrade. */
  name: string;
  /** Why a store cannot be upgraded as it is, and what to do; null if it can. Changes nothing. */
  refuses?: (db: Db) => Promise<string | null>;
  /**
   * What becomes of the documents of a collection. They are copied, and the copies take the place of all collections at once,
   * so that the earlier version can go on if a step fails. They are replaced in this order. Not for `records`, which other
   * tools and the sync follow.
   */
  documents?: Readonly<Record<string, Renewal>>;
  /**
   * Changes other things where they are. The earlier version must be able to read what it leaves, whole or cut off, and to do it
   * again must change nothing.
   */
  inPlace?: (db: Db) => Promise<void>;
  /** Whether the records of the form before have no dates: readers and the sync date them (earlier-records.ts). */
  leavesUndated?: boolean;
}

/** The form of Masthead 1.1, which wrote no number. */
export const earliestForm = 1;

/** A keyed value (mongo-keyed-store.ts). */
function keyedDocument(
  order: string,
  body: Document,
  owner: string | null = null,
  end: string | null = null,
): Document {
  return { version: 'first', owner, order, expires_at: end === null ? null : new Date(end), body };
}

/** What the documents of 1.1 become, by their collection. */
const fromVersion11: Record<string, Renewal> = {
  // The first, because 1.1 does not start with it: it changes no collection that will be put back after an upgrade was cut off.
  key_pepper: ({ proof, since }) => keyedDocument(since, { proof, since }),
  audit_log: ({ _id, ...entry }) => keyedDocument(entry.at, { outcome: null, ...entry }),
  key_usage: ({ _id, ...day }) =>
    keyedDocument(day.date, fromSnakeCase<Document>(day), day.key_hash, daysAfter(day.date, 400)),
  pushes: ({ _id: id, ...push }) => keyedDocument(push.startedAt, { id, ...push }, null, daysAfter(push.updatedAt, 90)),
  media_lists: ({ _id: id, ...list }) =>
    keyedDocument(list.name, { id, ...list, count: list.entries.length }, list.account),
  api_keys: ({ _id: hash, is_provisional, tier, expires_at: expiresAt, renewals, ...old }) => {
    // The order that would have given it was never settled.
    if (is_provisional) return null;
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
  // Leases and reservations are over soon, the index is built again, and only 1.1 counted searches that found nothing.
  job_locks: () => null,
  work_slots: () => null,
  reservations: () => null,
  index_generations: () => null,
  missed_searches: () => null,
};

/** Processes of 1.2 that were cut off in an upgrade left documents of both forms. */
const unlessRenewed =
  (renew: Renewal): Renewal =>
  (old) =>
    'body' in old ? old : renew(old);

/** All steps, in order; the last one makes the form of this version. */
export const migrations: readonly Migration[] = [
  {
    form: 3,
    name: 'keys, orders and the audit log of 1.1 become those of 1.2',
    async refuses(db) {
      const unsettled = await db.collection('orders').findOne({ unsettled: { $type: 'object' } });
      if (unsettled === null) return null;
      return 'MongoDB holds an order that a process of Masthead 1.1 left half written. Start 1.1 once, stop it, then start this version.';
    },
    documents: Object.fromEntries(Object.entries(fromVersion11).map(([name, renew]) => [name, unlessRenewed(renew)])),
    async inPlace(db) {
      // Reads normalize what other tools wrote; 1.1 also refused it.
      await db.command({ collMod: 'records', validator: {}, validationLevel: 'off' }).catch(() => {});
    },
  },
  {
    form: 4,
    name: 'records get the date when they came in, while the new version serves',
    leavesUndated: true,
  },
];
