import type { Command } from 'commander';
import { type IndexerBackends, withBackends } from '#indexer/open-indexer.ts';
import { withoutSuppressed } from '#outbound/late-suppressions.ts';
import { duplicateScore } from '#records/duplicates/compare-media.ts';
import { countOf, type JsonFlag, print, printJson } from '#src/command-line/command-line.ts';
import { formatTable } from '#src/command-line/output.ts';
import { countRecords } from '#src/command-line/progress.ts';
import { collectReport, type Fill, type QualityReport } from '../records/collect-report.ts';
import { findDuplicates } from '../records/find-duplicates.ts';
import { oneByOne } from './duplicates.ts';

/** How many rows of a list are printed for people; JSON has all of them. */
const maxRows = 15;
/** The fields whose shares are printed for people. */
const shownFields = ['url', 'language', 'city', 'categories', 'audience', 'contact_name', 'email', 'feed_url'];

export function addTo(program: Command): void {
  program
    .command('report')
    .description(
      'show how many records there are, which of their fields are known, how fresh addresses are, and what is shared',
    )
    .action(reportQuality);
}

async function reportQuality({ json = false }: JsonFlag): Promise<void> {
  await withBackends(async (backends) => {
    const progress = countRecords(await backends.records.count(), json);
    const report = await collectAll(backends, progress.show).finally(progress.stop);
    if (json) printJson(report);
    else print(describeReport(report).join('\n'));
  });
}

async function collectAll(
  { records, suppressions }: Pick<IndexerBackends, 'records' | 'suppressions'>,
  show: (title: string, done: number) => void,
): Promise<QualityReport> {
  const readShown = () => oneByOne(withoutSuppressed(records.readAll(), suppressions));
  const data = await collectReport(readShown(), new Date(), (done) => show('reading', done));
  const found = await findDuplicates(readShown(), {
    minScore: duplicateScore,
    onProgress: (unit, done) => unit === 'records' && show('looking for duplicates', done),
  });
  found.close();
  return { ...data, duplicates: { groups: found.groups, records: found.records } };
}

function describeReport(report: QualityReport): string[] {
  const { records, kinds, countries, email_statuses, verified, shared_emails, shared_hosts, duplicates } = report;
  const shares = (rows: readonly Fill[], name: (row: number) => string) =>
    rows.map((fill, row) => [
      name(row),
      String(fill.records),
      ...shownFields.map((key) => formatShare(fill.with[key] ?? 0, fill.records)),
    ]);
  const fillHead = ['records', ...shownFields];
  const byStatus = Object.entries(email_statuses).toSorted(([, a], [, b]) => b - a);
  return [
    `${countOf(records, 'record')}. ${describeDuplicates(duplicates)}`,
    ...section(
      'Known, by kind',
      ['kind', ...fillHead],
      shares(kinds, (row) => kinds[row]?.kind ?? ''),
    ),
    ...section(
      'Known, by country',
      ['country', ...fillHead],
      shares(countries, (row) => countries[row]?.country_name ?? countries[row]?.country ?? 'none'),
    ),
    ...section(
      'Addresses, by status',
      ['status', 'records'],
      byStatus.map(([status, count]) => [status, String(count)]),
    ),
    ...section(
      'Addresses, by last verification',
      ['verified', 'records'],
      Object.entries(verified).map(([age, count]) => [age.replaceAll('_', ' '), String(count)]),
    ),
    ...section('Addresses of three records or more', ...sharedTable('email', shared_emails)),
    ...section('Hosts of three records or more', ...sharedTable('host', shared_hosts)),
  ];
}

function describeDuplicates({ groups, records }: QualityReport['duplicates']): string {
  return groups === 0
    ? 'No duplicates found.'
    : `${countOf(groups, 'group')} of duplicates with ${countOf(records, 'record')}: see \`duplicates\`.`;
}

function sharedTable(name: string, shared: QualityReport['shared_hosts']): [string[], string[][]] {
  return [
    [name, 'records', 'for example'],
    shared.map(({ value, records, example }) => [value, String(records), example]),
  ];
}

function section(title: string, head: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const isNumber = (column: number) => /^\d+ ?%?$/.test(rows[0]?.[column] ?? '');
  const more = rows.length - maxRows;
  return [
    '',
    title,
    ...formatTable([head, ...rows.slice(0, maxRows)], (column) => (isNumber(column) ? 'right' : 'left')),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** Whole percents. 100 % and 0 % mean all and none. */
function formatShare(count: number, of: number): string {
  if (count === 0 || count === of) return count === 0 ? '0 %' : '100 %';
  return `${Math.min(99, Math.max(1, Math.round((count / of) * 100)))} %`;
}
