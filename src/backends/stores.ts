import { AuditLog, auditKind } from '#accounts/audit.ts';
import { furtherKeyKind } from '#accounts/further-key.ts';
import { mailKind } from '#accounts/mails.ts';
import { ListStore, listKind } from '#accounts/media-list.ts';
import type { OrderStore } from '#accounts/order.ts';
import { PepperRecord, proofKind } from '#accounts/pepper.ts';
import { Reservations, reservationKind } from '#accounts/reservation.ts';
import { SavedSearches, savedSearchKind } from '#accounts/saved-search.ts';
import { sessionKind } from '#accounts/session.ts';
import { SignInCodes, signInCodeKind } from '#accounts/sign-in-codes.ts';
import type { KeyStore } from '#accounts/stored-key.ts';
import { usageKind } from '#accounts/usage.ts';
import { pushKind } from '#outbound/push.ts';
import type { OpenKeyed } from '#records/keyed-store.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { ChangeLog, MergedIds, RecordStore } from '#records/record-store.ts';
import type { SuppressionList } from '#records/suppression.ts';
import { spentKind, vectorKind } from '#search/meaning/own-model.ts';
import { backupKind } from './backups.ts';
import { faultKind } from './fault-log.ts';
import { lockKind, openLocks, openSlots, slotKind } from './leases.ts';
import type { StoreHealth } from './store-health.ts';
import { identityKind, StoreIdentity } from './store-identity.ts';

/** The current state of what is stored under an id: a record, or why it cannot be indexed. The reason quotes nothing from it. */
export type RecordState = DatedRecord | { unreadable: string };

/**
 * A record, and whether its dates are those of what it shows. Absent: they are. `before`: another tool has changed it since.
 * `never`: another tool has written it, and the service has not dated it yet.
 */
export interface DatedRecord {
  record: MediaRecord;
  isDated?: 'before' | 'never';
  /** The digest of what its dates are of (MongoDB); suppressions may since hide more or less of it. */
  shown?: string;
}

/** Everything that each backend stores beside the search index. */
export interface Stores extends KeyedStores {
  records: RecordStore;
  /** What commands changed of which records. */
  changes: ChangeLog;
  /** Where ids of merged records lead. */
  mergedIds: MergedIds;
  keys: KeyStore;
  orders: OrderStore;
  suppressions: SuppressionList;
  health: StoreHealth;
}

export const keyedKinds = [
  auditKind,
  usageKind,
  pushKind,
  reservationKind,
  proofKind,
  sessionKind,
  signInCodeKind,
  mailKind,
  furtherKeyKind,
  listKind,
  savedSearchKind,
  lockKind,
  slotKind,
  vectorKind,
  spentKind,
  backupKind,
  identityKind,
  faultKind,
];

/** What is kept under keys, in the same way on each backend. */
type KeyedStores = ReturnType<typeof openKeyedStores>;

export function openKeyedStores(open: OpenKeyed) {
  return {
    keyed: open,
    reservations: new Reservations(open),
    /** Which pepper made the keys and orders. */
    pepper: new PepperRecord(open),
    audit: new AuditLog(open),
    pushes: open(pushKind),
    usage: open(usageKind),
    /** Limits concurrent work per key, over all processes. */
    slots: openSlots(open),
    locks: openLocks(open),
    sessions: open(sessionKind),
    signInCodes: new SignInCodes(open),
    /** Mails that wait to be sent. */
    mailQueue: open(mailKind),
    furtherKeys: open(furtherKeyKind),
    lists: new ListStore(open),
    searches: new SavedSearches(open),
    /** Which store this is, as opposed to a copy of it. */
    identity: new StoreIdentity(open),
  };
}

/** The object whose properties a store has in snake case. */
export function fromSnakeCase<Value>(stored: object): Value {
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [camel(name), value])) as Value;
}
