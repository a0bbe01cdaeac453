import type { Command } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { type IndexerBackends, withReadyBackends } from '#indexer/open-indexer.ts';
import { describeKey } from '#records/suppression.ts';
import type { UnsuppressionSummary } from '#search/indexed/index-maintenance.ts';
import { type JsonFlag, printResult, reportFault } from '#src/command-line/command-line.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { countOf } from '#text/printed.ts';
import { entriesThatHide, findContacts, oneRecord } from '../records/choose-people.ts';
import {
  type GivenSuppressions,
  type ReadSuppressions,
  readSuppressions,
  withMergedIds,
} from '../records/read-suppressions.ts';

export function addTo(program: Command): void {
  program
    .command('unsuppress')
    .description('show what was suppressed again; exits with 0 only if all entries were on the list')
    .argument('[entry...]', 'addresses, domains and ids, told apart by their form')
    .option('--address <address...>', 'as it was suppressed')
    .option('--domain <domain...>', 'as it was suppressed')
    .option('--record <id...>', 'as it was suppressed')
    .option('--contact <id...>', 'this person at the record that you name, by whatever hides her')
    .option('--from <file>', 'more entries, one per line, such as `address name@example.org`; - for standard input')
    .action(unsuppress);
}

type UnsuppressFlags = JsonFlag & GivenSuppressions & { contact?: string[] };

async function unsuppress(entries: string[], { json, contact, ...flags }: UnsuppressFlags): Promise<void> {
  const suppressionsRead = contact === undefined ? await readSuppressions({ ...flags, entries }) : null;
  if (suppressionsRead !== null && suppressionsRead.named.length + suppressionsRead.carried.size === 0) {
    const nothing = { removed: 0, shown: 0, shown_contacts: 0 };
    return printResult(nothing, () => 'The file holds no suppressions. Nothing was changed.', json);
  }
  await withReadyBackends(async (backends) => {
    const keys =
      suppressionsRead === null
        ? await keysOfPeople(backends, entries, contact ?? [])
        : await keysOfAll(backends, suppressionsRead);
    if (keys.length === 0) return;
    const progress = countRecords(await backends.records.count(), { isSilent: json });
    const onProgress = (recordCount: number) => progress.show('looking', recordCount);
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

function keysOfAll({ mergedIds }: IndexerBackends, { named, carried }: ReadSuppressions): Promise<string[]> {
  return withMergedIds(mergedIds, [...named, ...carried.keys()]);
}

/** The entries that hide these contacts; none if something is wrong, which is reported. */
async function keysOfPeople(
  backends: IndexerBackends,
  ids: readonly string[],
  contactIds: readonly string[],
): Promise<string[]> {
  const people = await findContacts(backends, oneRecord(ids), contactIds);
  if ('fault' in people) {
    reportFault(people.fault);
    return [];
  }
  const keys = await entriesThatHide(backends.suppressions, people);
  if (keys.length === 0) reportFault('No entry for an address or a person hides that.');
  return keys;
}

function describeRemoved({ removed, shown, shown_contacts }: UnsuppressionSummary): string {
  const counts = `${countOf(shown, 'record')} and ${countOf(shown_contacts, 'contact')}`;
  return `${countOf(removed, 'suppression')} removed, ${counts} can be found again.`;
}
