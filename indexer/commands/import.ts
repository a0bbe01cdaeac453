import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { type Kind, kinds } from '#domain/vocabularies.ts';
import { doAudited } from '../audited.ts';
import { describeCounts, describeFaults, describeSummary } from '../import/describe-summary.ts';
import { type ImportSummary, isComplete } from '../import/import-summary.ts';
import { createDisplay, silentDisplay } from '../import/show-progress.ts';
import { importFiles } from '../import-files.ts';
import { withBackends } from './with-backends.ts';

interface ImportFlags {
  dryRun?: boolean;
  keepSample?: boolean;
  kind?: Kind;
  rejects?: string;
  json?: boolean;
}

export const importCommand = new Command('import')
  .description('read CSV or NDJSON files, also gzip, into the store; exit 0 only when every row is in')
  .argument('<file...>', 'files, or - for standard input')
  .option('--dry-run', 'say what would happen and change nothing')
  .addOption(new Option('--kind <kind>', 'what rows are that do not say their kind').choices(kinds))
  .option('--rejects <file>', 'where to write what was rejected, changed or left out; instead of the data folder')
  .option('--keep-sample', 'keep the sample records')
  .option('--json', 'print the summary as JSON and nothing else')
  .action(async (files: string[], { dryRun = false, keepSample = false, kind, rejects, json = false }: ImportFlags) => {
    if (rejects !== undefined && files.some((file) => resolve(file) === resolve(rejects))) {
      throw new Error(`--rejects would overwrite ${rejects}, which is to be imported; name another file`);
    }
    const display = json ? silentDisplay : createDisplay();
    await withBackends(async (backends, { dataDir, auditor }) => {
      const run = async (): Promise<ImportSummary> => {
        const summary = await importFiles(files, {
          records: backends.records,
          dryRun,
          removesSample: backends.kind === 'embedded' && !keepSample,
          kind: kind ?? null,
          rejectsPath: rejects ?? null,
          rejectsFolder: join(dataDir, 'rejects'),
          onProgress: display.show,
        }).finally(display.stop);
        console.log(json ? JSON.stringify(summary, null, 2) : describeSummary(summary));
        for (const fault of describeFaults(summary)) console.error(`masthead: ${fault}`);
        if (!isComplete(summary)) process.exitCode = 1;
        return summary;
      };
      if (dryRun) await run();
      else await doAudited(auditor, { action: 'import', subjects: files, work: run, describe: describeCounts });
    });
  });
