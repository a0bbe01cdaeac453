/**
 * What an operator set out to do, written before it is done, so that nothing is done without an entry; or how work on
 * records and their index went, written after it.
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
    | 'delete'
    | 'sample'
    | 'suppress'
    | 'unsuppress'
    | 'reindex'
    | 'rollback'
    | 'repair';
  /** What it is done to: an order's id, a key's shown prefix, a file, a record, a suppression as lists show it. No secret,
   * no whole address. */
  subject: string;
  /** How it went, with counts; null in an entry that is written before. */
  outcome: string | null;
}

/** What operators did. Entries are only added. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /** The newest entries first, at most `limit`. */
  list(limit: number): Promise<AuditEntry[]>;
}
