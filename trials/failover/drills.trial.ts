import { describe, expect, it } from 'vitest';
import { startLocalElasticsearchCluster } from '../../test/support/engines/local-elasticsearch.ts';
import { startLocalReplicaSet } from '../../test/support/engines/local-mongod.ts';
import { seed } from '../../test/support/seed.ts';
import { allDrills } from './drills.ts';
import { type DrillReport, runDrills } from './run-drills.ts';

/** Of the requests of any drill. */
const maxFailed = 0.005;
const maxMs = 5_000;

describe('two clusters and two API processes', () => {
  it('hardly fail a request and lose no record while each part is killed, paused and restarted', async () => {
    const log = (line: string) => console.error(line);
    const [elasticsearch, mongodb] = await Promise.all([
      startLocalElasticsearchCluster(log, 3),
      startLocalReplicaSet(log, 3),
    ]);
    const load = { records: 10_000, requestsPerSecond: 30, writesPerSecond: 100, aroundMs: 10_000, seed };
    const faults: string[] = [];
    try {
      await runDrills({ elasticsearch, mongodb, drills: allDrills, ...load }, (report) => {
        console.log(describeDrill(report));
        faults.push(...listFaults(report).map((fault) => `${report.name}: ${fault}`));
      });
    } finally {
      await Promise.all([elasticsearch.stop(), mongodb.stop()]);
    }
    expect(faults).toEqual([]);
  });
});

function describeDrill({
  name,
  seconds,
  requests,
  failed,
  maxMs,
  retried,
  exports,
  imports,
  sync,
}: DrillReport): string {
  return [
    `${name}: ${seconds.toFixed(0)} s, ${requests} requests, ${failed.length} failed, ${retried} retried`,
    `at most ${maxMs.toFixed(0)} ms, exports ${exports.whole} whole and ${exports.broken} broken`,
    `imports ${imports.done} done and ${imports.failed} failed, sync ${sync.behindSeconds.toFixed(1)} s behind`,
  ].join(', ');
}

/** The promises that a drill broke. */
function listFaults({ requests, failed, failedBetween, wrong, maxMs: longest, differences }: DrillReport): string[] {
  const between = `between ${failedBetween?.map((seconds) => seconds.toFixed(1)).join(' and ')} s after the beginning`;
  return [
    ...(failed.length / requests > maxFailed ? [`${failed.length} of ${requests} requests failed, ${between}`] : []),
    ...(longest > maxMs ? [`a request took ${longest.toFixed(0)} ms`] : []),
    ...wrong.slice(0, 10),
    ...differences.slice(0, 10),
  ];
}
