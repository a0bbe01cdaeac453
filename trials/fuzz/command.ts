import { Command } from 'commander';
import { atLeastOne, backendOption } from '../options.ts';
import { findSchemathesis } from './find-schemathesis.ts';
import { type FuzzPlan, runFuzz } from './run-fuzz.ts';

export const fuzzCommand = new Command('fuzz')
  .description('Sends made-up requests, right and wrong ones, by the API description, and checks each answer by it')
  .addOption(backendOption())
  .option('--cases <n>', 'made-up requests of each operation', atLeastOne, 100)
  .option('--workers <n>', 'operations at the same time', atLeastOne, 1)
  .option('--seed <n>', 'makes up the same requests again', atLeastOne, 1)
  .argument('[options...]', 'further options of schemathesis, after --')
  .action(fuzz);

async function fuzz(further: readonly string[], options: Omit<FuzzPlan, 'further' | 'isShown'>): Promise<void> {
  const schemathesis = await findSchemathesis((line) => console.log(line));
  console.log(`seed ${options.seed}, ${options.backend} backend`);
  const { code } = await runFuzz(schemathesis, { ...options, further, isShown: true });
  process.exitCode = code;
}
