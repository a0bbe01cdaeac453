import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { type IndexerBackends, withBackends, withNewBackends } from '#indexer/open-indexer.ts';
import type { HiddenCounts } from '#records/plan-suppression.ts';
import { faultOfReason } from '#records/read-suppression.ts';
import { describeKey, type Suppression, showKey } from '#records/suppression.ts';
import { writeSuppressionFile } from '#records/suppression-file.ts';
import type { SuppressionSummary } from '#search/indexed/index-maintenance.ts';
import { type JsonFlag, printResult, reportFault, UsageError } from '#src/command-line/command-line.ts';
import { printRows, refuseExisting, writeOutputFile } from '#src/command-line/output.ts';
import { countOf, quoteForShell } from '#text/printed.ts';
import { findContacts, keysOfChosen, oneRecord } from '../records/choose-people.ts';
import { describeMerged } from '../records/merge-duplicates.ts';
import {
  type GivenSuppressions,
  type ReadSuppressions,
  readSuppressions,
  recordsOf,
  withMergedIds,
} from '../records/read-suppressions.ts';

interface SuppressFlags extends GivenSuppressions, JsonFlag {
  reason?: string;
  contact?: string[];
  dryRun?: boolean;
  list?: boolean;
  export?: string;
}

export function addTo(program: Command): void {
  program
    .command('suppress')
    .description('hide people and records for good, even if they are imported again; see docs/data-staff.md')
    .argument('[entry...]', 'addresses, domains and ids, told apart by their form')
    .option('--address <address...>', 'the person with this email address, wherever she is')
    .option('--domain <domain...>', 'records with a page, contacts with an address at it')
    .option('--record <id...>', 'one record')
    .option('--contact <id...>', 'not the record that you name, but this person at it')
    .option(
      '--from <file>',
      'more entries, one per line, such as `address name@example.org`, or a file of --export; - for standard input',
    )
    .option('--reason <text>', 'why, for the list; must not contain an address')
    .option('--list', 'list what is suppressed instead, oldest first; addresses appear as the start of their hash')
    .option(
      '--export <file>',
      'write all entries to a new file, for --from in another store; it holds no readable address',
    )
    .option('--dry-run', 'report how much would be hidden and change nothing')
    .action(suppress);
}

async function suppress(
  entries: string[],
  { list, export: file, reason, dryRun = false, contact, json, ...flags }: SuppressFlags,
): Promise<void> {
  if (list) return listSuppressions(json);
  if (file !== undefined) return exportSuppressions(file, json);
  const fault = reason === undefined ? null : faultOfReason(reason);
  if (fault !== null) throw new UsageError(fault);
  const suppressionsRead = contact === undefined ? await readSuppressions({ ...flags, entries }) : null;
  if (suppressionsRead !== null && suppressionsRead.named.length + suppressionsRead.carried.size === 0) {
    const nothing = { hidden: 0, hidden_contacts: 0, unknown: [] };
    const summary = dryRun ? nothing : { added: 0, known: 0, ...nothing };
    return printResult(summary, () => 'The other store had no suppressions. Nothing was changed.', json);
  }
  await withNewBackends(async (backends) => {
    await backends.whenPrepared();
    const chosen =
      suppressionsRead === null
        ? await chooseWho(backends, entries, contact ?? [])
        : await chooseWhat(backends, suppressionsRead);
    if (chosen === null) return;
    const { unknown, shared } = chosen;
    const addedAt = new Date().toISOString();
    const suppressions = chosen.entries.map((entry) => ({ ...entry, reason: entry.reason ?? reason ?? null, addedAt }));
    const keys = suppressions.map(({ key }) => key);
    if (dryRun) {
      const { hidden } = await backends.maintenance.planSuppression(keys);
      const would = `${describeCounts(hidden)} would be hidden.`;
      const plan = { hidden: hidden.records, hidden_contacts: hidden.contacts, unknown };
      printResult(plan, () => [would, ...describeUnknown(unknown), ...shared].join('\n'), json);
      return;
    }
    const summary = await doAudited(backends, {
      action: 'suppress',
      subjects: keys.map(describeKey),
      work: () => backends.maintenance.suppress(suppressions),
      describe: describeAdded,
    });
    const isHiding = summary.hidden + summary.hidden_contacts > 0;
    const lines = [describeAdded(summary), ...describeUnknown(unknown), ...shared, ...(isHiding ? [whatStays] : [])];
    printResult({ ...summary, unknown }, () => lines.join('\n'), json);
  });
}

