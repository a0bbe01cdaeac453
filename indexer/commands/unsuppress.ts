import { Command } from 'commander';
import { operatorName } from '#src/operator-name.ts';
import { logDeed } from '../log-deed.ts';
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
    await withBackends(async ({ upkeep, audit, whenPrepared }) => {
      await whenPrepared();
      await logDeed(audit, { at: new Date().toISOString(), operator: operatorName(), action: 'unsuppress' }, keys);
      const display = createPhaseDisplay(await upkeep.source.count(), json);
      const onProgress = (read: number) => display.show('looking', read);
      const summary = await unsuppressRecords(upkeep, keys, onProgress).finally(display.stop);
      console.log(json ? JSON.stringify(summary) : describe(summary, keys.length));
      if (summary.removed < keys.length) process.exitCode = 1;
    });
  });

function describe({ removed, shown }: UnsuppressionSummary, given: number): string {
  const unknown = given - removed;
  return [
    `${removed} ${removed === 1 ? 'suppression' : 'suppressions'} removed, ${shown} ${shown === 1 ? 'record' : 'records'} can be found again.`,
    ...(unknown === 0 ? [] : [`${unknown} of those named ${unknown === 1 ? 'was' : 'were'} not on the list.`]),
  ].join('\n');
}
