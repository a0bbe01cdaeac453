import { basename, join, resolve, sep } from 'node:path';
import { maskAddresses } from '#domain/addresses/scrub-addresses.ts';
import type { ImportedFile } from '#domain/changes/change-set.ts';
import type { Kind } from '#domain/vocabularies.ts';
import type { ImportProgress } from '#src/importing/import-file.ts';
import { importFiles } from '#src/importing/import-files.ts';
import { describeCounts, describeFaults, describeSummary, type ImportSummary } from '#src/importing/import-summary.ts';
import { doRecorded } from '#usecases/do-recorded.ts';
import { purgeChanges } from '#usecases/purge.ts';
import { type JsonFlag, printError, printResult, quoteForShell, reportFault, UsageError } from '../command-line.ts';
import { createProgressDisplay, type Progress } from '../progress.ts';
import { withBackends } from '../with-backends.ts';
import { loadColumns } from './saved-columns.ts';

interface ImportFlags extends JsonFlag {
  dryRun?: boolean;
  keepSample?: boolean;
  kind?: Kind;
  rejects?: string;
  sheet?: string;
  encoding?: string;
  columns?: string;
}

/** `import` */
export async function importRecords(
  files: string[],
  { dryRun = false, keepSample = false, kind, rejects, sheet, encoding, columns, json = false }: ImportFlags,
): Promise<void> {
  if (rejects !== undefined && files.some((file) => isWithin(resolve(file), resolve(rejects)))) {
    throw new UsageError(`--rejects could overwrite what you want to import: ${rejects}. Use another file.`);
  }
  const display = createProgressDisplay(json);
  await withBackends(async (backends, { dataDir, history }) => {
    const columnMap = columns === undefined ? undefined : await loadColumns(columns, dataDir);
    const run = async (changeSet?: string): Promise<ImportSummary> => {
      const summary = await importFiles(files, {
        records: backends.records,
        mergedIds: backends.mergedIds,
        ...(changeSet !== undefined && { changeSet }),
        dryRun,
        removesSample: !keepSample,
        kind: kind ?? null,
        sheet: sheet ?? null,
        encoding: encoding ?? null,
        ...(columnMap !== undefined && { columns: columnMap }),
        rejectsPath: rejects ?? null,
        rejectsFolder: join(dataDir, 'rejects'),
        onProgress: (progress) => display.show(describeProgress(progress)),
      }).finally(display.stop);
      printResult(summary, describeSummary, json);
      for (const fault of describeFaults(summary)) reportFault(fault);
      if (summary.files.some(({ refused }) => refused?.code === 'not_utf8')) suggestEncoding(files);
      return summary;
    };
    if (dryRun) await run();
    else {
      const done = await doRecorded(backends, {
        action: 'import',
        subjects: files,
        work: run,
        describe: describeCounts,
        count: countRows,
        files: listFiles,
      });
      await backends.maintenance.settle(done.created + done.updated);
      await purgeChanges(backends.changes, history, new Date());
    }
  });
}

function countRows({ read, created, updated, unchanged, rejected, sample_removed }: ImportSummary) {
  return { read, created, updated, unchanged, rejected, sample_removed };
}

/** Whether the path is this file, or may be in this folder. */
function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

function listFiles({ files }: ImportSummary): ImportedFile[] {
  return files.map(({ file, sha256, size }) => ({ name: file, sha256, size }));
}

/** The command that reads the files in the likeliest encoding; those that are in already stay as they are. */
function suggestEncoding(files: readonly string[]): void {
  printError(
    `npm run indexer -- import --encoding windows-1252 ${files.map(maskAddresses).map(quoteForShell).join(' ')}`,
  );
}

function describeProgress({ file, phase, size, bytesRead, rows }: ImportProgress): Progress {
  const title = phase === 'looking' ? `${basename(file)}: scanning for repeated ids` : basename(file);
  return { title, done: bytesRead, total: size, count: rows, unit: 'rows' };
}
