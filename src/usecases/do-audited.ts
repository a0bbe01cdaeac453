import { cleanText } from '#domain/normalize/clean-text.ts';
import type { AuditEntry, AuditLog } from '#ports/audit-log.ts';

/** Who works, and the log in which that is written down. */
export interface Auditor {
  audit: AuditLog;
  operator: string;
}

export interface AuditedWork<Result> {
  action: AuditEntry['action'];
  /** What it is done to, one entry each; cleaned of addresses and control characters here. */
  subjects: readonly string[];
  work: () => Promise<Result>;
  /** How it went, with counts. */
  describe: (result: Result) => string;
}

const maxSubjectLength = 300;
const maxOutcomeLength = 500;

/**
 * Does an operator's work and writes it down: what it is done to before it, so that nothing is done without an entry, and
 * how it went after it. Entries without an outcome behind them belong to work that was killed, or that lost its store.
 *
 * @throws Error where the work was done and its outcome cannot be written; whatever the work throws.
 */
export async function doAudited<Result>(
  { audit, operator }: Auditor,
  { action, subjects, work, describe }: AuditedWork<Result>,
): Promise<Result> {
  const append = (subject: string, outcome: string | null) =>
    audit.append({
      at: new Date().toISOString(),
      operator,
      action,
      subject: clean(subject, maxSubjectLength) || 'something with a name that cannot be shown',
      outcome: outcome === null ? null : clean(outcome, maxOutcomeLength),
    });
  for (const subject of subjects) await append(subject, null);
  const all = subjects.join(', ');
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // What went wrong is the error; that it could not be written down as well says nothing more.
    await append(all, `failed: ${reason}`).catch(() => {});
    throw error;
  }
  try {
    await append(all, describe(result));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The ${action} is done, but its outcome could not be written to the audit log: ${reason}`, {
      cause,
    });
  }
  return result;
}

function clean(text: string, limit: number): string {
  return cleanText(text, limit, () => {});
}
