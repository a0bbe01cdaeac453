import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { readMemory } from '../../test/support/process-figures.ts';
import { percentile } from '../bench/measure.ts';
import { startServiceWithStandIns } from '../service-with-stand-ins.ts';
import { findCapacity, startLoad } from './load.ts';
import { mixTraffic } from './mixed-traffic.ts';

export interface SoakPlan {
  records: number;
  seed: number;
  /** How long the load runs, and how long the capacity is looked for before. */
  seconds: number;
  capacitySeconds: number;
}

export interface SoakFigures {
  /** Requests per second with 16 clients that never wait, and those of the load. */
  capacity: number;
  perSecond: number;
  requests: number;
  p50: number;
  p99: number;
  errors: string[];
  /** The maximum memory in MB, without mapped files, in the second and third minute and in the last two. */
  memory: { early: number; late: number } | null;
  stop: StopFigures;
}

/** What became of the requests when the process was told to stop under load. */
export interface StopFigures {
  exit: number | string;
  seconds: number;
  /** Requests that the process took after it was told; of those, and of all before, the ones not answered whole. */
  takenAfter: number;
  lost: string[];
}

const clients = 16;
const share = 0.7;
const pollMs = 1_000;
/** How long the load continues after the signal: the service finishes all its requests long before. */
const afterSignalMs = 1_000;

/** Finds the capacity, sustains a share of it with mixed requests, then stops the process under that load. */
export async function runSoak(plan: SoakPlan, logLine: (line: string) => void): Promise<SoakFigures> {
  const service = await startServiceWithStandIns({ records: plan.records, keyCount: 50 });
  try {
    const { product, keys, some, logPath } = service;
    const next = mixTraffic(some, keys, plan.seed);
    await findCapacity(product.url, next, clients, plan.capacitySeconds * 500);
    const capacity = await findCapacity(product.url, next, clients, plan.capacitySeconds * 1_000);
    const perSecond = capacity * share;
    logLine(`capacity ${capacity.toFixed(0)} requests/s; ${perSecond.toFixed(0)} a second for ${plan.seconds} s …`);

    const load = startLoad(product.url, next, perSecond);
    const samples = await sampleMemory(product.pid, plan.seconds * 1_000, (done, memory) => {
      const { times, errors } = load.report;
      logLine(`  ${done} s: ${times.length} answers, ${errors.length} errors, ${memory?.toFixed(0) ?? '?'} MB`);
    });
    const { times, errors, turnedAway } = load.report;
    if (turnedAway > 0) errors.push(`${turnedAway} requests were turned away before the process was told to stop`);
    const held = { requests: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };

    const told = performance.now();
    const exiting = product.terminate();
    await Promise.all([exiting, pause(afterSignalMs)]);
    const seconds = (performance.now() - told) / 1_000;
    await load.end();
    const log = await readFile(logPath, 'utf8');
    const stop = { exit: await exiting, seconds, ...judgeStop(log, load.report.answered) };
    return { capacity, perSecond, ...held, errors, memory: sumUpMemory(samples, plan.seconds), stop };
  } finally {
    await service.close();
  }
}

/** Samples once a second; reports twice a minute. */
async function sampleMemory(
  pid: number,
  ms: number,
  tell: (seconds: number, memory: number | null) => void,
): Promise<number[]> {
  const samples: number[] = [];
  const start = performance.now();
  for (let look = 1; performance.now() - start < ms; look += 1) {
    await pause(Math.min(pollMs, ms));
    const memory = readMemory(pid);
    if (memory !== null) samples.push(memory);
    if (look % 30 === 0) tell(look, memory);
  }
  return samples;
}

/** Each garbage collection reduces it by a fifth, so the maximum shows what is needed. Shorter runs: fifths. */
function sumUpMemory(samples: readonly number[], seconds: number): SoakFigures['memory'] {
  if (samples.length === 0) return null;
  const warmUp = Math.min(60, Math.floor(seconds / 5));
  const width = Math.max(1, Math.min(120, Math.floor(seconds / 5)));
  const counted = samples.slice(warmUp);
  return { early: Math.max(...counted.slice(0, width)), late: Math.max(...counted.slice(-width)) };
}

/** Uses the service's own log: what it accepted, and whether the caller has the complete answer. */
function judgeStop(log: string, answered: ReadonlySet<string>): Pick<StopFigures, 'takenAfter' | 'lost'> {
  const lines = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { msg: string; request_id?: string; route?: string });
  const told = lines.findIndex(({ msg }) => msg.startsWith('stopping'));
  const isTaken = ({ msg, route }: (typeof lines)[number]) => msg === 'request' && route !== '/readyz';
  const taken = lines.slice(told).filter(isTaken);
  const lost = taken.filter(({ request_id: id = '' }) => !answered.has(id)).map((line) => JSON.stringify(line));
  return { takenAfter: taken.length, lost };
}
