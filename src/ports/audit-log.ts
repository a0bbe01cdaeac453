/** One thing that an operator did, or set out to do: it is written before the deed, so that no deed lacks its entry. */
export interface AuditEntry {
  /** ISO 8601, UTC. */
  at: string;
  /** The operator, as the system that ran the command knows them. */
  operator: string;
  action: 'keys issue' | 'keys revoke' | 'orders reissue' | 'suppress' | 'unsuppress';
  /** What it was done to: an order's id, a key's shown prefix, what was suppressed as lists show it; no secret, no whole
   * address. */
  subject: string;
}

/** What operators did. Entries are only ever added. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /** The newest entries first, at most `limit`. */
  list(limit: number): Promise<AuditEntry[]>;
}
