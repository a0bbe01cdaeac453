import type { AuditLog } from './audit-log.ts';
import type { ChangeLog } from './change-log.ts';
import type { KeyStore } from './key-store.ts';
import type { MergedIds } from './merged-ids.ts';
import type { OrderStore } from './order-store.ts';
import type { PepperRecord } from './pepper-record.ts';
import type { PushLog } from './push-log.ts';
import type { RecordStore } from './record-store.ts';
import type { Reservations } from './reservations.ts';
import type { SuppressionList } from './suppression-list.ts';
import type { UsageLog } from './usage-log.ts';
import type { WorkSlots } from './work-slots.ts';

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
