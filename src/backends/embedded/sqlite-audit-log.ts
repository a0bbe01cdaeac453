import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry, AuditLog } from '#ports/audit-log.ts';
import { runOnStore } from './sqlite-errors.ts';

/** The audit log in SQLite. */
export class SqliteAuditLog implements AuditLog {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async append({ at, operator, action, subject, outcome }: AuditEntry): Promise<void> {
    await runOnStore(() =>
      this.#database
        .prepare('INSERT INTO audit_log (at, operator, action, subject, outcome) VALUES (?, ?, ?, ?, ?)')
        .run(at, operator, action, subject, outcome),
    );
  }

  async list(limit: number): Promise<AuditEntry[]> {
    const rows = await runOnStore(() =>
      this.#database
        .prepare('SELECT at, operator, action, subject, outcome FROM audit_log ORDER BY entry DESC LIMIT ?')
        .all(limit),
    );
    return rows.map(({ at, operator, action, subject, outcome }) => ({
      at: String(at),
      operator: String(operator),
      action: action as AuditEntry['action'],
      subject: String(subject),
      outcome: outcome as string | null,
    }));
  }
}
