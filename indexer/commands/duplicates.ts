import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { withoutSuppressed } from '#outbound/late-suppressions.ts';
import { type Candidate, type DuplicateGroup, duplicateScore } from '#records/duplicates/compare-media.ts';
import { countOf, type JsonFlag, print, printJson, printResult } from '#src/command-line/command-line.ts';
import { refuseExisting, writeOutputFile } from '#src/command-line/output.ts';
import { createProgressDisplay } from '#src/command-line/progress.ts';
import { writeCsv } from '#src/encodings/columns.ts';
import { actionFor, type DuplicateRow, duplicateColumns, rowsOfGroup } from '#src/encodings/duplicate-columns.ts';
import { type FoundDuplicates, findDuplicates } from '../records/find-duplicates.ts';

interface DuplicatesFlags extends JsonFlag {
  output?: string;
}

/** What a search found, in numbers. */
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

async function listDuplicates({ output, json = false }: DuplicatesFlags): Promise<void> {
  if (output !== undefined) refuseExisting(output, 'Delete it');
  const display = createProgressDisplay(json);
  await withBackends(async ({ records, suppressions }) => {
    const total = await records.count();
    // A suppressed record stays hidden, so it is nothing to merge.
    const found = await findDuplicates(oneByOne(withoutSuppressed(records.readAll(), suppressions)), {
      minScore: duplicateScore,
      onProgress: (unit, done) => {
        const isReading = unit === 'records';
        display.show({
          title: isReading ? 'reading' : 'comparing',
          done,
          total: isReading ? total : null,
          count: done,
          unit,
        });
      },
    }).finally(display.stop);
    try {
      const groups = numbered(found.list());
      if (output === undefined) printGroups(groups, json);
      else await writeGroups(groups, output);
      const { searched, groups: all, records: count, leftOut } = found;
      const summary = { searched, groups: all, records: count, left_out: leftOut, output: output ?? null };
      printResult<DuplicatesSummary>(summary, describeSummary, json);
    } finally {
      found.close();
    }
  });
}

/** The items of batches. */
export async function* oneByOne<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const batch of batches) yield* batch;
}

type Numbered = [group: number, DuplicateGroup];

function* numbered(groups: Iterable<DuplicateGroup>): Generator<Numbered> {
  let count = 0;
  for (const group of groups) {
    count += 1;
    yield [count, group];
  }
}

function printGroups(groups: Iterable<Numbered>, isJson: boolean): void {
  for (const [number, group] of groups) {
    if (isJson) printJson(group);
    else print(describeGroup(number, group));
  }
}

async function writeGroups(groups: Iterable<Numbered>, output: string): Promise<void> {
  async function* rows(): AsyncGenerator<DuplicateRow[]> {
    for (const [number, group] of groups) yield rowsOfGroup(group, number);
  }
  await writeOutputFile(output, writeCsv(rows(), duplicateColumns));
}

function describeGroup(number: number, { keep, drop }: DuplicateGroup): string {
  const lines = drop.map(({ record, score, reasons, against, like }) => {
    const why = like === keep.id ? reasons.join(', ') : `${reasons.join(', ')} as ${like}`;
    const but = against.length === 0 ? '' : `; but ${against.join(', ')}`;
    return `   ${actionFor({ against }) || 'look'} ${describeCandidate(record)}\n        ${score}: ${why}${but}`;
  });
  return [`${number}. keep ${describeCandidate(keep)}`, ...lines, ''].join('\n');
}

function describeCandidate({ id, name, city, country, url, fields }: Candidate): string {
  const place = [city, country].filter((part) => part !== null).join(', ');
  return [id, [name, place].filter((part) => part !== '').join(' · '), url, countOf(fields, 'field')]
    .filter((part) => part !== null)
    .join('  ');
}

function describeSummary({ searched, groups, records, left_out, output }: DuplicatesSummary): string {
  const found = `${countOf(searched, 'record')} searched: ${countOf(groups, 'group')} of ${countOf(records, 'record')}.`;
  const leftOut = Object.entries(left_out).map(
    ([kind, { keys, records: sharing }]) =>
      `Not compared because too many records share one: ${keys} × ${kind}, ${countOf(sharing, 'record')}.`,
  );
  const written = output === null ? [] : [`Written to ${output}.`];
  return [found, ...leftOut, ...written].join('\n');
}
