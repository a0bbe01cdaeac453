import { basename, join } from 'node:path';
import { type Command, Option } from 'commander';
import { withBackendsToRead, withNewBackends } from '#indexer/open-indexer.ts';
import { type RecordPatch, sampleIdPrefix } from '#records/media-record.ts';
import type { MergedIds, RecordStore, SaveOutcome } from '#records/record-store.ts';
import { type Kind, kinds } from '#records/vocabularies.ts';
import { type JsonFlag, print, printResult, reportFault } from '#src/command-line/command-line.ts';
import { createProgressDisplay, type Progress } from '#src/command-line/progress.ts';
import { askColumns, describeColumns } from '../importing/ask-columns.ts';
import { type ColumnMap, loadColumns, readEncoding, usualColumns } from '../importing/column-map.ts';
import { type ImportProgress, importFile } from '../importing/import-file.ts';
import {
  addCounts,
  describeCounts,
  describeFaults,
  describeSummary,
  type FileSummary,
  type ImportSummary,
} from '../importing/import-summary.ts';
import { inputAt, type ReadOptions } from '../importing/open-input.ts';
import { doRecorded } from '../records/do-recorded.ts';

interface ImportFlags extends JsonFlag {
  dryRun?: boolean;
  keepSample?: boolean;
  kind?: Kind;
  rejects?: string;
  sheet?: string;
  encoding?: string;
  columns?: string;
  ignore: string[];
}

export function addTo(program: Command): void {
  program
    .command('import')
    .description('import lists: CSV, NDJSON, JSON and Excel files; exits with 0 only if every row was imported')
    .argument('<file...>', 'files, gzipped or not, or - for standard input')
    .option('--dry-run', 'report what would happen and change nothing')
    .addOption(new Option('--kind <kind>', 'the kind of rows that have none').choices(kinds))
    .option('--columns <file>', 'which column fills which field: a column file, or auto to use the proposal')
    .option(
      '--ignore <heading>',
      'leave this column out; repeatable',
      (heading, all: string[]) => [...all, heading],
      [],
    )
    .option('--sheet <name>', 'the sheet of Excel workbooks (default: the first one)')
    .option('--encoding <label>', 'the encoding of text that is not UTF-8, such as windows-1252', readEncoding)
    .option('--rejects <folder>', 'folder for rejected rows and notes on others (default: rejects/ in the data folder)')
    .option('--keep-sample', 'keep the sample records')
    .action(importRecords);
}

