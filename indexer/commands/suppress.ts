import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { withBackends, withNewBackends } from '#indexer/open-indexer.ts';
import { describeKey, faultOfReason, showKey } from '#records/suppression.ts';
import { writeSuppressionFile } from '#records/suppression-file.ts';
import type { SuppressionSummary } from '#search/index-maintenance.ts';
import { type JsonFlag, printResult, reportFault, UsageError } from '#src/command-line/command-line.ts';
import { printRows, refuseExisting, writeOutputFile } from '#src/command-line/output.ts';
import { countOf, quoteForShell } from '#text/printed.ts';
import { describeMerged } from '../records/merge-duplicates.ts';
import { type GivenSuppressions, readSuppressions, recordsOf, withMergedIds } from '../records/read-suppressions.ts';

interface SuppressFlags extends GivenSuppressions, JsonFlag {
  reason?: string;
  dryRun?: boolean;
  list?: boolean;
  export?: string;
}

export function addTo(program: Command): void {
  program
    .command('suppress')
    .description('hide records for good, even if they are imported again; see docs/data-staff.md')
    .argument('[entry...]', 'addresses, domains and ids, told apart by their form')
    .option('--address <address...>', 'every record with this email address')
    .option('--domain <domain...>', 'every record with an address, page or feed at this domain or below')
    .option('--record <id...>', 'one record')
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
    .option('--dry-run', 'report how many records would be hidden and change nothing')
    .action(suppress);
}

async function suppress(
  entries: string[],
  { list, export: file, reason, dryRun = false, json, ...given }: SuppressFlags,
): Promise<void> {
  if (list) return listSuppressions(json);
  if (file !== undefined) return exportSuppressions(file, json);
  const fault = reason === undefined ? null : faultOfReason(reason);
  if (fault !== null) throw new UsageError(fault);
  const { named, carried } = await readSuppressions({ ...given, entries });
  await withNewBackends(async (backends) => {
    const { records, maintenance, mergedIds } = backends;
    await backends.whenPrepared();
    const merged = (await Promise.all(recordsOf(named).map((id) => mergedIds.find(id)))).filter((one) => one !== null);
    for (const one of merged) reportFault(describeMerged(one));
    if (merged.length > 0) return;
    const keys = await withMergedIds(mergedIds, [...named, ...carried.keys()]);
    const found = await Promise.all(recordsOf(named).map(async (id) => ({ id, record: await records.find(id) })));
    const unknown = found.flatMap(({ id, record }) => (record === null ? [id] : []));
    if (dryRun) {
      const hidden = (await maintenance.findVisible(keys)).length;
      const would = `${countOf(hidden, 'record')} would be hidden.`;
      printResult({ hidden, unknown }, () => [would, ...describeUnknown(unknown)].join('\n'), json);
      return;
    }
    const addedAt = new Date().toISOString();
    const summary = await doAudited(backends, {
      action: 'suppress',
      subjects: keys.map(describeKey),
      work: () =>
        maintenance.suppress(keys.map((key) => ({ key, reason: carried.get(key) ?? reason ?? null, addedAt }))),
      describe: describeAdded,
    });
    const lines = [describeAdded(summary), ...describeUnknown(unknown), ...(summary.hidden > 0 ? [whatStays] : [])];
    printResult({ ...summary, unknown }, () => lines.join('\n'), json);
  });
}

const whatStays =
  'Hidden records stay in the store with all their values. To delete one: npm run indexer -- delete ID --for-good';

function describeUnknown(ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`No record has the id ${ids.join(', ')} so far. It is hidden if it is imported.`];
}

function describeAdded({ added, known, hidden }: SuppressionSummary): string {
  const before = known === 0 ? '' : ` (${known} already on the list)`;
  return `${countOf(added, 'suppression')} added${before}, ${countOf(hidden, 'record')} hidden.`;
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
    const written = `${countOf(entries.length, 'suppression')} written to ${file}. In the other store: npm run indexer -- suppress --from ${quoteForShell(file)}`;
    printResult({ file, suppressions: entries.length }, () => written, json);
  });
}

async function listSuppressions(json?: boolean): Promise<void> {
  await withBackends(async ({ suppressions }) => {
    const rows = (await suppressions.list()).map(({ key, reason, addedAt }) => ({
      ...showKey(key),
      reason,
      added_at: addedAt,
    }));
    printRows(rows, 'Nothing is suppressed.', json);
  });
}
