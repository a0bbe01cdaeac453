import { Command } from 'commander';
import { startEngine } from '../../testing/engines/start-engine.ts';
import { openOutageTrial } from './engine-outage.ts';

export const outageCommand = new Command('outage')
  .description('Kills and halts each engine under load: what is answered meanwhile, and how soon')
  .action(runOutages);

async function runOutages(): Promise<void> {
  const log = (line: string) => console.error(line);
  const [mongodb, elasticsearch] = await Promise.all([startEngine('mongodb', log), startEngine('elasticsearch', log)]);
  try {
    const trial = await openOutageTrial({ mongodb, elasticsearch });
    for (const engine of ['elasticsearch', 'mongodb'] as const) {
      for (const how of ['killed', 'hung'] as const) {
        const report = await trial.breakEngine(engine, how);
        const { answers, refused, slowestMs, recoveryMs } = report;
        console.log(
          `${engine} ${how}: ${answers} answers, ${refused} refused, the slowest after ${slowestMs.toFixed(0)} ms, the last refusal ${recoveryMs.toFixed(0)} ms after its return`,
        );
        for (const fault of [...report.wrong, ...report.late]) console.log(`  WRONG  ${fault}`);
        if (report.wrong.length + report.late.length > 0) process.exitCode = 1;
      }
    }
    await trial.close();
  } finally {
    await Promise.all([mongodb.stop(), elasticsearch.stop()]);
  }
}
