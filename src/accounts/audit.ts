import { type KeyedKind, newOrderedKey, type OpenKeyed } from '#records/keyed-store.ts';
import { cleanText } from '#records/normalize/clean-text.ts';

/** Written before an action, so that none lacks an entry; or after work on records and their index, its outcome. */
export interface AuditEntry {
  at: string;
  operator: string;
  /** The command, such as `keys issue`. */
  action: string;
  /** An order's id, a key's shown prefix, a file, a record, a suppression as lists show it: no secret, no full address. */
  subject: string;
  /** The outcome, with counts; null in an entry written before the action. */
  outcome: string | null;
}

export const auditKind: KeyedKind<AuditEntry> = { name: 'audit_log', orderOf: ({ at }) => at };

export class AuditLog {
  readonly #entries;

  constructor(open: OpenKeyed) {
    this.#entries = open(auditKind);
  }

  async append(entry: AuditEntry): Promise<void> {
    await this.#entries.change(newOrderedKey(entry.at), () => entry);
  }

  list(limit: number): Promise<AuditEntry[]> {
    return this.#entries.list({ limit });
  }
}

export interface Auditor {
  audit: AuditLog;
  operator: string;
}

export interface AuditedWork<Result> {
  action: AuditEntry['action'];
  /** What it is done to, one entry each; addresses and control characters are removed here. */
  subjects: readonly string[];
  work: () => Promise<Result>;
  describe: (result: Result) => string;
}

/** Audits the subject before and the outcome after; without an outcome, the work was killed or lost its store. */
export async function doAudited<Result>(
  { audit, operator }: Auditor,
  { action, subjects, work, describe }: AuditedWork<Result>,
): Promise<Result> {
  const append = (subject: string, outcome: string | null) =>
    audit.append({
      at: new Date().toISOString(),
      operator,
      action,
      subject: cleanText(subject, 300) || 'something with a name that cannot be shown',
      outcome: outcome === null ? null : cleanText(outcome, 500),
    });
  for (const subject of subjects) await append(subject, null);
  const all = subjects.join(', ');
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The original error matters; that it could not be audited adds nothing.
    await append(all, `failed: ${reason}`).catch(() => {});
    throw error;
  }
  try {
    await append(all, describe(result));
  } catch (cause) {
    throw new Error(`The ${action} is done, but its outcome could not be written to the audit log.`, { cause });
  }
  return result;
}
