import { showKey } from '#domain/suppression.ts';
import type { AuditEntry, AuditLog } from '#ports/audit-log.ts';

/** Writes one entry for each of these suppressions, before anything is done to them. */
export async function logDeed(
  audit: AuditLog,
  deed: Omit<AuditEntry, 'subject'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    const { kind, value } = showKey(key);
    await audit.append({ ...deed, subject: `${kind} ${value}` });
  }
}
