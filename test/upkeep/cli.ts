/** `npm run chaos [-- SEED]`: the long form of what the sync and the rebuild are put through, on engines of its own. */
import { startEngine } from '#test/engines/start-engine.ts';
import { followUnderKills } from './follow-under-kills.ts';
import { rebuildUnderLoad } from './rebuild-under-load.ts';

const kills = 32;
const rate = 500;

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);
const say = (line: string) => console.error(line);
const [mongod, elasticsearch] = await Promise.all([startEngine('mongodb', say), startEngine('elasticsearch', say)]);
try {
  const load = await rebuildUnderLoad(
    { mongodb: mongod.url, elasticsearch: elasticsearch.url },
    { records: 400_000, rate, seed },
  );
  console.log(
    `rebuild of ${load.indexed} records in ${load.seconds.toFixed(0)} s beside ${load.writes} writes and ${load.searches} searches: ${load.failedSearches} searches failed, ${load.wrongTotals.length} were wrong, ${load.differences.length} differences`,
  );
  const chaos = await followUnderKills({ mongod, elasticsearch, kills, rate, records: 20_000, seed, say });
  console.log(
    `${kills} kills (${Object.entries(chaos.killed)
      .map(([victim, times]) => `${victim} ${times}`)
      .join(
        ', ',
      )}) in ${chaos.writes} writes and ${chaos.searches} searches: ${chaos.failedSearches} searches failed, ${chaos.wrongTotals.length} were wrong, ${chaos.differences.length} differences, ${chaos.deadLetters} dead letters`,
  );
  const faults = [load, chaos].flatMap(({ differences, wrongTotals }) => [...differences, ...wrongTotals.map(String)]);
  for (const fault of faults) console.log(`  ${fault}`);
  if (faults.length + load.failedSearches + chaos.failedSearches > 0) process.exitCode = 1;
} finally {
  await Promise.all([mongod.stop(), elasticsearch.stop()]);
}
