import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { searchByMeaning } from '../../src/search/meaning/search-by-meaning.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { importRecords } from './import-records.ts';
import { type KnownItem, readKnownItems } from './known-item.ts';
import { type Names, readNames, sampleNames } from './names.ts';
import { openProductionScratch, openScratch } from './open-scratch.ts';
import { queryClasses, selectClasses } from './query-classes.ts';
import { formatMisses, formatScores, scoreClass } from './report.ts';
import { type ClassOutcome, runClass } from './run-queries.ts';
import { formatFailures, formatTasks, readTasks, runTasks } from './tasks.ts';

interface Options {
  records: string[];
  store?: string;
  tasks?: string;
  queries?: string;
  names?: number;
  seed: number;
  class: string[];
  misses: number;
  backend: 'embedded' | 'production';
}

/** Descriptions in other words than those of the records, for searches with match=meaning. */
const meaningClass = 'meaning';
const descriptions = fileURLToPath(new URL('./descriptions.tsv', import.meta.url));

/** How many names are searched for, if no file with queries is given. */
const defaultNames = 2_000;

const command = new Command('relevance')
  .description(
    'Imports records into an empty store, searches for known records in each way people type a name, and scores ' +
      `where the right record is.\n\nClasses of queries:\n${queryClasses.map(({ name, does }) => `  ${name.padEnd(14)}${does}`).join('\n')}`,
  )
  .option('--records <file...>', 'record files, as the importer takes them', [])
  .option('--store <folder>', 'the data folder of an embedded service, instead of --records')
  .option('--tasks <file>', 'what researchers ask, instead of names: trials/relevance/tasks.tsv')
  .option('--queries <file>', 'known records, tab-separated: query, expected_id, class')
  .option(
    '--names <n>',
    `also the names of n records, picked by the seed (default: ${defaultNames} without --queries, otherwise 0)`,
    wholeNumber,
  )
  .option('--seed <n>', 'picks the names and makes the changes', wholeNumber, 1)
  .option('--class <name...>', 'only these classes of queries; meaning: descriptions of what records are about', [])
  .option('--misses <n>', 'print the n worst misses of each class', wholeNumber, 0)
  .addOption(
    new Option('--backend <name>', 'production: engines named by the environment, or started for this')
      .choices(['embedded', 'production'])
      .default('embedded'),
  );

const options: Options = command.parse().opts();

try {
  await measureRelevance(options);
} catch (error) {
  command.error(`relevance: ${error instanceof Error ? error.message : error}`);
}

async function measureRelevance(options: Options): Promise<void> {
  const isByMeaning = options.class.includes(meaningClass);
  const classes = isByMeaning ? [] : selectClasses(options.class);
  const known = options.queries === undefined ? [] : readKnownItems(options.queries);
  const open = options.backend === 'production' ? openProductionScratch : () => openScratch(options.store);
  const scratch = await open();
  try {
    await importRecords(scratch.records, options.records);
    await scratch.settle();
    if (isByMeaning) {
      return await measureTasks(searchByMeaning(scratch.index), options.tasks ?? descriptions, options, 'meaning');
    }
    if (options.tasks !== undefined) return await measureTasks(scratch.index, options.tasks, options);
    const names = await readNames(scratch.index);
    warnOfMissingRecords(names, known);
    const count = options.names ?? (options.queries === undefined ? defaultNames : 0);
    const items = [...known, ...sampleNames(names, count, options.seed)];
    const outcomes: ClassOutcome[] = [];
    for (const queryClass of classes) {
      console.error(`${queryClass.name}: ${queryClass.does}`);
      outcomes.push(await runClass(scratch.index, names, items, queryClass, options.seed));
    }
    console.log(
      `${names.byId.size} records, ${items.length} queries, seed ${options.seed}, ${options.backend} backend\n\n${formatScores(outcomes.map(scoreClass))}`,
    );
    if (options.misses > 0) for (const one of outcomes) console.log(`\n${formatMisses(one, options.misses)}`);
  } finally {
    await scratch.close();
  }
}

async function measureTasks(
  index: SearchIndex,
  path: string,
  { seed, misses }: Options,
  match?: 'meaning',
): Promise<void> {
  const outcomes = await runTasks(index, readTasks(path), seed, match);
  if (misses > 0) console.log(formatFailures(outcomes, misses));
  console.log(formatTasks(outcomes));
}

/** Reports queries whose record is not in the store: the search cannot find those. */
function warnOfMissingRecords({ byId }: Names, items: readonly KnownItem[]): void {
  const ids = [...new Set(items.map(({ expectedId }) => expectedId))];
  const missing = ids.filter((id) => !byId.has(id));
  if (missing.length === 0) return;
  console.error(`${missing.length} of ${ids.length} expected records are in none of the files, such as ${missing[0]}`);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
