import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { Dice } from '#indexer/sample/dice.ts';
import { openBareStatements } from './bare-statement.ts';
import { type DataSource, loadEmbedded } from './load-data.ts';
import { startProduct } from './product-server.ts';
import { formatSearch } from './report-search.ts';
import { measureSearch, type SearchFigures } from './search.ts';
import { questionData } from './search-questions.ts';

interface SearchOptions {
  records: number[];
  files: string[];
  rounds: number;
  each: number;
  seed: number;
  json: boolean;
}

const program = new Command('bench').description('Measures the service against the bare engine under it.');

program
  .command('search')
  .description('Searches over HTTP, from one client and from 16, next to the bare statement of the engine')
  .option('--records <n...>', 'generated records; 100000 where neither this nor --files is given', addCount, [])
  .option('--files <file...>', 'record files, imported together', [])
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 5)
  .option('--each <n>', 'questions of each class in a round', atLeastOne, 60)
  .option('--seed <n>', 'chooses the questions', atLeastOne, 1)
  .option('--json', 'print one JSON object for each set of data', false)
  .action(benchSearch);

try {
  await program.parseAsync();
} catch (error) {
  program.error(`bench: ${error instanceof Error ? error.message : error}`);
}

async function benchSearch(options: SearchOptions): Promise<void> {
  const sources: DataSource[] = [
    ...(options.files.length > 0 ? [{ files: options.files }] : []),
    ...options.records.map((count) => ({ count })),
  ];
  if (sources.length === 0) sources.push({ count: 100_000 });
  if (!options.json)
    console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}`);
  for (const source of sources) {
    const { records, figures } = await benchEmbeddedSearch(source, options);
    const set = 'files' in source ? 'files' : 'generated';
    if (options.json) console.log(JSON.stringify({ set, records, ...figures }));
    else console.log(`\n${records} records (${set})\n${formatSearch(figures)}`);
  }
}

async function benchEmbeddedSearch(
  source: DataSource,
  options: SearchOptions,
): Promise<{ records: number; figures: SearchFigures }> {
  const data = await loadEmbedded(source);
  try {
    const bare = openBareStatements(data.dataDir);
    const product = await startProduct({ MASTHEAD_DATA_DIR: data.dataDir }, join(data.dataDir, 'server.log'));
    try {
      const questions = questionData(data.some, new Dice(options.seed));
      return { records: data.records, figures: await measureSearch(product, bare, questions, options) };
    } finally {
      await product.stop();
      await bare.close();
    }
  } finally {
    await data.remove();
  }
}

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

function addCount(text: string, counts: readonly number[]): number[] {
  return [...counts, atLeastOne(text)];
}
