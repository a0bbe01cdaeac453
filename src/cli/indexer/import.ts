import { basename, join, resolve } from 'node:path';
import type { Kind } from '#domain/vocabularies.ts';
import type { ImportProgress } from '#src/importing/import-file.ts';
import { importFiles } from '#src/importing/import-files.ts';
import { describeCounts, describeFaults, describeSummary, type ImportSummary } from '#src/importing/import-summary.ts';
import { doAudited } from '#usecases/do-audited.ts';
import { type JsonFlag, printResult, reportFault, UsageError } from '../command-line.ts';
import { createProgressDisplay, type Progress } from '../progress.ts';
import { withBackends } from '../with-backends.ts';

interface ImportFlags extends JsonFlag {
  dryRun?: boolean;
  keepSample?: boolean;
  kind?: Kind;
  rejects?: string;
}

/** `import` */
export async function importRecords(
  files: string[],
  { dryRun = false, keepSample = false, kind, rejects, json = false }: ImportFlags,
): Promise<void> {
  if (rejects !== undefined && files.some((file) => resolve(file) === resolve(rejects))) {
    throw new UsageError(`--rejects would overwrite ${rejects}, which you want to import. Use another file.`);
  }
  const display = createProgressDisplay(json);
  await withBackends(async (backends, { dataDir }) => {
    const run = async (): Promise<ImportSummary> => {
      const summary = await importFiles(files, {
        records: backends.records,
        dryRun,
        removesSample: !keepSample,
        kind: kind ?? null,
        rejectsPath: rejects ?? null,
        rejectsFolder: join(dataDir, 'rejects'),
        onProgress: (progress) => display.show(describeProgress(progress)),
      }).finally(display.stop);
      printResult(summary, describeSummary, json);
      for (const fault of describeFaults(summary)) reportFault(fault);
      return summary;
    };
    if (dryRun) await run();
    else {
      const done = await doAudited(backends, {
        action: 'import',
        subjects: files,
        work: run,
        describe: describeCounts,
      });
      await backends.maintenance.settle(done.created + done.updated);
    }
  });
}

function describeProgress({ file, phase, size, bytesRead, rows }: ImportProgress): Progress {
  const title = phase === 'looking' ? `${basename(file)}: scanning for repeated ids` : basename(file);
  return { title, done: bytesRead, total: size, count: rows, unit: 'rows' };
}