async function importRecords(
  files: string[],
  { dryRun = false, keepSample = false, kind, rejects, sheet, encoding, columns, ignore, json = false }: ImportFlags,
): Promise<void> {
  const named = columns === undefined ? usualColumns : await loadColumns(columns);
  const columnMap = named.with(Object.fromEntries(ignore.map((heading) => [heading, null])));
  const columnsOf = new Map<string, ColumnMap>();
  const reading = { kind: kind ?? null, sheet: sheet ?? null, encoding: encoding ?? null, columns: columnMap };
  const proposing = { ...reading, columns: columnMap.with({}, 'propose') };
  const showProposal = async (file: string) => print((await describeColumns(file, proposing))?.file ?? '');
  if (columns === 'auto' && dryRun && !json) {
    for (const file of files) await showProposal(file);
  } else if (process.stdin.isTTY && process.stderr.isTTY && !json) {
    const terminal = { input: process.stdin, output: process.stderr };
    for (const file of files) {
      const chosen = await askColumns(file, reading, terminal);
      if (chosen === null) {
        process.exitCode = 1;
        return;
      }
      columnsOf.set(file, chosen);
    }
  }
  const display = createProgressDisplay({ isSilent: json });
  const open = dryRun ? withBackendsToRead : withNewBackends;
  await open(async (backends, { dataDir }) => {
    const run = async (changeSet?: string): Promise<ImportSummary> => {
      const summary = await importFiles(files, {
        records: backends.records,
        mergedIds: backends.mergedIds,
        ...(changeSet !== undefined && { changeSet }),
        dryRun,
        removesSample: !keepSample,
        ...reading,
        columnsOf,
        rejectsFolder: rejects ?? join(dataDir, 'rejects'),
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
      const done = await doRecorded(backends, {
        action: 'import',
        subjects: files,
        work: run,
        describe: describeCounts,
        count: countRows,
        files: ({ files }) => files.map(({ file, sha256, size }) => ({ name: file, sha256, size })),
      });
      await backends.maintenance.settle(done.created + done.updated);
    }
  });
}

function countRows({ read, created, updated, unchanged, repeated, rejected, sample_removed }: ImportSummary) {
  return { read, created, updated, unchanged, repeated, rejected, sample_removed };
}

function describeProgress({ file, phase, size, bytesRead, rows }: ImportProgress): Progress {
  const title = phase === 'looking' ? `${basename(file)}: scanning for repeated rows` : basename(file);
  return { title, done: bytesRead, total: size, count: rows, unit: 'rows' };
}

export interface ImportOptions extends Partial<ReadOptions> {
  records: RecordStore;
  /** The columns of single files, by path, instead of `columns`. */
  columnsOf?: ReadonlyMap<string, ColumnMap>;
  /** Where merged ids lead; absent if there are none. */
  mergedIds?: Pick<MergedIds, 'resolve'>;
  /** The change set to note changes in; absent in a dry run. */
  changeSet?: string;
  dryRun: boolean;
  /** Whether the first record that is not of the sample removes the sample. */
  removesSample: boolean;
  /** The kind of rows that have none; null if a heading or a type must tell it. */
  kind: Kind | null;
  /** The folder for the files about each list: its rejected rows, and notes on others. */
  rejectsFolder: string;
  onProgress?: (progress: ImportProgress) => void;
}

/** Imports lists one after another. Only a failing store ends the run. What was saved stays, and the files can be imported again. */
export async function importFiles(paths: readonly string[], options: ImportOptions): Promise<ImportSummary> {
  const start = performance.now();
  const files: FileSummary[] = [];
  const { records, dryRun, removesSample, changeSet, sheet = null, encoding = null, columns = usualColumns } = options;
  let removed = 0;
  let hasOwn = false;
  /** Saves records. The first one that is not of the sample removes the sample. */
  const save = async (patches: readonly RecordPatch[]): Promise<SaveOutcome[]> => {
    const outcomes = await (dryRun ? records.preview(patches) : records.merge(patches, changeSet));
    if (removesSample && !hasOwn && patches.some((patch, at) => !isSample(patch) && outcomes[at] !== 'incomplete')) {
      hasOwn = true;
      removed = await (dryRun ? countSample(records) : records.removeByIdPrefix(sampleIdPrefix, changeSet));
    }
    return outcomes;
  };
  for (const path of paths) {
    const input = await inputAt(path, { sheet, encoding, columns: options.columnsOf?.get(path) ?? columns });
    const summary = await importFile(input, {
      save,
      prepare: dryRun ? null : (records.prepare?.bind(records) ?? null),
      resolve: async (ids) => (await options.mergedIds?.resolve(ids)) ?? new Map(),
      findAny: async (keys, ids) => {
        const found = await records.findAny(keys, ids);
        return removesSample ? found.filter((record) => !isSample(record)) : found;
      },
      unite: async ([keep = '', ...others]) => {
        if (!dryRun && changeSet !== undefined) await records.mergeDuplicates(keep, others, changeSet);
      },
      about: join(options.rejectsFolder, fileNameFor(input.name, files.length)),
      kind: options.kind,
      onProgress: options.onProgress ?? (() => {}),
    });
    files.push(summary);
    if (summary.stopped !== null) break;
  }
  return {
    import_id: dryRun ? null : (changeSet ?? null),
    dry_run: dryRun,
    ...addCounts(files),
    files,
    sample_removed: removed,
    seconds: Math.round(performance.now() - start) / 1_000,
  };
}

/** How the names of the files about a list begin. `place`: which list of the import it is, from 0. */
function fileNameFor(name: string, place: number): string {
  // File systems allow names of 255 bytes.
  const start = basename(name)
    .replace(/[\s*]+/g, '-')
    .slice(0, 50);
  return `${start}-${new Date().toISOString().replaceAll(':', '-')}${place === 0 ? '' : `-${place + 1}`}`;
}

async function countSample(records: RecordStore): Promise<number> {
  let count = 0;
  for await (const page of records.readAll()) count += page.filter(isSample).length;
  return count;
}

function isSample({ id }: { id: string }): boolean {
  return id.startsWith(sampleIdPrefix);
}
