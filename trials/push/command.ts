import { Command } from 'commander';
import { atLeastOne } from '../options.ts';
import { runPush } from './run-push.ts';

export const pushCommand = new Command('push')
  .description(
    'Pushes 5,000 leads to a stand-in of each outbound tool while requests are refused, reset, late and fail',
  )
  .option('--seed <n>', 'makes the same requests go wrong again', atLeastOne, 1)
  .action(runPushes);

async function runPushes({ seed }: { seed: number }): Promise<void> {
  const { tools, faults } = await runPush({ leads: 5_000, seed });
  for (const { tool, seconds, requests, answer } of tools) {
    console.log(`${tool}: ${seconds.toFixed(1)} s, ${requests} requests, ${JSON.stringify(answer)}`);
  }
  for (const fault of faults) console.error(`WRONG  ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
