import { randomBytes } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { openIndexer } from '../../indexer/open-indexer.ts';
import { issueKey } from '../../src/accounts/issue-key.ts';
import { Dice } from '../../src/sample/dice.ts';
import type { LogLine } from '../../testing/engines/engine.ts';
import { startLocalElasticsearchCluster } from '../../testing/engines/local-elasticsearch.ts';
import { type SharedEngines, startSharedEngines } from '../../testing/engines/shared-engines.ts';
import { startEngine } from '../../testing/engines/start-engine.ts';
import { openBareStatements } from './bare-statement.ts';
import { startOther } from './beside.ts';
import { type CompressionPlan, measureCompression } from './compression.ts';
import type { EngineFigures } from './engine-search.ts';
import type { ExportFigures } from './export.ts';
import { type ImportFigures, measureImport } from './import.ts';
import { openEmbeddedToFill, openMongoToFill } from './import-stores.ts';
import { measureIndexing } from './index-records.ts';
import { measureKeyCheck } from './key-check.ts';
import { type DataSource, loadEmbedded } from './load-data.ts';
import { asOther, fillEngines, loadProduction } from './load-production.ts';
import { type MixFigures, measureMix } from './mix.ts';
import { measurePages, type PagesRun } from './pages.ts';
import { startProduct } from './product-server.ts';
import { formatEngine } from './report-engine.ts';
import { formatExport } from './report-export.ts';
import { formatMix } from './report-mix.ts';
import { formatScale } from './report-scale.ts';
import { formatSearch } from './report-search.ts';
import { formatSync } from './report-sync.ts';
import { type ExportRun, runEmbeddedExport, runProductionExport } from './run-export.ts';
import { measureScale, type ScalePlan } from './scale.ts';
import { measureSearch, type SearchFigures } from './search.ts';
import { searchProduction } from './search-production.ts';
import { questionData } from './search-questions.ts';
import { measureSync, type SyncRun } from './sync.ts';
import { formatFigures } from './table.ts';

interface SearchOptions {
  backend: 'embedded' | 'production';
  records: number[];
  files: string[];
  rounds: number;
  each: number;
  seed: number;
  /** Only what people type. */
  mix: boolean;
  /** The folder of another checkout. */
  beside?: string;
  /** Rounds. */
  warmUp?: number;
  json: boolean;
}

interface KeyOptions {
  records: number;
  rounds: number;
  each: number;
  mongodbUri?: string;
  elasticsearchUrl?: string;
}

/** Of what people type, for each question of a class that `--each` asks for. */
const mixedRequestsPerQuestion = 10;

const program = new Command('bench').description('Measures the service against the bare engine under it.');

program
  .command('search')
  .description('Searches over HTTP, from one client and from 16, next to the bare statement of the engine')
  .option('--records <n...>', 'generated records; 100000 where neither this nor --files is given', addCount, [])
  .option('--files <file...>', 'record files, imported together', [])
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 5)
  .option('--each <n>', 'questions of each class in a round', atLeastOne, 60)
  .option('--seed <n>', 'chooses the questions', atLeastOne, 1)
  .addOption(
    new Option('--backend <name>', 'production: engines named by the environment, or started for this')
      .choices(['embedded', 'production'])
      .default('embedded'),
  )
  .option('--mix', 'only what people type, and facets under a filter', false)
  .option('--beside <folder>', 'with --mix: another checkout, with its packages, which answers the same in turns')
  .option(
    '--warm-up <n>',
    'with --mix: rounds to warm up; a new Elasticsearch needs 20 to compile its code',
    atLeastOne,
  )
  .option('--json', 'print one JSON object for each set of data', false)
  .action(benchSearch);

program
  .command('index')
  .description('Fills a search index from MongoDB, next to a bare cursor → bulk loop that checks nothing')
  .option('--records <n>', 'generated records', atLeastOne, 200_000)
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 3)
  .option('--json', 'print one JSON object', false)
  .action(benchIndex);

program
  .command('sync')
  .description(
    'Follows the records of MongoDB, next to a bare change stream that writes nothing; how soon a change is seen',
  )
  .option('--records <n>', 'generated records', atLeastOne, 200_000)
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 5)
  .option('--changes <n>', 'changes in a backlog', atLeastOne, 200_000)
  .option('--rate <n>', 'changes a second while it is measured how soon they are seen', atLeastOne, 500)
  .option('--probes <n>', 'changes of which that is measured', atLeastOne, 300)
  .option('--json', 'print one JSON object', false)
  .action(benchSync);

program
  .command('import')
  .description('Imports files into an empty store, then again, next to a bare insert of the same records, ready-made')
  .requiredOption('--files <file...>', 'record files, imported together')
  .addOption(new Option('--backend <name>', 'where to').choices(['embedded', 'mongodb']).default('embedded'))
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 5)
  .option('--json', 'print one JSON object', false)
  .action(benchImport);

