import { type Command, InvalidArgumentError, Option } from 'commander';
import { kinds } from '#records/vocabularies.ts';
import { createProgram, readLimit } from '#src/command-line/command-line.ts';

/** The data staff's command line: every command with its arguments and options. */
export function createIndexer(): Command {
  const program = createProgram('indexer', 'Import, suppress and delete records, and maintain the search index.');

  program
    .command('import')
    .description('import lists: CSV, NDJSON, JSON and Excel files; exits with 0 only if every row was imported')
    .argument('<file...>', 'files, gzipped or not, or - for standard input')
    .option('--dry-run', 'report what would happen and change nothing')
    .addOption(new Option('--kind <kind>', 'the kind of rows that have none').choices(kinds))
    .option('--columns <file>', 'which column fills which field: a column file, or auto: what `columns` proposes')
    .option(
      '--ignore <heading>',
      'leave this column out; repeatable',
      (heading, all: string[]) => [...all, heading],
      [],
    )
    .option('--sheet <name>', 'the sheet of Excel workbooks (default: the first one)')
    .option('--encoding <label>', 'how text is encoded that is not UTF-8, such as windows-1252', readEncoding)
    .option('--rejects <folder>', 'folder for rejected rows and notes on others (default: rejects/ in the data folder)')
    .option('--keep-sample', 'keep the sample records')
    .option('--json', 'print the summary as one line of JSON')
    .action(async (files, flags) => (await import('./import.ts')).importRecords(files, flags));
  program
    .command('columns')
    .description('propose which column of a list fills which field, as a column file for `import --columns`')
    .argument('<file>', 'a list')
    .option('--sheet <name>', 'the sheet of Excel workbooks (default: the first one)')
    .option('--encoding <label>', 'how text is encoded that is not UTF-8, such as windows-1252', readEncoding)
    .option('--json', 'print the result as one line of JSON')
    .action(async (file, flags) => (await import('./columns.ts')).printColumns(file, flags));
  program
    .command('export')
    .description('write all records, or those that a search finds, to a file that `import` reads back unchanged')
    .argument('<file>', 'a file that ends in .ndjson or .csv, or - for standard output')
    .addOption(
      new Option('--format <format>', 'the format (default: by the ending of the file)').choices(['ndjson', 'csv']),
    )
    .option('--filter <name=value...>', 'a parameter of the search API, such as country=US|CA or q=radio')
    .option('--bom', 'begin CSV with a byte order mark, so that Excel reads it as UTF-8')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print the summary as one line of JSON')
    .action(async (file, flags) => (await import('./export.ts')).exportToFile(file, flags));
  program
    .command('delete')
    .description('delete records, from searches too; exits with 0 only if all of them existed')
    .argument('<id...>', 'ids of records')
    .option('--for-good', 'also delete their changes, so that nothing can bring them back')
    .option('--json', 'print the result as one line of JSON')
    .action(async (ids, flags) => (await import('./delete.ts')).deleteRecords(ids, flags));
  program
    .command('show')
    .description('show a record with its address, what hides it, and why a query finds it')
    .argument('<record>', 'its id, URL or name')
    .option('--query <text>', 'a search, of which it says why it finds the record and what it forgives')
    .option('--json', 'print one line of JSON')
    .action(async (record, flags) => (await import('./show.ts')).showRecord(record, flags));
  program
    .command('duplicates')
    .description('list records that seem to be the same medium, with reasons; changes nothing, see docs/data-staff.md')
    .option('--min-score <score>', 'the least score of two records, from 1 to 100 (default: 60)', readWholeNumber)
    .option('--limit <groups>', 'list at most this many groups, the likeliest first', readWholeNumber)
    .option('--output <file>', 'write the groups to this CSV file')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print each group as one line of JSON, then the totals')
    .action(async (flags) => (await import('./duplicates.ts')).listDuplicates(flags));
  program
    .command('merge')
    .description('merge duplicates into the first record; their ids lead to it from then on, see docs/data-staff.md')
    .argument('[id...]', 'the id of the record to keep, then those to merge into it')
    .option('--from <file>', 'a CSV file as `duplicates --output` writes it, checked by you')
    .option('--dry-run', 'print what would become of each field and change nothing')
    .option('--json', 'print the result as one line of JSON; in a dry run, each merge before')
    .action(async (ids, flags) => (await import('./merge.ts')).mergeRecords(ids, flags));
  program
    .command('unmerge')
    .description('make a merged record one of its own again, with all others of the same merge')
    .argument('<id>', 'the id that leads to another record')
    .option('--dry-run', 'report what would happen and change nothing')
    .option('--json', 'print the result as one line of JSON')
    .action(async (id, flags) => (await import('./unmerge.ts')).unmergeRecord(id, flags));

  program
    .command('set')
    .description('set fields of a record, read as an import reads them')
    .argument('<id>', 'id of the record')
    .argument('<field=value...>', 'such as city=Leeds; values of a list are separated by |')
    .option('--dry-run', 'report what would change and change nothing')
    .option('--json', 'print the result as one line of JSON')
    .action(async (id, assignments, flags) => (await import('./set.ts')).setFields(id, assignments, flags));
  program
    .command('unset')
    .description('clear fields of a record')
    .argument('<id>', 'id of the record')
    .argument('<field...>', 'names of fields')
    .option('--dry-run', 'report what would change and change nothing')
    .option('--json', 'print the result as one line of JSON')
    .action(async (id, names, flags) => (await import('./set.ts')).unsetFields(id, names, flags));
  program
    .command('history')
    .description('print what commands changed of a record, the newest first, with old and new values')
    .argument('<id>', 'id of the record')
    .option('--json', 'print one line of JSON')
    .action(async (id, flags) => (await import('./history.ts')).printHistory(id, flags));

  const imports = program.command('imports').description('list, show and undo imports and other changes');
  imports
    .command('list')
    .description('list imports, deletions and other changes, newest first')
    .option('--limit <count>', 'how many', readLimit, 20)
    .option('--json', 'print one line of JSON')
    .action(async (flags) => (await import('./imports.ts')).listImports(flags));
  imports
    .command('show')
    .description('show who imported which file and when, its counts, and what it changed')
    .argument('<id>', 'id of the import; `imports list` shows it')
    .option('--changes', 'print what it changed of each record, before and after, as NDJSON')
    .option('--json', 'print one line of JSON')
    .action(async (id, flags) => (await import('./imports.ts')).showImport(id, flags));
  imports
    .command('undo')
    .description('undo an import or another change; exits with 0 only if nothing of it changed later')
    .argument('<id>', 'id of the import; `imports list` shows it')
    .option('--dry-run', 'report what would happen and change nothing')
    .option('--json', 'print the result as one line of JSON')
    .action(async (id, flags) => (await import('./imports.ts')).undoImport(id, flags));

  program
    .command('report')
    .description(
      'show how many records there are, which of their fields are known, how fresh addresses are, and what is shared',
    )
    .option('--no-duplicates', 'do not look for duplicates, which takes most of the time')
    .option('--json', 'print one line of JSON')
    .action(async (flags) => (await import('./report.ts')).reportQuality(flags));

  program
    .command('check-emails')
    .description('set the status of email addresses by what DNS says about their domains; sends no mail')
    .option('--filter <name=value...>', 'a parameter of the search API, such as country=US|CA or email_status=unknown')
    .option('--older-than <days>', 'only addresses last verified longer ago, or never', readDays)
    .option('--replace-invalid', 'make invalid addresses valid if their domain takes mail')
    .option('--dry-run', 'ask DNS and report what would change, but change nothing')
    .option('--json', 'print the summary as one line of JSON')
    .action(async (flags) => (await import('./check-emails.ts')).checkStoredEmails(flags));

  program
    .command('suppress')
    .description('hide records for good, even if they are imported again; see docs/data-staff.md')
    .option('--address <address...>', 'every record with this email address')
    .option('--domain <domain...>', 'every record with an address, page or feed at this domain or below')
    .option('--record <id...>', 'one record')
    .option('--from <file>', 'more entries, one per line, such as `address name@example.org`; - for standard input')
    .option('--reason <text>', 'why, for the list; must not contain an address')
    .option('--dry-run', 'report how many records would be hidden and change nothing')
    .option('--json', 'print the result as one line of JSON')
    .action(async (flags) => (await import('./suppress.ts')).suppress(flags));
  program
    .command('unsuppress')
    .description('show suppressed records again; exits with 0 only if all entries were on the list')
    .option('--address <address...>', 'as it was suppressed')
    .option('--domain <domain...>', 'as it was suppressed')
    .option('--record <id...>', 'as it was suppressed')
    .option('--from <file>', 'more entries, one per line, such as `address name@example.org`; - for standard input')
    .option('--json', 'print the result as one line of JSON')
    .action(async (flags) => (await import('./suppress.ts')).unsuppress(flags));
  program
    .command('suppressions')
    .description('list suppressions, oldest first; addresses appear as the start of their hash')
    .option('--json', 'print one line of JSON')
    .action(async (flags) => (await import('./suppress.ts')).listSuppressions(flags));

  program
    .command('sync')
    .description('keep the search index up to date, until SIGTERM or SIGINT')
    .option('--json', 'print the result as one line of JSON at the end')
    .action(async (flags) => (await import('./sync.ts')).sync(flags));
  program
    .command('reindex')
    .description('build a new search index from the records; exits with 0 only if every record was indexed')
    .option('--allow-shrink', 'publish it even if it has far fewer records than the live index')
    .option('--json', 'print the result as one line of JSON')
    .action(async (flags) => (await import('./search-index.ts')).reindex(flags));
  program
    .command('rollback')
    .description('bring the previous index up to date and make it live again')
    .option('--to <index>', 'another kept index; `status` lists them')
    .option('--json', 'print the result as one line of JSON')
    .action(async (flags) => (await import('./search-index.ts')).rollBack(flags));
  program
    .command('verify')
    .description('compare the whole search index with the records; exits with 0 only if they match in the end')
    .option('--repair', 'fix the differences')
    .option('--json', 'print the result as one line of JSON')
    .action(async (flags) => (await import('./search-index.ts')).verify(flags));
  program
    .command('status')
    .description('show the live index, how far it is behind the records, and which jobs are running')
    .option('--json', 'print one line of JSON')
    .action(async (flags) => (await import('./search-index.ts')).showStatus(flags));
  program
    .command('dead-letters')
    .description('print records that could not be indexed, and why, as NDJSON')
    .option('--json', 'print one JSON array')
    .action(async (flags) => (await import('./search-index.ts')).printDeadLetters(flags));

  program
    .command('sample')
    .description('generate sample records as NDJSON, on standard output or in a file')
    .argument('<count>', 'number of records', readWholeNumber)
    .option('--seed <seed>', 'the same seed generates the same records', readWholeNumber, 1)
    .option('--output <file>', 'write the records to this file; overwrites it')
    .option('--json', 'print the records as one JSON array; with --output, the result')
    .action(async (count, flags) => (await import('./sample.ts')).writeSample(count, flags));

  return program;
}

/** A label of the WHATWG Encoding Standard. */
function readEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw new InvalidArgumentError('Use windows-1252, windows-1251, shift_jis, gb18030 or another label of the web.');
  }
}

function readWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999999999.');
  return Number(text);
}

function readDays(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 36_500) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of days from 0 to 36500.');
}
