import { type KeyedKind, newOrderedKey, type OpenKeyed } from '#records/keyed-store.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import { messageOf } from '#src/problem.ts';

/** Every action writes an entry before it starts. Work on records or the index writes a second one, with its outcome. */
interface AuditEntry {
  at: string;
  operator: string;
  /** The command, such as `keys issue`. */
  action: string;
  /** Such as an order's id, a key's prefix, a file, or a suppression as lists show it. Never a secret or a full address. */
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
  /** What it is done to, one entry each. doAudited removes addresses and control characters. */
  subjects: readonly string[];
  work: () => Promise<Result>;
  describe: (result: Result) => string;
}

/** Writes the subjects before the work, and the outcome after it. Without an outcome, the work was killed or lost its store. */
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
  const allSubjects = subjects.join(', ');
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    const reason = messageOf(error);
    // If this entry cannot be written either, the original error is still the one to report.
    await append(allSubjects, `failed: ${reason}`).catch(() => {});
    throw error;
  }
  try {
    await append(allSubjects, describe(result));
  } catch (cause) {
    throw new Error(`The ${action} is done, but its outcome could not be written to the audit log.`, { cause });
  }
  return result;
}
