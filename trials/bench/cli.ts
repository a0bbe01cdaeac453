import { randomBytes } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { LogLine } from '../../test/support/engines/engine.ts';
import { startLocalElasticsearchCluster } from '../../test/support/engines/local-elasticsearch.ts';
import { type SharedEngines, startEngine, startSharedEngines } from '../../test/support/engines/start-engine.ts';
import { startOther } from './beside.ts';
import type { ExportFigures } from './export.ts';
import { measureImport } from './import.ts';
import { openEmbeddedToFill, openMongoToFill } from './import-stores.ts';
import { type DataSource, loadEmbedded } from './load-data.ts';
import { asOther, fillEngines, loadProduction } from './load-production.ts';
import { type MixFigures, measureMix } from './mix.ts';
import { startProduct } from './product-server.ts';
import { formatExport, formatImport, formatMix, formatScale, formatSync } from './report.ts';
import { type ExportRun, runEmbeddedExport, runProductionExport } from './run-export.ts';
import { measureScale, type ScalePlan } from './scale.ts';
import { measureSync, type SyncRun } from './sync.ts';

interface SearchOptions {
  backend: 'embedded' | 'production';
  records: number[];
  files: string[];
  rounds: number;
  each: number;
  seed: number;
  /** The folder of another checkout. */
  beside?: string;
  /** Rounds. */
  warmUp: number;
  json: boolean;
}

/** Of what people type, for each question of a class that `--each` asks for. */
const mixedRequestsPerQuestion = 10;

const program = new Command('bench').description('Measures the service against the bare engine under it.');

program
  .command('search')
  .description(
    'What people type and facets under a filter, from 16 clients over HTTP; beside another checkout, in turns',
  )
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
  .option('--mix', 'what people type, and facets under a filter: the one form there is', true)
  .option('--beside <folder>', 'another checkout, with its packages, which answers the same in turns')
  .option('--warm-up <n>', 'rounds to warm up; a new Elasticsearch needs 20 to compile its code', atLeastOne, 1)
  .option('--json', 'print one JSON object for each set of data', false)
  .action(benchSearch);

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

try {
  await program.parseAsync();
} catch (error) {
  program.error(`bench: ${error instanceof Error ? error.message : error}`);
}

async function benchSearch(options: SearchOptions): Promise<void> {
  const sources: DataSource[] = [
    ...(options.files.length > 0 ? [{ files: options.files }] : []),
    ...orElse(options.records, options.files.length > 0 ? [] : [100_000]).map((count) => ({ count })),
  ];
  if (!options.json)
    console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}`);
  for (const source of sources) {
    const { records, figures } = await benchMix(source, options);
    console.log(options.json ? JSON.stringify({ records, figures }) : `\n${records} records\n${formatMix(figures)}`);
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
    const { rounds, warmUp, each, seed } = options;
    const requests = each * mixedRequestsPerQuestion;
    const figures = await measureMix(servers, data.some, { rounds, warmUp, requests, seed });
    return { records: data.records, figures };
  } finally {
    await Promise.all([product.stop(), other?.stop()]);
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

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

function addCount(text: string, counts: readonly number[]): number[] {
  return [...counts, atLeastOne(text)];
}
