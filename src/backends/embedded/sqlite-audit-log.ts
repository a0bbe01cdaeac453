import type { AuditEntry, AuditLog } from '#accounts/audit-log.ts';
import { SqliteStore } from './sqlite-store.ts';

/** The audit log in SQLite. */
export class SqliteAuditLog extends SqliteStore implements AuditLog {
  async append(entry: AuditEntry): Promise<void> {
    await this.insert('audit_log', entry);
  }

  async list(limit: number): Promise<AuditEntry[]> {
    const newestFirst = 'SELECT at, operator, action, subject, outcome FROM audit_log ORDER BY entry DESC LIMIT ?';
    return this.all(newestFirst, limit);
  }
}
