import { Command } from 'commander';
import { startEngine } from '../../testing/engines/start-engine.ts';
import { seedOption } from '../options.ts';
import { followUnderKills } from './follow-under-kills.ts';
import { rebuildUnderLoad } from './rebuild-under-load.ts';

const kills = 32;
const rate = 500;

export const syncCommand = new Command('sync')
  .description('Kills the sync, rebuilds and both engines while records are written and searched')
  .addOption(seedOption())
  .action(runSync);

async function runSync({ seed = Date.now() % 1_000_000 }: { seed?: number }): Promise<void> {
  console.log(`seed ${seed}`);
  const log = (line: string) => console.error(line);
  const [mongod, elasticsearch] = await Promise.all([startEngine('mongodb', log), startEngine('elasticsearch', log)]);
  try {
    const engines = { mongodb: mongod.url, elasticsearch: elasticsearch.url };
    const load = await rebuildUnderLoad(engines, { records: 400_000, rate, seed });
    console.log(
      `rebuild of ${load.indexed} records in ${load.seconds.toFixed(0)} s beside ${load.writes} writes and ${load.searches} searches: ${load.failedSearches.length} searches failed, ${load.timedOutSearches} timed out, ${load.wrongTotals.length} were wrong, ${load.differences.length} differences`,
    );
    const chaos = await followUnderKills({ mongod, elasticsearch, kills, rate, records: 20_000, seed, log });
    const killed = Object.entries(chaos.killed).map(([victim, times]) => `${victim} ${times}`);
    console.log(
      `${kills} kills (${killed.join(', ')}) in ${chaos.writes} writes and ${chaos.searches} searches: ${chaos.failedSearches.length} searches failed, ${chaos.timedOutSearches} timed out, ${chaos.wrongTotals.length} were wrong, ${chaos.differences.length} differences, ${chaos.deadLetters} dead letters`,
    );
    const faults = [load, chaos].flatMap(({ differences, wrongTotals, failedSearches }) => [
      ...differences,
      ...wrongTotals.map((total) => `a search found ${total}`),
      ...failedSearches,
    ]);
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length + load.timedOutSearches + chaos.timedOutSearches > 0) process.exitCode = 1;
  } finally {
    await Promise.all([mongod.stop(), elasticsearch.stop()]);
  }
}
