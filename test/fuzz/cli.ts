/** `npm run fuzz`: schemathesis against /openapi.json of a service that is started for it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type BackendName, startServiceWithStandIns } from '#test/service-with-stand-ins.ts';
import { findSchemathesis, type Schemathesis } from './find-schemathesis.ts';

interface FuzzOptions {
  backend: BackendName;
  cases: number;
  workers: number;
  seed: number;
}

const records = 5_000;

const program = new Command('fuzz')
  .description('Sends made-up requests, right and wrong ones, by the API description, and checks each answer by it')
  .addOption(
    new Option('--backend <name>', 'production: engines named by the environment, or started for this')
      .choices(['embedded', 'production'])
      .default('embedded'),
  )
  .option('--cases <n>', 'made-up requests of each operation', atLeastOne, 100)
  .option('--workers <n>', 'operations at the same time', atLeastOne, 1)
  .option('--seed <n>', 'makes up the same requests again', atLeastOne, 1)
  .argument('[options...]', 'further options of schemathesis, after --')
  .action(fuzz);

try {
  await program.parseAsync();
} catch (error) {
  program.error(`fuzz: ${error instanceof Error ? error.message : error}`);
}

async function fuzz(further: readonly string[], options: FuzzOptions): Promise<void> {
  const schemathesis = await findSchemathesis((line) => console.log(line));
  console.log(`seed ${options.seed}, ${options.backend} backend`);
  const service = await startServiceWithStandIns(options.backend, { records, keyCount: 1 });
  try {
    const [key = ''] = service.keys;
    process.exitCode = await runSchemathesis(schemathesis, { url: service.product.url, key }, options, further);
  } finally {
    await service.close();
  }
}

async function runSchemathesis(
  { command, env }: Schemathesis,
  { url, key }: { url: string; key: string },
  { cases, workers, seed }: FuzzOptions,
  further: readonly string[],
): Promise<number> {
  // It keeps what it found in the folder where it runs.
  const folder = await mkdtemp(join(tmpdir(), 'masthead-fuzz-'));
  try {
    const args = [
      ['run', `${url}/openapi.json`],
      ['--header', `Authorization: Bearer ${key}`],
      // Some rules hold between fields, so that not all that fits the schemas is right: 400 answers it.
      ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'],
      ['--max-examples', `${cases}`, '--workers', `${workers}`, '--seed', `${seed}`],
      ['--continue-on-failure', ...further],
    ].flat();
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: 'inherit' });
    const [code] = await once(child, 'close');
    return code ?? 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}
