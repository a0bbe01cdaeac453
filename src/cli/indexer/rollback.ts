import type { RollbackSummary } from '#ports/index-maintenance.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { print, printJson } from '../command-line.ts';
import { withIndex } from './with-backends.ts';

export interface RollbackFlags {
  to?: string;
  json?: boolean;
}

/** `rollback` */
export async function runRollback({ to, json = false }: RollbackFlags): Promise<void> {
  await withIndex(async ({ maintenance }, { auditor }) => {
    const summary = await doAudited(auditor, {
      action: 'rollback',
      subjects: [to ?? 'to the previous index'],
      work: () => maintenance.rollBack(to ?? null),
      describe,
    });
    if (json) printJson(summary);
    else print(describe(summary));
  });
}

function describe({ index, replaced }: RollbackSummary): string {
  return `${index} is live now. It replaces ${replaced}.`;
}
