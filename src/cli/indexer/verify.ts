import { describeComparison } from '#src/syncing/describe-index.ts';
import { countDifferences } from '#src/syncing/repair-index.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { print, printJson } from '../command-line.ts';
import { countRecords, createProgressDisplay } from '../progress.ts';
import { withIndex } from './with-backends.ts';

export interface VerifyFlags {
  repair?: boolean;
  json?: boolean;
}

/** `verify` */
export async function runVerify({ repair = false, json = false }: VerifyFlags): Promise<void> {
  await withIndex(async ({ maintenance, records }, { auditor }) => {
    const display = createProgressDisplay(json);
    const show = countRecords(display, await records.count());
    const onProgress = (done: number) => show('comparing', done);
    const compare = () => maintenance.verify({ repairs: repair, onProgress }).finally(display.stop);
    const verification = repair
      ? await doAudited(auditor, {
          action: 'repair',
          subjects: ['search index'],
          work: compare,
          describe: ({ index, compared, missing, extra, stale }) =>
            `${index}: ${compared} compared; fixed: ${missing} missing, ${extra} extra, ${stale} stale`,
        })
      : await compare();
    if (json) printJson(verification);
    else print(describeComparison(verification, repair));
    if (countDifferences(verification) > 0 && !repair) process.exitCode = 1;
  });
}
