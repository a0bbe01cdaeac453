import { describeKey } from '#domain/suppression.ts';
import type { GivenSuppressions } from '#src/suppressing/read-suppressions.ts';
import { type UnsuppressionSummary, unsuppressRecords } from '#src/suppressing/unsuppress-records.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { print, printError, printJson } from '../command-line.ts';
import { countRecords, createProgressDisplay } from '../progress.ts';
import { readKeys } from './read-keys.ts';
import { withBackends } from './with-backends.ts';

export interface UnsuppressFlags extends GivenSuppressions {
  json?: boolean;
}

/** `unsuppress` */
export async function runUnsuppress({ json = false, ...given }: UnsuppressFlags): Promise<void> {
  const keys = await readKeys(given);
  await withBackends(async ({ upkeep, whenPrepared }, { auditor }) => {
    await whenPrepared();
    const display = createProgressDisplay(json);
    const show = countRecords(display, await upkeep.source.count());
    const onProgress = (read: number) => show('looking', read);
    const summary = await doAudited(auditor, {
      action: 'unsuppress',
      subjects: keys.map(describeKey),
      work: () => unsuppressRecords(upkeep, keys, onProgress).finally(display.stop),
      describe,
    });
    if (json) printJson(summary);
    else print(describe(summary));
    const unknown = keys.length - summary.removed;
    if (unknown === 0) return;
    printError(`masthead: ${unknown} of the entries ${unknown === 1 ? 'was' : 'were'} not on the list.`);
    process.exitCode = 1;
  });
}

function describe({ removed, shown }: UnsuppressionSummary): string {
  return `${removed} ${removed === 1 ? 'suppression' : 'suppressions'} removed, ${shown} ${shown === 1 ? 'record' : 'records'} can be found again.`;
}
