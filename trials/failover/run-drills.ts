import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyIndex } from '../../indexer/syncing/compare-index.ts';
import { issueKey } from '../../src/accounts/keys.ts';
import { Dice } from '../../src/sample/dice.ts';
import type { EngineCluster } from '../../test/support/engines/engine.ts';
import { findPrimary } from '../../test/support/engines/find-primary.ts';
import { SupervisedIndexer, startIndexer } from '../../test/support/indexer-process.ts';
import { openProduction, type Production } from '../../test/support/open-production.ts';
import { fillForTrial } from '../sync/fill-for-trial.ts';
import { RandomWriter } from '../sync/random-writer.ts';
import { ApiProcess } from './api-process.ts';
import { Balancer } from './balancer.ts';
import type { Drill, Installation } from './drills.ts';
import { Traffic, type TrafficReport } from './traffic.ts';

export interface DrillsOptions {
  elasticsearch: EngineCluster;
  mongodb: EngineCluster;
  drills: readonly Drill[];
  /** Records that are written to. */
  records: number;
  /** Requests and writes per second. */
  requestsPerSecond: number;
  writesPerSecond: number;
  /** How long the load runs before a drill, and after its failure is repaired, in milliseconds. */
  aroundMs: number;
  seed: number;
}

export interface DrillReport extends TrafficReport {
  name: string;
  seconds: number;
  /** Writes that MongoDB confirmed. */
  writes: number;
  imports: { done: number; failed: number };
  sync: {
    retries: number;
    starts: number /** From the end of the drill until it had written all. */;
    behindSeconds: number;
  };
  /** Differences that a complete comparison found, as `missing x`. */
  differences: string[];
}

const importedRecords = 500;

/** Two API processes, the sync, an import and an export on two clusters whose parts fail one after another. */
export async function runDrills(options: DrillsOptions, onReport: (report: DrillReport) => void): Promise<void> {
  const { elasticsearch, mongodb } = options;
  const folder = mkdtempSync(join(tmpdir(), 'masthead-failover-'));
  const production = await openProduction({ mongodb: mongodb.url, elasticsearch: elasticsearch.url });
  const closing: (() => Promise<unknown>)[] = [() => production.close()];
  try {
    await production.whenPrepared();
    const ids = await fillForTrial(production, options.records);
    await production.reindex();
    const key = await issueTrialKey(production);
    const settings = { ...production.settings, LOG_LEVEL: 'warn', ...noLimits };
    const apis = [await ApiProcess.start(settings), await ApiProcess.start(settings)];
    closing.push(() => Promise.all(apis.map((api) => api.shutDown())));
    const sync = new SupervisedIndexer(['sync'], production.settings);
    closing.push(() => sync.stop());
    const balancer = new Balancer(apis.map(({ url }) => url));
    closing.push(() => balancer.close());
    const installation = { elasticsearch, mongodb, apis, findPrimary: () => findPrimary(mongodb.nodes) };
    const parts: Parts = { ...options, production, ids, key, sync, balancer, installation, folder };
    for (const [place, drill] of options.drills.entries()) onReport(await runDrill(parts, drill, options.seed + place));
  } finally {
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true });
  }
}

const noLimits = { RATE_LIMIT_ANONYMOUS: '1000000', RATE_LIMIT_PREMIUM: '1000000' };

interface Parts extends DrillsOptions {
  production: Production;
  ids: readonly string[];
  key: string;
  sync: SupervisedIndexer;
  balancer: Balancer;
  installation: Installation;
  folder: string;
}

async function runDrill(parts: Parts, drill: Drill, seed: number): Promise<DrillReport> {
  const { production, ids, key, sync, balancer, installation, folder, aroundMs } = parts;
  const { collection, client } = production;
  const rate = parts.writesPerSecond;
  const writer = new RandomWriter({ collection, client, dice: new Dice(seed), rate, ids, poison: 0 });
  const imports = new RepeatedImport(production.settings, folder);
  await untilWhole(production);
  const before = { starts: sync.starts, retries: countRetries(sync) };
  const start = performance.now();
  const traffic = new Traffic(balancer, key, parts.requestsPerSecond);
  writer.start();
  imports.start();
  await pause(aroundMs);
  imports.beginAtOnce();
  await drill.run(installation);
  await pause(aroundMs);
  const report = await traffic.stop();
  await Promise.all([writer.stop(), imports.stop()]);
  const seconds = (performance.now() - start) / 1_000;
  const behindSeconds = await untilFound(production, `mark-${seed}`);
  const { examples } = await verifyIndex(production.syncDeps, { repairs: false });
  const starts = sync.starts - before.starts;
  const retries = Math.max(0, countRetries(sync) - (starts === 0 ? before.retries : 0));
  return {
    ...report,
    name: drill.name,
    seconds,
    writes: writer.writes,
    imports: { done: imports.done, failed: imports.failed },
    sync: { starts, retries, behindSeconds },
    differences: examples.map(({ id, is }) => `${is} ${id}`),
  };
}

/** Waits until every copy of the index and every member of the replica set is there: a drill breaks one part alone. */
async function untilWhole({ engine, client }: Production): Promise<void> {
  const isIndexWhole = async () => (await engine.cluster.health()).status === 'green';
  const isSetWhole = async () => {
    const { members } = await client.db('admin').command({ replSetGetStatus: 1 });
    return members.every(({ stateStr }: { stateStr: string }) => ['PRIMARY', 'SECONDARY'].includes(stateStr));
  };
  for (const isWhole of [isIndexWhole, isSetWhole]) while (!(await isWhole().catch(() => false))) await pause(200);
}

function countRetries({ current }: SupervisedIndexer): number {
  return current.output().split('Retrying').length - 1;
}

/** Writes a record and waits until it is found: all that was written before is in the index then. */
async function untilFound({ collection, index }: Production, id: string): Promise<number> {
  await collection.insertOne({ _id: id, kind: 'outlet', name: 'Mark' });
  const start = performance.now();
  while ((await index.find(id, 'masked').catch(() => null)) === null) await pause(50);
  return (performance.now() - start) / 1_000;
}

async function issueTrialKey(production: Production): Promise<string> {
  const grant = { tier: 'premium', days: 30, email: null } as const;
  const pepper = production.settings.KEY_PEPPER ?? '';
  return (await issueKey({ ...production, operator: 'trial' }, pepper, grant, new Date())).key;
}

const importEveryMs = 10_000;

/**
 * `indexer import` of one file after another, each with other values for the same records. At most one every ten
 * seconds: starting a process takes a second of processor time, which the servers under trial need.
 */
class RepeatedImport {
  readonly #settings: Record<string, string>;
  readonly #path: string;
  #running: Promise<void> | null = null;
  #isStopped = false;
  #waiting = new AbortController();
  done = 0;
  failed = 0;

  constructor(settings: Record<string, string>, folder: string) {
    this.#settings = settings;
    this.#path = join(folder, 'import.ndjson');
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Unless one runs already. */
  beginAtOnce(): void {
    this.#waiting.abort();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const lines = Array.from({ length: importedRecords }, (_, place) =>
        JSON.stringify({ id: `imported-${place}`, kind: 'newsletter', name: `Imported ${place} at ${Date.now()}` }),
      );
      writeFileSync(this.#path, `${lines.join('\n')}\n`);
      this.#waiting = new AbortController();
      const { signal } = this.#waiting;
      const nextTurn = pause(importEveryMs, undefined, { signal }).catch(() => {});
      const code = await startIndexer(['import', this.#path], this.#settings).ended;
      if (code === 0) this.done += 1;
      else this.failed += 1;
      await nextTurn;
    }
  }
}