/** What to add to the list. */
interface ChosenEntries {
  entries: Pick<Suppression, 'key' | 'reason' | 'follows'>[];
  /** Named ids without a record so far. */
  unknown: string[];
  /** What to say of addresses that others share. */
  shared: string[];
}

/** Addresses, domains and records; null if something is wrong with one of them, which is reported. */
async function chooseWhat(
  { records, mergedIds }: IndexerBackends,
  { named, carried }: ReadSuppressions,
): Promise<ChosenEntries | null> {
  const merged = (await Promise.all(recordsOf(named).map((id) => mergedIds.find(id)))).filter(
    (mergedRecord) => mergedRecord !== null,
  );
  for (const mergedRecord of merged) reportFault(describeMerged(mergedRecord));
  if (merged.length > 0) return null;
  const keys = await withMergedIds(mergedIds, [...named, ...carried.keys()]);
  const stored = await Promise.all(recordsOf(named).map(async (id) => ({ id, record: await records.find(id) })));
  return {
    entries: keys.map((key) => ({ key, reason: null, ...carried.get(key) })),
    unknown: stored.flatMap(({ id, record }) => (record === null ? [id] : [])),
    shared: [],
  };
}

/** People at one record; null if something is wrong, which is reported. */
async function chooseWho(
  backends: IndexerBackends,
  ids: readonly string[],
  contactIds: readonly string[],
): Promise<ChosenEntries | null> {
  const people = await findContacts(backends, oneRecord(ids), contactIds);
  if ('fault' in people) {
    reportFault(people.fault);
    return null;
  }
  const chosen: ChosenEntries = { entries: [], unknown: [], shared: [] };
  for (const contact of people.chosen) {
    const { byName, byAddress, isShared } = keysOfChosen(people.record, contact);
    if (byName === null && byAddress === null) {
      reportFault(
        `contact ${contact.id} has no name and no address of its own, by which later imports could know it again. To delete it: npm run indexer -- delete ${people.record.id} --contact ${contact.id}`,
      );
      return null;
    }
    const names = byName === null ? [] : await withMergedIds(backends.mergedIds, [byName]);
    chosen.entries.push(...names.map((key) => ({ key, reason: null })));
    if (byAddress !== null) {
      chosen.entries.push({ key: byAddress, reason: null, ...(byName !== null && { follows: byName }) });
    }
    if (isShared) chosen.shared.push(`The address of contact ${contact.id} is also that of others there. They stay.`);
  }
  return chosen;
}

const whatStays =
  'What is hidden stays in the store with all its values. To delete a record: npm run indexer -- delete ID --for-good';

function describeUnknown(ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`No record has the id ${ids.join(', ')} so far. It is hidden if it is imported.`];
}

function describeAdded({ added, known, hidden, hidden_contacts }: SuppressionSummary): string {
  const before = known === 0 ? '' : ` (${known} already on the list)`;
  const counts = describeCounts({ records: hidden, contacts: hidden_contacts });
  return `${countOf(added, 'suppression')} added${before}, ${counts} hidden.`;
}

function describeCounts({ records, contacts }: HiddenCounts): string {
  return `${countOf(records, 'record')} and ${countOf(contacts, 'contact')}`;
}

async function exportSuppressions(file: string, json?: boolean): Promise<void> {
  refuseExisting(file, 'Delete it');
  await withBackends(async (backends) => {
    const entries = await backends.suppressions.list();
    await doAudited(backends, {
      action: 'suppress --export',
      subjects: [file],
      work: () =>
        writeOutputFile(
          file,
          Readable.from(writeSuppressionFile(entries)).map((line) => Buffer.from(line)),
        ),
      describe: () => `${entries.length} written`,
    });
    const confirmation = `${countOf(entries.length, 'suppression')} written to ${file}. In the other store: npm run indexer -- suppress --from ${quoteForShell(file)}`;
    printResult({ file, suppressions: entries.length }, () => confirmation, json);
  });
}

async function listSuppressions(json?: boolean): Promise<void> {
  await withBackends(async ({ suppressions }) => {
    const rows = (await suppressions.list()).map(({ key, reason, addedAt, follows }) => ({
      ...showKey(key),
      reason,
      added_at: addedAt,
      ...(follows !== undefined && { follows: describeKey(follows) }),
    }));
    printRows(rows, 'Nothing is suppressed.', json);
  });
}
