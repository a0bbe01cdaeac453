import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { searchByMeaning } from '../../src/search/meaning/search-by-meaning.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { importRecords } from './import-records.ts';
import { type KnownItem, readKnownItems } from './known-item.ts';
import { type Names, readNames, sample, sampleNames } from './names.ts';
import { openProductionScratch, openScratch } from './open-scratch.ts';
import { backendOption } from './options.ts';
import { queryClasses, selectClasses } from './query-classes.ts';
import { type Floor, formatMisses, formatScores, listMisses, missedFloors, readFloor, scoreClass } from './report.ts';
import { type ClassOutcome, runClass } from './run-queries.ts';
import { formatFailures, formatTasks, meanOf, readTasks, runTasks } from './tasks.ts';

interface Options {
  records: string[];
  store?: string;
  tasks?: string;
  least: number;
  queries?: string;
  group: string[];
  limit?: number;
  names?: number;
  seed: number;
  class: string[];
  floor: Floor[];
  misses: number;
  byGroup: boolean;
  backend: 'embedded' | 'production';
  json: boolean;
}

/** What people describe in other words than the records have; asked with match=meaning. */
const meaningClass = 'meaning';
const descriptions = fileURLToPath(new URL('./descriptions.tsv', import.meta.url));

/** How many names are searched for where no file has queries. */
const defaultNames = 2_000;

const command = new Command('relevance')
  .description(
    'Imports records into an empty store, searches for known records in each way people type a name, and scores ' +
      `where the right record is.\n\nClasses of queries:\n${queryClasses.map(({ name, does }) => `  ${name.padEnd(14)}${does}`).join('\n')}`,
  )
  .option('--records <file...>', 'record files, as the importer takes them', [])
  .option('--store <folder>', 'the data folder of an embedded service, instead of --records')
  .option('--tasks <file>', 'what researchers ask, instead of names: trials/relevance/tasks.tsv')
  .option('--least <share>', 'the mean of the tasks to reach', Number, 0)
  .option('--queries <file>', 'known records, tab-separated: query, expected_id, class')
  .option('--group <name...>', 'only queries of the file with these values in the column class', [])
  .option('--limit <n>', 'only n queries of the file, picked by the seed', wholeNumber)
  .option(
    '--names <n>',
    `also the names of n records, picked by the seed (default: ${defaultNames} without --queries, otherwise 0)`,
    wholeNumber,
  )
  .option('--seed <n>', 'picks the names and makes the changes', wholeNumber, 1)
  .option('--class <name...>', 'only these classes of queries; meaning: descriptions of what records are about', [])
  .option('--floor <class.metric=share...>', 'fail below it: success@1=0.99 typo.success@10=0.9', collectFloor, [])
  .option('--misses <n>', 'print the n worst misses of each class', wholeNumber, 0)
  .option('--by-group', 'also print the scores by where the queries come from', false)
  .addOption(backendOption())
  .addOption(new Option('--json', 'print one JSON object instead of tables').default(false));

const options: Options = command.parse().opts();

try {
  process.exitCode = await measureRelevance(options);
} catch (error) {
  command.error(`relevance: ${error instanceof Error ? error.message : error}`);
}

async function measureRelevance(options: Options): Promise<number> {
  const isByMeaning = options.class.includes(meaningClass);
  const classes = isByMeaning ? [] : selectClasses(options.class);
  const known = options.queries === undefined ? [] : selectItems(readKnownItems(options.queries), options);
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
    return report(outcomes, { records: names.byId.size, items: items.length }, options);
  } finally {
    await scratch.close();
  }
}

async function measureTasks(
  index: SearchIndex,
  path: string,
  { seed, misses, least }: Options,
  match?: 'meaning',
): Promise<number> {
  const outcomes = await runTasks(index, readTasks(path), seed, match);
  if (misses > 0) console.log(formatFailures(outcomes, misses));
  console.log(formatTasks(outcomes));
  return meanOf(outcomes) < least ? 1 : 0;
}

function report(
  outcomes: readonly ClassOutcome[],
  counts: { records: number; items: number },
  { seed, floor, misses, byGroup, backend, json }: Options,
): number {
  const scores = outcomes.map(scoreClass);
  const missed = missedFloors(floor, scores);
  if (json) {
    const classes = scores.map((score, place) => ({
      ...score,
      ...(misses > 0 && { misses: listMisses(outcomes[place]?.outcomes ?? [], misses) }),
    }));
    console.log(JSON.stringify({ backend, seed, ...counts, classes, missed_floors: missed }));
  } else {
    console.log(`${counts.records} records, ${counts.items} queries, seed ${seed}, ${backend} backend\n`);
    console.log(formatScores(scores, byGroup));
    if (misses > 0) for (const outcome of outcomes) console.log(`\n${formatMisses(outcome, misses)}`);
  }
  for (const line of missed) console.error(line);
  return missed.length === 0 ? 0 : 1;
}

function selectItems(items: readonly KnownItem[], { group, limit, seed }: Options): readonly KnownItem[] {
  const known = [...new Set(items.map((item) => item.group))];
  for (const name of group) {
    if (!known.includes(name)) throw new Error(`No query is in the group "${name}". Use ${known.join(', ')}.`);
  }
  const selected = group.length === 0 ? items : items.filter((item) => group.includes(item.group));
  return limit === undefined ? selected : sample(selected, limit, seed);
}

/** A query whose record is not there can hardly be answered: that is the files' fault, not the search's. */
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

function collectFloor(text: string, floors: readonly Floor[]): Floor[] {
  try {
    return [...floors, readFloor(text)];
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
