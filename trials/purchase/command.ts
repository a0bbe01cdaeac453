import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { seedOption } from '../options.ts';
import { openPurchaseTrials } from './purchase-trials.ts';

const repetitions = 20;
const readers = 200;
const kills = 50;
const buyers = 8;
const rotationKills = 20;
const rotations = 140;
const renewals = 60;

export const purchaseCommand = new Command('purchase')
  .description(
    'Races for the key of an order, kills of the API between checkout and claim, and kills while a key is rotated and renewed, on both backends',
  )
  .addOption(seedOption())
  .action(runPurchases);

async function runPurchases({ seed = Date.now() % 1_000_000 }: { seed?: number }): Promise<void> {
  console.log(`seed ${seed}`);
  for (const kind of ['embedded', 'mongodb'] as const) {
    const folder = await mkdtemp(join(tmpdir(), 'masthead-purchase-'));
    const trials = await openPurchaseTrials(kind, folder);
    if (trials === null) {
      console.log(`${kind}: skipped, there is none to be had (testing/engines/README.md)`);
    } else {
      const rotation = await trials.rotate({ kills: rotationKills, rotations, renewals, seed });
      console.log(
        `${kind}: ${rotationKills} kills of two processes, ${rotation.answered} rotations answered, ${rotation.lost} lost, ${rotation.renewed} renewals, ${rotation.refunded} of them refunded, ${rotation.faults.length} wrong`,
      );
      const races = await trials.race({ repetitions, readers });
      const wrong = races.filter(({ answers, keys, works }) => answers !== readers || keys !== 1 || !works);
      console.log(`${kind}: ${repetitions} races of ${readers} readers over two processes, ${wrong.length} wrong`);
      const report = await trials.kill({ kills, buyers, seed });
      console.log(
        `${kind}: ${kills} kills, ${report.purchases} purchases, ${report.interrupted} interrupted, ${report.reissued} keys replaced, ${report.faults.length} wrong`,
      );
      for (const fault of [...wrong.map((race) => JSON.stringify(race)), ...rotation.faults, ...report.faults])
        console.log(`  ${fault}`);
      if (wrong.length + rotation.faults.length + report.faults.length > 0) process.exitCode = 1;
      await trials.close();
    }
    await rm(folder, { recursive: true });
  }
}
