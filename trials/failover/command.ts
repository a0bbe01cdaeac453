import { Command, Option } from 'commander';
import { startLocalElasticsearchCluster } from '../../testing/engines/local-elasticsearch.ts';
import { startLocalReplicaSet } from '../../testing/engines/local-mongod.ts';
import { seedOption } from '../options.ts';
import { allDrills, type Drill, shortDrills } from './drills.ts';
import { type DrillReport, runDrills } from './run-drills.ts';

/** Of the requests of any drill. */
const maxFailed = 0.005;
const maxMs = 5_000;

export const failoverCommand = new Command('failover')
  .description('Kills, pauses and restarts each part of two clusters and both API processes, one after the other')
  .addOption(new Option('--short', 'one drill of each kind, with less around it'))
  .addOption(new Option('--only <words...>', 'the drills whose name has one of these, such as "primary" or "API 1"'))
  .addOption(seedOption())
  .action(runFailover);

interface FailoverOptions {
  short?: boolean;
  only?: readonly string[];
  seed?: number;
}

async function runFailover({ short = false, only, seed = 1 }: FailoverOptions): Promise<void> {
  const drills = chooseDrills(short ? shortDrills : allDrills, only);
  const log = (line: string) => console.error(line);
  const [elasticsearch, mongodb] = await Promise.all([
    startLocalElasticsearchCluster(log, 3),
    startLocalReplicaSet(log, 3),
  ]);
  try {
    console.log(
      '| drill | s | requests | failed | wrong | longest ms | retried | exports | imports | sync | differences |',
    );
    console.log('|---|---|---|---|---|---|---|---|---|---|---|');
    await runDrills(
      {
        elasticsearch,
        mongodb,
        drills,
        records: 10_000,
        requestsPerSecond: 30,
        writesPerSecond: 100,
        aroundMs: short ? 5_000 : 10_000,
        seed,
      },
      (report) => {
        console.log(toRow(report));
        for (const fault of listFaults(report)) console.log(`WRONG  ${fault}`);
        if (listFaults(report).length > 0) process.exitCode = 1;
      },
    );
  } finally {
    await Promise.all([elasticsearch.stop(), mongodb.stop()]);
  }
}

/** @throws Error if there are none. */
function chooseDrills(drills: readonly Drill[], only: readonly string[] | undefined): readonly Drill[] {
  if (only === undefined) return drills;
  const chosen = drills.filter(({ name }) => only.some((words) => name.toLowerCase().includes(words.toLowerCase())));
  if (chosen.length > 0) return chosen;
  throw new Error(`No drill has that name. There are: ${drills.map(({ name }) => name).join(', ')}.`);
}

function toRow(report: DrillReport): string {
  const { name, seconds, requests, failed, wrong, retried, exports, imports, sync, differences } = report;
  const cells = [
    name,
    seconds.toFixed(0),
    requests,
    failed.length,
    wrong.length,
    report.maxMs.toFixed(0),
    retried,
    `${exports.whole} whole, ${exports.broken} broken`,
    `${imports.done} done, ${imports.failed} failed`,
    `${sync.retries} retries, ${sync.starts} new starts, ${sync.behindSeconds.toFixed(1)} s behind`,
    differences.length,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The promises that a drill broke. */
function listFaults(report: DrillReport): string[] {
  const { requests, failed, failedBetween, wrong, maxMs: longest, differences } = report;
  const share = failed.length / requests;
  const between = `between ${failedBetween?.map((seconds) => seconds.toFixed(1)).join(' and ')} s after the beginning`;
  const shown = Object.entries(Object.groupBy(failed, (line) => line)).map(
    ([line, same]) => `${same?.length} × ${line}`,
  );
  return [
    ...(share > maxFailed ? [`${(100 * share).toFixed(2)} % of the requests failed, ${between}`, ...shown] : []),
    ...wrong.slice(0, 10),
    ...(longest > maxMs ? [`a request took ${longest.toFixed(0)} ms`] : []),
    ...differences.slice(0, 10),
  ];
}
