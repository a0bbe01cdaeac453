import { print, printJson } from '#src/command-line.ts';
import { doAudited } from '../audited.ts';
import { type RollbackSummary, rollBack } from '../upkeep/roll-back.ts';
import { withUpkeep } from './with-backends.ts';

export interface RollbackFlags {
  to?: string;
  json?: boolean;
}

/** `rollback` */
export async function runRollback({ to, json = false }: RollbackFlags): Promise<void> {
  await withUpkeep(async (upkeep, { auditor }) => {
    const summary = await doAudited(auditor, {
      action: 'rollback',
      subjects: [to ?? 'to the index before'],
      work: () => rollBack(upkeep, to ?? null),
      describe,
    });
    if (json) printJson(summary);
    else print(describe(summary));
  });
}

function describe({ index, replaced }: RollbackSummary): string {
  return `${index} is searched now, in the place of ${replaced}.`;
}
