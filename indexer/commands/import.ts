import { basename, join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withBackendsToRead, withNewBackends } from '#indexer/open-indexer.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import { type Kind, kinds } from '#records/vocabularies.ts';
import { type JsonFlag, print, printResult, reportFault, UsageError } from '#src/command-line/command-line.ts';
import { createProgressDisplay, type Progress } from '#src/command-line/progress.ts';
import {
  describeCounts,
  describeFaults,
  describeSummary,
  type ImportSummary,
} from '../importing/accounting/import-summary.ts';
import { askColumns, describeColumns } from '../importing/ask-columns.ts';
import { type ColumnMap, loadColumns, readEncoding, usualColumns } from '../importing/columns/column-map.ts';
import type { ImportProgress } from '../importing/import-file.ts';
import { importFiles } from '../importing/run-import.ts';
import { doRecorded } from '../records/do-recorded.ts';

const maxSourceLength = 60;

interface ImportFlags extends JsonFlag {
  dryRun?: boolean;
  keepSample?: boolean;
  kind?: Kind;
  rejects?: string;
  sheet?: string;
  encoding?: string;
  columns?: string;
  ignore: string[];
  source?: string;
  complete?: boolean;
}

export function addTo(program: Command): void {
  program
    .command('import')
    .description('import lists: CSV, NDJSON, JSON and Excel files; exits with 0 only if every row was imported')
    .argument('<file...>', 'files, gzipped or not, or - for standard input')
    .option('--dry-run', 'report what would happen and change nothing')
    .addOption(new Option('--kind <kind>', 'the kind of rows that have none').choices(kinds))
    .option('--columns <file>', 'what each column means: a column file, or auto')
    .option(
      '--ignore <heading>',
      'leave this column out; repeatable',
      (heading, headings: string[]) => [...headings, heading],
      [],
    )
    .option('--sheet <name>', 'the sheet of workbooks (default: the first visible one)')
    .option('--encoding <label>', 'such as windows-1252, for text that is not UTF-8', readEncoding)
    .option('--rejects <folder>', 'folder for rejected rows and notes on others (default: rejects/ in the data folder)')
    .option(
      '--source <name>',
      'the name of the list: people whom only this list named and no longer names leave the media that it names',
      readSource,
    )
    .option('--complete', 'with --source: they leave all other media, too')
    .option('--keep-sample', 'keep the sample records')
    .action(importRecords);
}

async function importRecords(files: string[], flags: ImportFlags): Promise<void> {
  const { dryRun = false, columns, source, complete = false, json = false } = flags;
  if (complete && source === undefined) {
    throw new UsageError('--complete needs --source NAME, the name of the list that is complete.');
  }
  const named = columns === undefined ? usualColumns : await loadColumns(columns);
  const columnMap = named.with(Object.fromEntries(flags.ignore.map((heading) => [heading, null])));
  const { kind = null, sheet = null, encoding = null } = flags;
  const reading = { kind, sheet, encoding, columns: columnMap };
  const proposing = { ...reading, columns: columnMap.with({}, 'propose') };
  const showProposal = async (file: string) => print((await describeColumns(file, proposing))?.file ?? '');
  const showsProposals = columns === 'auto' && dryRun && !json;
  if (showsProposals) for (const file of files) await showProposal(file);
  const isAsking = !showsProposals && process.stdin.isTTY && process.stderr.isTTY && !json;
  const columnsOf = isAsking ? await askForEach(files, reading) : new Map<string, ColumnMap>();
  if (columnsOf === null) {
    process.exitCode = 1;
    return;
  }
  const display = createProgressDisplay({ isSilent: json });
  const open = dryRun ? withBackendsToRead : withNewBackends;
  await open(async (backends, { dataDir }) => {
    const run = async (changeSet?: string): Promise<ImportSummary> => {
      const summary = await importFiles(files, {
        records: backends.records,
        mergedIds: backends.mergedIds,
        suppressions: backends.suppressions,
        ...(changeSet !== undefined && { changeSet }),
        dryRun,
        removesSample: !flags.keepSample,
        source: source === undefined ? null : { name: source, isComplete: complete },
        ...reading,
        columnsOf,
        rejectsFolder: flags.rejects ?? join(dataDir, 'rejects'),
        onProgress: (progress) => display.show(describeProgress(progress)),
      }).finally(display.stop);
      printResult(summary, describeSummary, json);
      for (const fault of describeFaults(summary)) reportFault(fault);
      return summary;
    };
    if (dryRun) {
      const { files: tried } = await run();
      const refused = columns === 'auto' || json ? [] : tried.filter(({ refused }) => refused !== null);
      for (const { file } of refused) await showProposal(file);
    } else {
      const summary = await doRecorded(backends, {
        action: 'import',
        subjects: files,
        work: run,
        describe: describeCounts,
        count: countRows,
        files: ({ files }) => files.map(({ file, sha256, size }) => ({ name: file, sha256, size })),
      });
      await backends.maintenance.settle(summary.created + summary.updated + summary.left_records);
    }
  });
}

/** The columns of each list that a person agreed to; null if they do not want to import one of them now. */
async function askForEach(
  files: readonly string[],
  reading: Parameters<typeof askColumns>[1],
): Promise<Map<string, ColumnMap> | null> {
  const mapOfFile = new Map<string, ColumnMap>();
  for (const file of files) {
    const columns = await askColumns(file, reading, { input: process.stdin, output: process.stderr });
    if (columns === null) return null;
    mapOfFile.set(file, columns);
  }
  return mapOfFile;
}

/** The name of a list, which contacts remember. It is kept, so it must hold no address. */
function readSource(text: string): string {
  const name = cleanText(text, maxSourceLength);
  if (name !== '' && name === text.trim()) return name;
  throw new InvalidArgumentError(
    `Use a name of at most ${maxSourceLength} characters without addresses, such as press-uk.`,
  );
}

function countRows(summary: ImportSummary) {
  const { read, created, updated, unchanged, repeated, rejected, sample_removed, people } = summary;
  const { created: people_created, updated: people_updated, moved: people_moved, left: people_left } = people;
  const ofPeople = { people_created, people_updated, people_moved, people_left };
  return { read, created, updated, unchanged, repeated, rejected, sample_removed, ...ofPeople };
}

function describeProgress({ file, phase, size, bytesRead, rows }: ImportProgress): Progress {
  const title = phase === 'looking' ? `${basename(file)}: scanning for repeated rows` : basename(file);
  return { title, done: bytesRead, total: size, count: rows, unit: 'rows' };
}
