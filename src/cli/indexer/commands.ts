import { type Command, InvalidArgumentError, Option } from 'commander';
import { kinds } from '#domain/vocabularies.ts';
import { createProgram } from '../command-line.ts';
import type { ImportFlags } from './import.ts';
import type { ReindexFlags } from './reindex.ts';
import type { RollbackFlags } from './rollback.ts';
import type { SampleFlags } from './sample.ts';
import type { SuppressFlags } from './suppress.ts';
import type { UnsuppressFlags } from './unsuppress.ts';
import type { VerifyFlags } from './verify.ts';

interface JsonFlag {
  json?: boolean;
}

/** The command line of data staff: every command with its arguments and options. */
export function createIndexer(): Command {
  const program = createProgram('indexer', 'Import, hide and delete records, and keep the search index.');

  program
    .command('import')
    .description('read CSV or NDJSON files, also gzip, into the store; exit 0 only when every row is in')
    .argument('<file...>', 'files, or - for standard input')
    .option('--dry-run', 'say what would happen and change nothing')
    .addOption(new Option('--kind <kind>', 'the kind of rows that do not say theirs').choices(kinds))
    .option('--rejects <file>', 'where to write what was rejected, changed or left out; instead of the data folder')
    .option('--keep-sample', 'keep the sample records')
    .option('--json', 'print the summary as one line of JSON')
    .action(async (files: string[], flags: ImportFlags) => (await import('./import.ts')).runImport(files, flags));
  program
    .command('delete')
    .description('remove records, at once also from searches; exit 0 only when all were there')
    .argument('<id...>', 'ids of records')
    .option('--json', 'print the outcome as one line of JSON')
    .action(async (ids: string[], { json = false }: JsonFlag) => (await import('./delete.ts')).runDelete(ids, json));

  program
    .command('suppress')
    .description('hide records from every search for good, whatever is imported later; docs/suppressing.md')
    .option('--address <address...>', 'every record with this email address')
    .option('--domain <domain...>', 'every record with an address, page or feed there or below')
    .option('--record <id...>', 'one record')
    .option('--from <file>', 'more of them, one a line: `address name@example.org`; - for standard input')
    .option('--reason <text>', 'why, for the list; without an address')
    .option('--dry-run', 'say how many records would be hidden and change nothing')
    .option('--json', 'print the outcome as one line of JSON')
    .action(async (flags: SuppressFlags) => (await import('./suppress.ts')).runSuppress(flags));
  program
    .command('unsuppress')
    .description('let records be found again; exit 0 only when everything named was on the list')
    .option('--address <address...>', 'as it was suppressed')
    .option('--domain <domain...>', 'as it was suppressed')
    .option('--record <id...>', 'as it was suppressed')
    .option('--from <file>', 'more of them, one a line: `address name@example.org`; - for standard input')
    .option('--json', 'print the outcome as one line of JSON')
    .action(async (flags: UnsuppressFlags) => (await import('./unsuppress.ts')).runUnsuppress(flags));
  program
    .command('suppressions')
    .description('list what is suppressed, oldest first; of an address only the beginning of its hash')
    .option('--json', 'print it as one line of JSON')
    .action(async ({ json = false }: JsonFlag) => (await import('./suppressions.ts')).listSuppressions(json));

  program
    .command('sync')
    .description('keep the search index equal to the records, until SIGTERM or SIGINT')
    .option('--json', 'print the outcome as one line of JSON at the end')
    .action(async ({ json = false }: JsonFlag) => (await import('./sync.ts')).runSync(json));
  program
    .command('reindex')
    .description('build a new search index from the records; exit 0 only when every record is in')
    .option('--allow-shrink', 'publish it though it holds much less than the one that is searched now')
    .option('--json', 'print the outcome as one line of JSON')
    .action(async (flags: ReindexFlags) => (await import('./reindex.ts')).runReindex(flags));
  program
    .command('rollback')
    .description('search the index again that was searched before the last reindex, brought up to date')
    .option('--to <index>', 'another one of those that are kept; status names them')
    .option('--json', 'print the outcome as one line of JSON')
    .action(async (flags: RollbackFlags) => (await import('./rollback.ts')).runRollback(flags));
  program
    .command('verify')
    .description('compare the search index with the records, completely; exit 0 only when they are the same in the end')
    .option('--repair', 'write again what differs')
    .option('--json', 'print the outcome as one line of JSON')
    .action(async (flags: VerifyFlags) => (await import('./verify.ts')).runVerify(flags));
  program
    .command('status')
    .description('say what is searched, how far it is behind the records, and who works on it')
    .option('--json', 'print it as one line of JSON')
    .action(async ({ json = false }: JsonFlag) => (await import('./status.ts')).showStatus(json));
  program
    .command('dead-letters')
    .description('print the records that could not be indexed, and why, as NDJSON')
    .option('--json', 'print them as one JSON array')
    .action(async ({ json = false }: JsonFlag) => (await import('./dead-letters.ts')).printDeadLetters(json));

  program
    .command('sample')
    .description('print generated records as NDJSON, or write them to a file')
    .argument('<count>', 'how many', readWholeNumber)
    .option('--seed <seed>', 'the same seed gives the same records', readWholeNumber, 1)
    .option('--output <file>', 'write the records there, in place of what it holds')
    .option('--json', 'print the records as one JSON array; with --output the outcome')
    .action(async (count: number, flags: SampleFlags) => (await import('./sample.ts')).runSample(count, flags));

  return program;
}

function readWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999999999.');
  return Number(text);
}
