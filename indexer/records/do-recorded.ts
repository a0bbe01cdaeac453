import { type AuditedWork, type Auditor, doAudited } from '#accounts/audit.ts';
import { type ChangeAction, type ImportedFile, newChangeSetId } from '#records/changes/change-set.ts';
import type { ChangeLog } from '#records/record-store.ts';

export interface Recorder extends Auditor {
  changes: Pick<ChangeLog, 'begin' | 'end'>;
}

interface RecordedWork<Result> extends Omit<AuditedWork<Result>, 'action' | 'work'> {
  action: ChangeAction;
  /** Changes records under the change set with this id. */
  work: (changeSet: string) => Promise<Result>;
  count: (result: Result) => Record<string, number>;
  files?: (result: Result) => ImportedFile[];
  undoes?: string;
  /** The change set to continue, if an earlier run was interrupted or left something. */
  continues?: string;
}

/** Does work as one change set, which can be undone, and audits it. If it is killed or loses its store, the set has no end. */
export function doRecorded<Result>(
  { changes, ...auditor }: Recorder,
  { work, count, files = () => [], undoes, continues, ...audited }: RecordedWork<Result>,
): Promise<Result> {
  const now = new Date();
  const id = continues ?? newChangeSetId(now);
  const { action, describe } = audited;
  return doAudited(auditor, {
    ...audited,
    describe: (result) => `${describe(result)}; change set ${id}`,
    async work() {
      const { operator } = auditor;
      if (continues === undefined) {
        await changes.begin({ id, action, operator, startedAt: now.toISOString(), undoes: undoes ?? null });
      }
      const result = await work(id);
      await changes.end(id, { endedAt: new Date().toISOString(), counts: count(result), files: files(result) });
      return result;
    },
  });
}
