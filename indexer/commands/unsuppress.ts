import { Command } from 'commander';
import { describeKey } from '#domain/suppression.ts';
import { doAudited } from '../audited.ts';
import { createPhaseDisplay } from '../show-count.ts';
import { type GivenSuppressions, readSuppressions } from '../suppress/read-suppressions.ts';
import { type UnsuppressionSummary, unsuppressRecords } from '../suppress/unsuppress-records.ts';
import { withBackends } from './with-backends.ts';

export const unsuppressCommand = new Command('unsuppress')
  .description('let records be found again; exit 0 only when all that is named was on the list')
  .option('--address <address...>', 'as it was suppressed')
  .option('--domain <domain...>', 'as it was suppressed')
  .option('--record <id...>', 'as it was suppressed')
  .option('--from <file>', 'more of them, one a line: `address name@example.org`; - for standard input')
  .option('--json', 'print the outcome as JSON, and nothing else')
  .action(async ({ json = false, ...given }: GivenSuppressions & { json?: boolean }) => {
    const keys = await readSuppressions(given);
    await withBackends(async ({ upkeep, whenPrepared }, { auditor }) => {
      await whenPrepared();
      const display = createPhaseDisplay(await upkeep.source.count(), json);
      const onProgress = (read: number) => display.show('looking', read);
      const summary = await doAudited(auditor, {
        action: 'unsuppress',
        subjects: keys.map(describeKey),
        work: () => unsuppressRecords(upkeep, keys, onProgress).finally(display.stop),
        describe,
      });
      console.log(json ? JSON.stringify(summary) : describe(summary));
      const unknown = keys.length - summary.removed;
      if (unknown === 0) return;
      console.error(`masthead: ${unknown} of those named ${unknown === 1 ? 'was' : 'were'} not on the list.`);
      process.exitCode = 1;
    });
  });

function describe({ removed, shown }: UnsuppressionSummary): string {
  return `${removed} ${removed === 1 ? 'suppression' : 'suppressions'} removed, ${shown} ${shown === 1 ? 'record' : 'records'} can be found again.`;
}
