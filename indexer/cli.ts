import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Kind, kinds } from '#domain/vocabularies.ts';
import { loadConfig } from '#src/config.ts';
import { describeStartFault } from '#src/describe-start-fault.ts';
import { type BackendNews, type Backends, openBackends } from '#src/open-backends.ts';
import { DeadLetterFile } from './dead-letter-file.ts';
import { deleteRecords, describeDeletion } from './delete-records.ts';
import { generateSample } from './generate-sample.ts';
import { describeSummary } from './import/describe-summary.ts';
import { isComplete } from './import/import-summary.ts';
import { createDisplay, silentDisplay } from './import/show-progress.ts';
import { importFiles } from './import-files.ts';
import { reindex } from './reindex.ts';

interface ImportFlags {
  dryRun?: boolean;
  keepSample?: boolean;
  kind?: Kind;
  rejects?: string;
  json?: boolean;
}

const program = new Command('indexer').description('What data staff do with records.').showHelpAfterError();

program
  .command('import')
  .description('read CSV or NDJSON files, also gzip, into the store; exit 0 only when every row is in')
  .argument('<file...>', 'files, or - for standard input')
  .option('--dry-run', 'say what would happen and change nothing')
  .addOption(new Option('--kind <kind>', 'what rows are that do not say their kind').choices(kinds))
  .option('--rejects <file>', 'where to write what was rejected, changed or left out; instead of the data folder')
  .option('--keep-sample', 'keep the sample records')
  .option('--json', 'print the summary as JSON, and nothing else')
  .action(async (files: string[], { dryRun = false, keepSample = false, kind, rejects, json = false }: ImportFlags) => {
    if (rejects !== undefined && files.some((file) => resolve(file) === resolve(rejects))) {
      throw new Error(`--rejects would overwrite ${rejects}, which is to be imported; name another file`);
    }
    const display = json ? silentDisplay : createDisplay();
    await withBackends(async (backends, dataDir) => {
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
      if (!isComplete(summary)) process.exitCode = 1;
    });
  });

program
  .command('delete')
  .description('remove records; exit 0 only when all were there')
  .argument('<id...>', 'ids of records')
  .option('--json', 'print the outcome as JSON')
  .action(async (ids: string[], { json = false }: { json?: boolean }) => {
    await withBackends(async ({ records }) => {
      const deletion = await deleteRecords(records, ids);
      console.log(json ? JSON.stringify(deletion, null, 2) : describeDeletion(deletion));
      if (deletion.unknown.length > 0) process.exitCode = 1;
    });
  });

program
  .command('reindex')
  .description('build the search index anew from the records; exit 0 only when every record is in')
  .option('--allow-shrink', 'publish it though it holds much less than the one that is searched now')
  .option('--json', 'print the outcome as JSON, and nothing else')
  .action(async ({ allowShrink = false, json = false }: { allowShrink?: boolean; json?: boolean }) => {
    const deadLetters = new DeadLetterFile(join(loadConfig().dataDir, 'dead-letters'), new Date());
    const news = { reportUnreadable: (id: string, reason: string) => deadLetters.add({ id, reason }) };
    await withBackends(async ({ records, generations, whenPrepared }) => {
      await whenPrepared();
      const isWhole = await reindex({ records, generations, deadLetters, allowsShrink: allowShrink, json });
      if (!isWhole) process.exitCode = 1;
    }, news);
  });

program
  .command('sample')
  .description('print generated records as NDJSON')
  .argument('<count>', 'how many', readWholeNumber)
  .option('--seed <seed>', 'the same seed gives the same records', readWholeNumber, 1)
  .action(async (count: number, { seed }: { seed: number }) => {
    const lines = Readable.from(generateSample({ count, seed })).map((record) => `${JSON.stringify(record)}\n`);
    await pipeline(lines, process.stdout).catch(passOverClosedPipe);
  });

async function withBackends(
  work: (backends: Backends, dataDir: string) => Promise<void>,
  news: Partial<BackendNews> = {},
): Promise<void> {
  const config = loadConfig();
  const backends = await openBackends(config, news);
  try {
    await work(backends, config.dataDir);
  } finally {
    await backends.close();
  }
}

function readWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999999999.');
  return Number(text);
}

/** A reader such as `head` may leave before the end. */
function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}

try {
  await program.parseAsync();
} catch (error) {
  console.error(describeStartFault(error));
  process.exitCode = 1;
}
