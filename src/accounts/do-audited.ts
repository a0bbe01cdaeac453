import { cleanText } from '#records/normalize/clean-text.ts';
import type { AuditEntry, AuditLog } from './audit-log.ts';

/** The operator, and the audit log. */
export interface Auditor {
  audit: AuditLog;
  operator: string;
}

export interface AuditedWork<Result> {
  action: AuditEntry['action'];
  /** What it is done to, one entry each; addresses and control characters are removed here. */
  subjects: readonly string[];
  work: () => Promise<Result>;
  /** The outcome, with counts. */
  describe: (result: Result) => string;
}

const maxSubjectLength = 300;
const maxOutcomeLength = 500;

/**
 * Does an operator's work and audits it: its subject before, so nothing is done without an entry, and its outcome
 * after. An entry without an outcome belongs to work that was killed, or that lost its store.
 *
 * @throws Error if the work was done but its outcome cannot be written; whatever the work throws.
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
      subject: cleanText(subject, maxSubjectLength) || 'something with a name that cannot be shown',
      outcome: outcome === null ? null : cleanText(outcome, maxOutcomeLength),
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
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The ${action} is done, but its outcome could not be written to the audit log: ${reason}`, {
      cause,
    });
  }
  return result;
}
