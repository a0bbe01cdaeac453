import { Command } from 'commander';
import { atLeastOne, backendOption } from '../options.ts';
import type { BackendName } from '../service-with-stand-ins.ts';
import { runSoak, type SoakFigures } from './run-soak.ts';

interface SoakOptions {
  backend: BackendName;
  minutes: number;
  records: number;
  seed: number;
}

const capacitySeconds = 20;
const maxGrowth = 0.1;

export const soakCommand = new Command('soak')
  .description('Mixed requests at 70 % of what the service can take, then SIGTERM under that load')
  .addOption(backendOption())
  .option('--minutes <n>', 'how long the load runs', atLeastOne, 10)
  .option('--records <n>', 'generated records', atLeastOne, 20_000)
  .option('--seed <n>', 'chooses the requests', atLeastOne, 1)
  .action(soak);

async function soak({ minutes, ...options }: SoakOptions): Promise<void> {
  const figures = await runSoak({ ...options, seconds: minutes * 60, capacitySeconds }, (line) => console.log(line));
  const { capacity, perSecond, requests, p50, p99, memory, stop, errors } = figures;
  console.log(
    [
      `${requests} answers at ${perSecond.toFixed(0)} of ${capacity.toFixed(0)} requests/s: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${errors.length} errors`,
      memory === null
        ? 'memory: not known on this system'
        : `memory: at most ${memory.early.toFixed(0)} MB in the second and third minute, ${memory.late.toFixed(0)} MB in the last two`,
      `SIGTERM: exit ${stop.exit} after ${stop.seconds.toFixed(1)} s; ${stop.takenAfter} requests ended after it, ${stop.lost.length} of them lost`,
    ].join('\n'),
  );
  const faults = listFaults(figures);
  for (const fault of faults) console.error(`WRONG  ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function listFaults({ errors, memory, stop }: SoakFigures): string[] {
  const growth = memory === null ? 0 : memory.late / memory.early - 1;
  return [
    ...errors.slice(0, 10),
    ...(growth > maxGrowth ? [`memory grew by ${(100 * growth).toFixed(0)} %`] : []),
    ...(stop.exit === 0 ? [] : [`the process ended with ${stop.exit}`]),
    ...stop.lost.slice(0, 10).map((line) => `taken and not answered: ${line}`),
  ];
}
