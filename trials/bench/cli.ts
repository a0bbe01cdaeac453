import { randomBytes } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { startEngine } from '../../test/support/engines/start-engine.ts';
import { type ExportPlan, measureExport } from './export.ts';
import { measureImport } from './import.ts';
import { asOther, type DataSource, type Filled, loadEmbedded, loadProduction } from './load-data.ts';
import { printFigures } from './measure.ts';
import { measureMix } from './mix.ts';
import { startOther, startProduct } from './product-server.ts';
import { measureScale, type ScalePlan } from './scale.ts';
import { measureSync, type SyncRun } from './sync.ts';

type Backend = 'embedded' | 'production';

const backend = () =>
  new Option('--backend <name>', 'production: engines named by the environment, or started for this')
    .choices(['embedded', 'production'])
    .default('embedded');
const program = new Command('bench').description('Measures the service. --json prints figures for machines.');
const command = (name: string, description: string, rounds: number) =>
  program
    .command(name)
    .description(description)
    .option('--rounds <n>', 'rounds that count, after one to warm up', atLeastOne, rounds)
    .option('--json', 'print JSON', false);

command('search', 'What people type and facets under a filter, from 16 clients, beside another checkout in turns', 5)
  .option('--records <n...>', 'generated records; 100000 where neither this nor --files is given', addCount, [])
  .option('--files <file...>', 'record files, imported together', [])
  .option('--each <n>', 'requests of each sort in a round', atLeastOne, 600)
  .option('--seed <n>', 'chooses the questions', atLeastOne, 1)
  .addOption(backend())
  .option('--beside <folder>', 'another checkout, with its packages, which answers the same in turns')
  .option('--warm-up <n>', 'rounds to warm up; a new Elasticsearch needs 20 to compile its code', atLeastOne, 1)
  .action(benchSearch);

command('import', 'Imports files into an empty store, then again', 5)
  .requiredOption('--files <file...>', 'record files, imported together')
  .addOption(new Option('--backend <name>', 'where to').choices(['embedded', 'mongodb']).default('embedded'))
  .action(benchImport);

command('export', 'Exports everything over HTTP', 5)
  .addOption(backend())
  .option('--records <n>', 'generated records', atLeastOne, 100_000)
  .option('--formats <name...>', 'formats to compare', ['csv'])
  .action(benchExport);

command('sync', 'Follows the records of MongoDB: a backlog, and how soon a change is seen', 5)
  .option('--records <n>', 'generated records', atLeastOne, 200_000)
  .option('--changes <n>', 'changes in a backlog', atLeastOne, 200_000)
  .option('--rate <n>', 'changes a second while it is measured how soon they are seen', atLeastOne, 500)
  .option('--probes <n>', 'changes of which that is measured', atLeastOne, 300)
  .action(benchSync);

command('scale', 'What an index of a size costs and answers: disk, heap, rebuild, search, export', 3)
  .option('--records <n...>', 'generated records; 100000 unless given', addCount, [])
  .option('--shards <n>', 'primary shards', atLeastOne, 1)
  .option('--each <n>', 'questions in a round', atLeastOne, 500)
  .option('--seed <n>', 'chooses the questions', atLeastOne, 1)
  .action(benchScale);

try {
  await program.parseAsync();
} catch (error) {
  program.error(`bench: ${error instanceof Error ? error.message : error}`);
}

interface SearchOptions {
  backend: Backend;
  records: number[];
  files: string[];
  rounds: number;
  each: number;
  seed: number;
  beside?: string;
  warmUp: number;
  json: boolean;
}

async function benchSearch({ backend, files, records, beside, each, json, ...plan }: SearchOptions): Promise<void> {
  const counts = orElse(records, files.length > 0 ? [] : [100_000]);
  const sources: DataSource[] = [...(files.length > 0 ? [{ files }] : []), ...counts.map((count) => ({ count }))];
  if (!json) console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}\n`);
  for (const source of sources) {
    const data = await load(backend, source);
    const settings: Record<string, string> =
      backend === 'embedded' ? {} : { ...data.settings, KEY_PEPPER: randomBytes(32).toString('hex') };
    const product = await startProduct(data, settings);
    const other = beside === undefined ? null : await startOther(beside, source, asOther(settings));
    try {
      const servers = { this: product, ...(other && { beside: other }) };
      const figures = await measureMix(servers, data.some, { ...plan, requests: each });
      printFigures({ records: data.records, ...figures }, json);
    } finally {
      await Promise.all([product.stop(), other?.stop()]);
      await data.remove();
    }
  }
}

function load(backend: Backend, source: DataSource): Promise<Filled> {
  return backend === 'embedded' ? loadEmbedded(source) : loadProduction(source);
}

async function benchImport(options: { files: string[]; backend: string; rounds: number; json: boolean }) {
  const { files, rounds, json } = options;
  const engine = options.backend === 'mongodb' ? await startEngine('mongodb', console.error) : null;
  try {
    printFigures(await measureImport(files, rounds, engine?.url ?? null), json);
  } finally {
    await engine?.stop();
  }
}

type Common = { records: number; json: boolean };

async function benchExport({ backend, records, json, ...plan }: ExportPlan & Common & { backend: Backend }) {
  const data = await load(backend, { count: records });
  printFigures(await measureExport(data, plan).finally(data.remove), json);
}

async function benchSync({ records, json, ...run }: SyncRun & Common) {
  const data = await loadProduction({ count: records });
  printFigures({ records, ...(await measureSync(data, run).finally(data.remove)) }, json);
}

type ScaleOptions = ScalePlan & { records: number[]; json: boolean };

async function benchScale({ records, json, ...plan }: ScaleOptions): Promise<void> {
  for (const count of orElse(records, [100_000])) {
    const data = await loadProduction({ count }, 'stored');
    printFigures(await measureScale(data, plan).finally(data.remove), json);
  }
}

function orElse(given: readonly number[], otherwise: readonly number[]): readonly number[] {
  return given.length > 0 ? given : otherwise;
}

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

function addCount(text: string, counts: readonly number[]): number[] {
  return [...counts, atLeastOne(text)];
}
