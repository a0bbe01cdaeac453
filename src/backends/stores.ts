import type { AuditLog } from '#accounts/audit-log.ts';
import type { KeyStore } from '#accounts/key-store.ts';
import type { ListStore } from '#accounts/media-list.ts';
import type { OrderStore } from '#accounts/order-store.ts';
import type { PepperRecord } from '#accounts/pepper-record.ts';
import type { Reservations } from '#accounts/reservations.ts';
import type { SessionStore } from '#accounts/session.ts';
import type { UsageLog } from '#accounts/usage-log.ts';
import type { PushLog } from '#outbound/push.ts';
import type { WorkSlots } from '#outbound/work-slots.ts';
import type { ChangeLog, MergedIds, RecordStore } from '#records/record-store.ts';
import type { SuppressionList } from '#records/suppression.ts';

/** Everything that each backend stores beside the search index. */
export interface Stores {
  records: RecordStore;
  /** What commands changed of which records. */
  changes: ChangeLog;
  /** Where ids of merged records lead. */
  mergedIds: MergedIds;
  keys: KeyStore;
  orders: OrderStore;
  reservations: Reservations;
  /** The lists of accounts. */
  lists: ListStore;
  /** Browsers that are signed in. */
  sessions: SessionStore;
  /** Which pepper made the keys and orders. */
  pepper: PepperRecord;
  audit: AuditLog;
  pushes: PushLog;
  /** What was done with each key. */
  usage: UsageLog;
  /** Limits concurrent work per key, over all processes. */
  slots: WorkSlots;
  suppressions: SuppressionList;
}