program
  .command('export')
  .description('Exports everything over HTTP, next to a bare scan that only parses; then slow and leaving readers')
  .addOption(
    new Option('--backend <name>', 'production: engines named by the environment, or started for this')
      .choices(['embedded', 'production'])
      .default('embedded'),
  )
  .option('--records <n>', 'generated records', atLeastOne, 100_000)
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 5)
  .option('--formats <name...>', 'formats to compare besides', [])
  .option('--hang-ups <n>', 'readers that hang up', atLeastOne, 1_000)
  .option('--slow-seconds <n>', 'how long the slow reader reads', atLeastOne, 20)
  .option('--json', 'print one JSON object', false)
  .action(benchExport);

program
  .command('production')
  .description('All of the production backend on one set of data: export, search and sync')
  .option('--records <n>', 'generated records', atLeastOne, 1_000_000)
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 5)
  .action(benchProduction);

program
  .command('scale')
  .description(
    'What an index of a size costs and answers: disk, heap, rebuild, search, export, and several API processes',
  )
  .option('--records <n...>', 'generated records; 100000 unless given', addCount, [])
  .option('--nodes <n>', 'nodes of Elasticsearch: one as for tests, or a cluster started for this', atLeastOne, 1)
  .option('--shards <n...>', 'primary shards; 1 unless given', addCount, [])
  .option('--processes <n...>', 'API processes; 1 2 4 unless given', addCount, [])
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 3)
  .option('--each <n>', 'questions of each class in a round', atLeastOne, 30)
  .option('--seed <n>', 'chooses the questions', atLeastOne, 1)
  .option('--json', 'print one JSON object for each index', false)
  .action(benchScale);

program
  .command('keys')
  .description('What the check of a key adds to a search: the same search with a key and without, turn about')
  .option('--records <n>', 'generated records', atLeastOne, 20_000)
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 5)
  .option('--each <n>', 'searches of each kind in a round', atLeastOne, 500)
  .option('--mongodb-uri <uri>', 'with --elasticsearch-url: measure the production backend as it stands there')
  .option('--elasticsearch-url <url>')
  .action(benchKeys);

program
  .command('compression')
  .description('What compressed answers weigh and cost: the same searches with each encoding, in turns')
  .option('--records <n>', 'generated records', atLeastOne, 100_000)
  .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, 5)
  .option('--each <n>', 'searches in a round', atLeastOne, 500)
  .option('--seed <n>', 'chooses the questions', atLeastOne, 1)
  .action(benchCompression);

program
  .command('pages')
  .description(
    'Visits the explorer in Chromium with an empty cache: how soon the first result shows, and those of a typed word, what it weighs',
  )
  .option('--records <n>', 'generated records', atLeastOne, 5_000)
  .option('--visits <n>', 'visits that count, after one to warm up', atLeastOne, 20)
  .action(benchPages);

try {
  await program.parseAsync();
} catch (error) {
  program.error(`bench: ${error instanceof Error ? error.message : error}`);
}

