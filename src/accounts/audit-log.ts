/**
 * An operator action, written before it is done, so nothing is done without an entry; or the outcome of work on records
 * and their index, written after it.
 */
export interface AuditEntry {
  /** ISO 8601, UTC. */
  at: string;
  /** The operator, as the system that ran the command knows them. */
  operator: string;
  action:
    | 'keys issue'
    | 'keys revoke'
    | 'orders reissue'
    | 'pepper replace'
    | 'import'
    | 'set'
    | 'delete'
    | 'merge'
    | 'undo'
    | 'check-emails'
    | 'export'
    | 'sample'
    | 'suppress'
    | 'unsuppress'
    | 'reindex'
    | 'rollback'
    | 'repair';
  /**
   * What it is done to: an order's id, a key's shown prefix, a file, a record, a suppression as lists show it. No
   * secrets, no full addresses.
   */
  subject: string;
  /** The outcome, with counts; null in an entry written before the action. */
  outcome: string | null;
}

/** The audit log. Entries are only added. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /** The newest entries first, at most `limit`. */
  list(limit: number): Promise<AuditEntry[]>;
}
