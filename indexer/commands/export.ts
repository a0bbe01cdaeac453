import { basename, extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { doAudited } from '#accounts/audit.ts';
import { withBackends } from '#indexer/open-indexer.ts';
import { contactRows, contactsThatMeet } from '#outbound/export-rows.ts';
import { visibleBatches } from '#outbound/late-suppressions.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { withoutContactFilters } from '#search/contact-filters.ts';
import { type RowKind, rowKinds } from '#search/contact-row.ts';
import { everything } from '#search/search-query.ts';
import { type JsonFlag, printError, printResult, UsageError } from '#src/command-line/command-line.ts';
import { refuseExisting, writeOutputFile } from '#src/command-line/output.ts';
import { createProgressDisplay } from '#src/command-line/progress.ts';
import { fileFormats } from '#src/encodings/formats.ts';
import { countOf } from '#text/printed.ts';
import { chooseRecords, readFilters } from '../records/choose-records.ts';

interface ExportFlags extends JsonFlag {
  format?: FormatName;
  rows?: RowKind;
  filter?: string[];
  force?: boolean;
}

/** The formats that `import` reads back. */
const exportedFormats = ['ndjson', 'csv'] as const;
type FormatName = (typeof exportedFormats)[number];

interface ExportSummary {
  file: string;
  format: FormatName;
  /** Records in the file, or whose contacts are. */
  records: number;
  /** How many contacts have a row; null if records are the rows. */
  contacts: number | null;
  /** How many were left out because they are suppressed; null with filters, because searches do not count them. */
  suppressed: number | null;
  /** How many stored documents are not records, such as those of other tools; null with filters. */
  unreadable: number | null;
}

export function addTo(program: Command): void {
  program
    .command('export')
    .description('write all records, or those that a search finds, to a file that `import` reads back unchanged')
    .argument('<file>', 'a file that ends in .ndjson or .csv, or - for standard output')
    .addOption(
      new Option('--format <format>', 'the format (default: by the ending of the file)').choices(['ndjson', 'csv']),
    )
    .addOption(
      new Option('--rows <rows>', 'what has a row: each record, or each contact that meets the filters')
        .choices(rowKinds)
        .default('records'),
    )
    .option('--filter <name=value...>', 'a parameter of the search API, such as country=US|CA or q=radio')
    .option('--force', 'replace the file if it exists')
    .action(exportToFile);
}

async function exportToFile(
  file: string,
  { format, rows = 'records', filter = [], force = false, json = false }: ExportFlags,
): Promise<void> {
  const name = format ?? formatOf(file);
  const query = readFilters(filter);
  const media = query !== null && rows === 'contacts' ? withoutContactFilters(query) : query;
  if (file !== '-' && !force) refuseExisting(file, 'Add --force to replace it');
  const display = createProgressDisplay({ isSilent: json || file === '-' });
  await withBackends(async (backends) => {
    const counts = { read: 0, records: 0, contacts: 0, unreadable: 0 };
    const work = async (): Promise<ExportSummary> => {
      const { total, batches } = await chooseRecords(backends, media, (count) => {
        counts.unreadable += count;
      });
      const visible = visibleBatches(
        countBatches(batches, (count) => {
          counts.read += count;
        }),
        backends.suppressions,
      );
      const records = countBatches(visible, (count) => {
        counts.records += count;
        display.show({ title: basename(file), done: counts.records, total, count: counts.records, unit: 'records' });
      });
      const ofContacts = countBatches(
        contactRows(records, (record) => contactsThatMeet(record, query ?? everything)),
        (count) => {
          counts.contacts += count;
        },
      );
      const content = fileFormats
        .find((candidate) => candidate.name === name)
        ?.write(rows === 'contacts' ? ofContacts : records, { rows });
      if (content === undefined) throw new Error(`there is no format ${name}`);
      await write(content, file).finally(display.stop);
      const { read: readCount, unreadable, ...writtenCounts } = counts;
      const leftOut =
        query === null
          ? { suppressed: readCount - writtenCounts.records, unreadable }
          : { suppressed: null, unreadable: null };
      return { file, format: name, ...writtenCounts, ...(rows === 'records' && { contacts: null }), ...leftOut };
    };
    const subject = [file === '-' ? 'standard output' : file, ...filter].join(' ');
    const summary = await doAudited(backends, { action: 'export', subjects: [subject], work, describe });
    // With `-`, standard output has the records, so the summary goes to standard error.
    if (file === '-') printError(describe(summary));
    else printResult(summary, describe, json);
  });
}

async function* countBatches(batches: AsyncIterable<readonly MediaRecord[]>, onRead: (count: number) => void) {
  for await (const batch of batches) {
    onRead(batch.length);
    yield batch;
  }
}

function formatOf(file: string): FormatName {
  if (file === '-') return 'ndjson';
  const ending = extname(file).slice(1).toLowerCase();
  const format = exportedFormats.find((name) => name === ending);
  if (format === undefined)
    throw new UsageError('the name of the file must end in .ndjson or .csv. If it cannot, add --format.');
  return format;
}

/** Writes to a file, or to standard output for `-`, which stays open. */
async function write(content: AsyncIterable<Buffer>, file: string): Promise<void> {
  if (file === '-') await pipeline(content, process.stdout, { end: false });
  else await writeOutputFile(file, content);
}

function describe({ records, contacts, suppressed, unreadable }: ExportSummary): string {
  const rows =
    contacts === null ? countOf(records, 'record') : `${countOf(contacts, 'contact')} of ${countOf(records, 'record')}`;
  const leftOut = [
    ...(suppressed ? [`; ${countOf(suppressed, 'suppressed record')} left out`] : []),
    ...(unreadable
      ? [`; ${countOf(unreadable, 'unreadable record')} left out, see npm run indexer -- status --dead-letters`]
      : []),
  ];
  return `${rows} exported${leftOut.join('')}`;
}
