import { Command, InvalidArgumentError, Option } from 'commander';
import type { SearchIndex } from '../../src/ports/search-index.ts';
import { importRecords } from './import-records.ts';
import { type KnownItem, readKnownItems } from './known-item.ts';
import { mistype } from './mistype.ts';
import { openProductionScratch, openScratch } from './open-scratch.ts';
import { type Floor, formatMisses, formatScores, missedFloors, type Run, readFloor } from './report.ts';
import { type QueryOutcome, runQueries } from './run-queries.ts';
import { scoreByClass } from './score.ts';

interface Options {
  records: string[];
  queries: string;
  seed: number;
  class: string[];
  floor: Floor[];
  misses: number;
  backend: 'embedded' | 'production';
  json: boolean;
}

const command = new Command('relevance')
  .description(
    'Imports records into an empty store, searches for known items, and scores where the right record stands: ' +
      'once as the queries are, once with one slip in a word of five letters or more.',
  )
  .requiredOption('--records <file...>', 'record files, as the importer takes them')
  .requiredOption('--queries <file>', 'tab-separated: query, expected_id, class')
  .option('--seed <n>', 'makes the slips', wholeNumber, 1)
  .option('--class <name...>', 'only these classes of queries', [])
  .option('--floor <metric=share...>', 'fail below it: success@1=0.99, typo.success@10=0.9', collectFloor, [])
  .option('--misses <n>', 'print the n worst misses of each run', wholeNumber, 0)
  .addOption(
    new Option('--backend <name>', 'production: engines named by the environment, or started for this')
      .choices(['embedded', 'production'])
      .default('embedded'),
  )
  .option('--json', 'print one JSON object instead of tables', false);

const options: Options = command.parse().opts();

try {
  process.exitCode = await measureRelevance(options);
} catch (error) {
  command.error(`relevance: ${error instanceof Error ? error.message : error}`);
}

async function measureRelevance(options: Options): Promise<number> {
  const items = selectItems(readKnownItems(options.queries), options.class);
  const scratch = await (options.backend === 'production' ? openProductionScratch : openScratch)();
  try {
    await importRecords(scratch.records, options.records);
    await scratch.settle();
    await warnOfMissingRecords(scratch.index, items);
    const outcomes: Record<Run, QueryOutcome[]> = {
      exact: await runQueries(scratch.index, items, ({ query }) => query),
      typo: await runQueries(scratch.index, items, ({ query }) => mistype(query, options.seed)),
    };
    return report(outcomes, await scratch.records.count(), options);
  } finally {
    await scratch.close();
  }
}

function report(outcomes: Record<Run, QueryOutcome[]>, records: number, options: Options): number {
  const scores = { exact: scoreByClass(outcomes.exact), typo: scoreByClass(outcomes.typo) };
  const missed = missedFloors(options.floor, scores);
  if (options.json) {
    console.log(JSON.stringify({ records, seed: options.seed, ...scores, missed_floors: missed }));
  } else {
    console.log(`${records} records\n`);
    console.log(`${formatScores('as they are', scores.exact)}\n`);
    console.log(formatScores(`with one slip (seed ${options.seed})`, scores.typo));
    if (options.misses > 0) {
      console.log(`\nAs they are: ${formatMisses(outcomes.exact, options.misses)}`);
      console.log(`\nWith one slip: ${formatMisses(outcomes.typo, options.misses)}`);
    }
  }
  for (const line of missed) console.error(line);
  return missed.length === 0 ? 0 : 1;
}

function selectItems(items: readonly KnownItem[], classes: readonly string[]): readonly KnownItem[] {
  const known = [...new Set(items.map((item) => item.class))];
  for (const name of classes) {
    if (!known.includes(name)) throw new Error(`no query is of the class "${name}"; there are: ${known.join(', ')}`);
  }
  return classes.length === 0 ? items : items.filter((item) => classes.includes(item.class));
}

/** A query whose record is not there can hardly be answered: that is the files' fault, not the search's. */
async function warnOfMissingRecords(index: SearchIndex, items: readonly KnownItem[]): Promise<void> {
  const ids = [...new Set(items.map(({ expectedId }) => expectedId))];
  const found = await Promise.all(ids.map((id) => index.find(id, 'masked')));
  const missing = ids.filter((_, index) => found[index] === null);
  if (missing.length === 0) return;
  console.error(`${missing.length} of ${ids.length} expected records are in none of the files, such as ${missing[0]}`);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function collectFloor(text: string, floors: readonly Floor[]): Floor[] {
  try {
    return [...floors, readFloor(text)];
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
