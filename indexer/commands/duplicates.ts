import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { everSince, visibleBatches } from '#outbound/late-suppressions.ts';
import { type JsonFlag, print, printJson, printResult } from '#src/command-line/command-line.ts';
import { refuseExisting, writeOutputFile } from '#src/command-line/output.ts';
import { createProgressDisplay } from '#src/command-line/progress.ts';
import { writeCsv } from '#src/encodings/columns.ts';
import { countOf } from '#text/printed.ts';
import { type FoundDuplicates, findDuplicates } from '../records/find-duplicates.ts';
import {
  actionFor,
  type DuplicateRow,
  duplicateColumns,
  rowsOfGroup,
  type ShownGroup,
  type ShownMember,
  withContacts,
} from '../records/show-duplicates.ts';

interface DuplicatesSummary {
  searched: number;
  groups: number;
  records: number;
  left_out: FoundDuplicates['leftOut'];
  output: string | null;
}

export function addTo(program: Command): void {
  program
    .command('duplicates')
    .description('list records that seem to be the same medium, with reasons; changes nothing, see docs/data-staff.md')
    .option('--output <file>', 'write the groups to this CSV file')
    .action(listDuplicates);
}

async function listDuplicates({ output, json = false }: JsonFlag & { output?: string }): Promise<void> {
  if (output !== undefined) refuseExisting(output, 'Delete it');
  const display = createProgressDisplay({ isSilent: json });
  await withBackends(async ({ records, suppressions }) => {
    const stored = await records.count();
    // Suppressed records stay hidden, so they are not merged.
    const visible = visibleBatches(records.readAll(), suppressions);
    const { searched, groups, leftOut } = await findDuplicates(visible, (unit, done) => {
      const [title, total] = unit === 'records' ? ['reading', stored] : ['comparing', null];
      display.show({ title, done, total, count: done, unit });
    }).finally(display.stop);
    const groupsWithContacts = withContacts(groups, records, await suppressions.listKeysSince(everSince));
    if (output !== undefined) await writeOutputFile(output, writeCsv(rowsOf(groupsWithContacts), duplicateColumns));
    else await printGroups(groupsWithContacts, json);
    const count = groups.reduce((sum, { drop }) => sum + 1 + drop.length, 0);
    const summary = { searched, groups: groups.length, records: count, left_out: leftOut, output: output ?? null };
    printResult<DuplicatesSummary>(summary, describeSummary, json);
  });
}

async function* rowsOf(groups: AsyncIterable<ShownGroup>): AsyncGenerator<DuplicateRow[]> {
  let number = 0;
  for await (const group of groups) yield rowsOfGroup(group, ++number);
}

async function printGroups(groups: AsyncIterable<ShownGroup>, isJson: boolean): Promise<void> {
  let number = 0;
  for await (const group of groups) isJson ? printJson(group) : print(describeGroup(++number, group));
}

function describeGroup(number: number, { keep, drop }: ShownGroup): string {
  const lines = drop.map(({ record, score, reasons, against, like }) => {
    const why = like === keep.id ? reasons.join(', ') : `${reasons.join(', ')} as ${like}`;
    const but = against.length === 0 ? '' : `; but ${against.join(', ')}`;
    return `   ${actionFor({ against }) || 'look'} ${describeCandidate(record)}\n        ${score}: ${why}${but}`;
  });
  return [`${number}. keep ${describeCandidate(keep)}`, ...lines, ''].join('\n');
}

function describeCandidate({ id, name, city, country, url, fields, contacts }: ShownMember): string {
  const place = [city, country].filter((part) => part !== null).join(', ');
  const line = [id, [name, place].filter((part) => part !== '').join(' · '), url, countOf(fields, 'field')]
    .filter((part) => part !== null)
    .join('  ');
  return [line, ...contacts.map((contact) => `        ${contact}`)].join('\n');
}

function describeSummary({ searched, groups, records, left_out, output }: DuplicatesSummary): string {
  const searchedFor = `${countOf(searched, 'record')} searched: ${countOf(groups, 'group')} of ${countOf(records, 'record')}.`;
  const leftOut = Object.entries(left_out).map(
    ([kind, { keys, records: sharing }]) =>
      `Not compared because too many records share one: ${keys} × ${kind}, ${countOf(sharing, 'record')}.`,
  );
  const outputLine = output === null ? [] : [`Written to ${output}.`];
  return [searchedFor, ...leftOut, ...outputLine].join('\n');
}
