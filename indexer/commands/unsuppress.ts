import type { Command } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { withReadyBackends } from '#indexer/open-indexer.ts';
import { describeKey } from '#records/suppression.ts';
import type { UnsuppressionSummary } from '#search/index-maintenance.ts';
import { type JsonFlag, printResult, reportFault } from '#src/command-line/command-line.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { countOf } from '#text/printed.ts';
import { type GivenSuppressions, readSuppressions, withMergedIds } from '../records/read-suppressions.ts';

export function addTo(program: Command): void {
  program
    .command('unsuppress')
    .description('show suppressed records again; exits with 0 only if all entries were on the list')
    .argument('[entry...]', 'addresses, domains and ids, told apart by their form')
    .option('--address <address...>', 'as it was suppressed')
    .option('--domain <domain...>', 'as it was suppressed')
    .option('--record <id...>', 'as it was suppressed')
    .option('--from <file>', 'more entries, one per line, such as `address name@example.org`; - for standard input')
    .action(unsuppress);
}

async function unsuppress(entries: string[], { json, ...given }: GivenSuppressions & JsonFlag): Promise<void> {
  const { named, carried } = await readSuppressions({ ...given, entries });
  await withReadyBackends(async (backends) => {
    const keys = await withMergedIds(backends.mergedIds, [...named, ...carried.keys()]);
    const progress = countRecords(await backends.records.count(), { isSilent: json });
    const onProgress = (read: number) => progress.show('looking', read);
    const summary = await doAudited(backends, {
      action: 'unsuppress',
      subjects: keys.map(describeKey),
      work: () => backends.maintenance.unsuppress(keys, onProgress).finally(progress.stop),
      describe: describeRemoved,
    });
    printResult(summary, describeRemoved, json);
    const unknown = keys.length - summary.removed;
    if (unknown > 0) reportFault(`${unknown} of the entries ${unknown === 1 ? 'was' : 'were'} not on the list.`);
  });
}

function describeRemoved({ removed, shown }: UnsuppressionSummary): string {
  return `${countOf(removed, 'suppression')} removed, ${countOf(shown, 'record')} can be found again.`;
}