async function benchSearch(options: SearchOptions, command: Command): Promise<void> {
  for (const [name, value] of Object.entries({ '--beside': options.beside, '--warm-up': options.warmUp })) {
    if (value !== undefined && !options.mix) command.error(`error: ${name} needs --mix`);
  }
  const sources: DataSource[] = [
    ...(options.files.length > 0 ? [{ files: options.files }] : []),
    ...options.records.map((count) => ({ count })),
  ];
  if (sources.length === 0) sources.push({ count: 100_000 });
  if (!options.json)
    console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}`);
  for (const source of sources) {
    const isEmbedded = options.backend === 'embedded';
    if (options.mix) {
      const { records, figures } = await benchMix(source, options);
      console.log(options.json ? JSON.stringify({ records, figures }) : `\n${records} records\n${formatMix(figures)}`);
      continue;
    }
    const bench = await (isEmbedded ? benchEmbeddedSearch : benchProductionSearch)(source, options);
    const { records, figures, engine } = bench;
    const set = 'files' in source ? 'files' : 'generated';
    if (options.json) console.log(JSON.stringify({ set, records, ...figures, engine }));
    else {
      const tables = [formatSearch(figures), ...(engine ? [formatEngine(engine)] : [])];
      console.log(`\n${records} records (${set})\n${tables.join('\n\n')}`);
    }
  }
}

async function benchMix(
  source: DataSource,
  options: SearchOptions,
): Promise<{ records: number; figures: MixFigures[] }> {
  const data =
    options.backend === 'embedded' ? { ...(await loadEmbedded(source)), settings: null } : await loadProduction(source);
  const engines = data.settings === null ? {} : { ...data.settings, KEY_PEPPER: randomBytes(32).toString('hex') };
  const product = await startProduct({ ...engines, MASTHEAD_DATA_DIR: data.dataDir }, join(data.dataDir, 'server.log'));
  const other = options.beside ? await startOther(options.beside, source, asOther(engines)) : null;
  try {
    const servers = [{ name: 'this', product }, ...(other ? [{ name: 'beside', product: other.product }] : [])];
    const { rounds, warmUp = 1, each, seed } = options;
    const requests = each * mixedRequestsPerQuestion;
    const figures = await measureMix(servers, data.some, { rounds, warmUp, requests, seed });
    return { records: data.records, figures };
  } finally {
    await Promise.all([product.stop(), other?.stop()]);
    await data.remove();
  }
}

interface SearchBench {
  records: number;
  figures: SearchFigures;
  /** Only if the engine has its own port. */
  engine?: EngineFigures;
}

async function benchProductionSearch(source: DataSource, options: SearchOptions): Promise<SearchBench> {
  const data = await loadProduction(source);
  try {
    return { records: data.records, ...(await searchProduction(data, options)) };
  } finally {
    await data.remove();
  }
}

async function benchIndex({
  records,
  rounds,
  json,
}: {
  records: number;
  rounds: number;
  json: boolean;
}): Promise<void> {
  const data = await loadProduction({ count: records });
  try {
    const figures = await measureIndexing(data, rounds);
    if (json) return console.log(JSON.stringify({ records, ...figures }));
    const rate = (value: number) => `${Math.round(value)} records/s`;
    console.log(
      `${records} records: ${rate(figures.product)} by the product, ${rate(figures.bare)} by a bare loop: ${(100 * figures.ratio).toFixed(0)} %. Merging takes ${figures.merging.toFixed(1)} s more.`,
    );
  } finally {
    await data.remove();
  }
}

async function benchSync({ records, json, ...run }: SyncRun & { records: number; json: boolean }): Promise<void> {
  const data = await loadProduction({ count: records });
  try {
    const figures = await measureSync(data, run);
    console.log(json ? JSON.stringify({ records, ...figures }) : formatSync(figures));
  } finally {
    await data.remove();
  }
}

async function benchEmbeddedSearch(source: DataSource, options: SearchOptions): Promise<SearchBench> {
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

interface ImportOptions {
  files: string[];
  backend: 'embedded' | 'mongodb';
  rounds: number;
  json: boolean;
}

async function benchImport({ files, backend, rounds, json }: ImportOptions): Promise<void> {
  const engine = backend === 'mongodb' ? await startEngine('mongodb', console.error) : null;
  try {
    const open = engine === null ? openEmbeddedToFill : () => openMongoToFill(engine.url);
    const figures = await measureImport(files, rounds, open);
    console.log(json ? JSON.stringify({ backend, ...figures }) : formatImport(figures));
  } finally {
    await engine?.stop();
  }
}

function formatImport({ rows, first, again, bare }: ImportFigures): string {
  const lines = Object.entries({ 'first import': first, 'second import': again, 'bare insert': bare });
  return formatFigures([
    [`${rows} rows`, 'rows/s', 'per second of processor time'],
    ...lines.map(([name, { clock, processor }]) => [name, clock.toFixed(0), processor.toFixed(0)]),
  ]);
}

type ExportOptions = ExportRun & { backend: 'embedded' | 'production'; records: number; json: boolean };

async function benchExport({ backend, records, json, ...run }: ExportOptions): Promise<void> {
  const figures = await (backend === 'embedded' ? benchEmbeddedExport : benchProductionExport)(records, run);
  console.log(json ? JSON.stringify(figures) : formatExport(figures));
}

async function benchEmbeddedExport(count: number, run: ExportRun): Promise<ExportFigures> {
  const data = await loadEmbedded({ count });
  return runEmbeddedExport(data, run).finally(data.remove);
}

async function benchProductionExport(count: number, run: ExportRun): Promise<ExportFigures> {
  const data = await loadProduction({ count });
  return runProductionExport(data, run).finally(data.remove);
}

/** One data set for all measurements of the production backend, each figure printed as soon as it is known. */
async function benchProduction({ records, rounds }: { records: number; rounds: number }): Promise<void> {
  const data = await loadProduction({ count: records });
  try {
    console.log(
      `${records} records; ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}`,
    );
    console.log(
      formatExport(await runProductionExport(data, { rounds, formats: [], hangUps: 1_000, slowSeconds: 20 })),
    );
    const { figures, engine } = await searchProduction(data, { rounds, each: 60, seed: 1 });
    console.log(`${formatSearch(figures)}\n\n${formatEngine(engine)}`);
    console.log(formatSync(await measureSync(data, { rounds, changes: 200_000, rate: 500, probes: 300 })));
  } finally {
    await data.remove();
  }
}

type ScaleOptions = ScalePlan & { records: number[]; nodes: number; json: boolean };

async function benchScale({ records, nodes, json, ...plan }: ScaleOptions): Promise<void> {
  const scale = { ...plan, shards: orElse(plan.shards, [1]), processes: orElse(plan.processes, [1, 2, 4]) };
  const startEngines = (log: LogLine) => (nodes === 1 ? startSharedEngines(log, 'figures') : startClusters(log, nodes));
  for (const count of orElse(records, [100_000])) {
    const data = await fillEngines({ count }, startEngines);
    try {
      await measureScale(data, nodes, scale, (figures) => {
        console.log(json ? JSON.stringify(figures) : formatScale([figures]));
      });
    } finally {
      await data.remove();
    }
  }
}

function orElse(given: readonly number[], otherwise: readonly number[]): readonly number[] {
  return given.length > 0 ? given : otherwise;
}

/** An Elasticsearch cluster next to one MongoDB. */
async function startClusters(log: LogLine, nodes: number): Promise<SharedEngines> {
  const [mongodb, elasticsearch] = [
    await startEngine('mongodb', log),
    await startLocalElasticsearchCluster(log, nodes, 'figures'),
  ];
  return {
    urls: { mongodb: mongodb.url, elasticsearch: elasticsearch.url },
    stop: async () => {
      await Promise.all([mongodb.stop(), elasticsearch.stop()]);
    },
  };
}

async function benchKeys(options: KeyOptions): Promise<void> {
  const data = await loadEmbedded({ count: options.records });
  const pepper = randomBytes(32).toString('hex');
  const { mongodbUri, elasticsearchUrl } = options;
  const production = mongodbUri && elasticsearchUrl ? { mongodbUri, elasticsearchUrl } : null;
  const backends = await openIndexer({
    dataDir: data.dataDir,
    mongoUri: production?.mongodbUri ?? null,
    elasticsearch: production && { nodes: [production.elasticsearchUrl] },
    indexAlias: 'masthead-records',
  });
  const settings = production && {
    MONGODB_URI: production.mongodbUri,
    ELASTICSEARCH_URL: production.elasticsearchUrl,
    PAYMENTS: 'sandbox',
  };
  try {
    await backends.whenPrepared();
    const grant = { tier: 'pro', days: -1, email: null } as const;
    const { key } = await issueKey({ ...backends, operator: 'bench' }, pepper, grant, new Date());
    const product = await startProduct(
      { MASTHEAD_DATA_DIR: data.dataDir, KEY_PEPPER: pepper, ...settings },
      join(data.dataDir, 'server.log'),
    );
    const figures = await measureKeyCheck(product.url, '/api/v1/search?kind=podcast', key, options);
    await product.stop();
    const [without, withKey, added] = [figures.withoutKey, figures.withKey, figures.added].map((ms) => ms.toFixed(3));
    console.log(`p50 of a search: ${without} ms without a key, ${withKey} ms with one; the check adds ${added} ms`);
  } finally {
    await backends.close();
    await data.remove();
  }
}

async function benchCompression(options: CompressionPlan & { records: number; seed: number }): Promise<void> {
  const data = await loadEmbedded({ count: options.records });
  try {
    const product = await startProduct({ MASTHEAD_DATA_DIR: data.dataDir }, join(data.dataDir, 'server.log'));
    try {
      const questions = questionData(data.some, new Dice(options.seed));
      const figures = await measureCompression(product, questions, options);
      const heading = ['', '100 records', '1 client p50', 'ratio', '16 clients', 'ratio'];
      const lines = figures.map(({ encoding, bytes, p50, slower, perSecond, faster }) => [
        encoding,
        `${(bytes / 1_000).toFixed(1)} kB`,
        `${p50.toFixed(2)} ms`,
        slower.toFixed(3),
        `${perSecond.toFixed(0)}/s`,
        faster.toFixed(3),
      ]);
      console.log(formatFigures([heading, ...lines]));
    } finally {
      await product.stop();
    }
  } finally {
    await data.remove();
  }
}

async function benchPages(run: PagesRun): Promise<void> {
  const { fromNavigation, fromLoad, fromTyping, weight } = await measurePages(run);
  const times = ({ p50, p95 }: typeof fromLoad) => `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`;
  console.log(
    [
      `first result: ${times(fromNavigation)} from the beginning; ${times(fromLoad)} from the end of loading`,
      `results of a typed word: ${times(fromTyping)} from its last letter`,
      `weight: ${(weight / 1_000).toFixed(1)} kB with the first answers`,
    ].join('\n'),
  );
}

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

function addCount(text: string, counts: readonly number[]): number[] {
  return [...counts, atLeastOne(text)];
}
