import { setTimeout as pause } from 'node:timers/promises';
import { verifyIndex } from '../../indexer/syncing/compare-index.ts';
import { rebuildIndex } from '../../indexer/syncing/rebuild-index.ts';
import { Dice } from '../../src/sample/dice.ts';
import type { Engine } from '../../test/support/engines/engine.ts';
import { SupervisedIndexer, startIndexer } from '../../test/support/indexer-process.ts';
import { openProduction, type Production } from '../../test/support/open-production.ts';
import { fillForTrial } from './fill-for-trial.ts';
import { RandomWriter } from './random-writer.ts';
import { SteadySearcher } from './steady-searcher.ts';

export interface KillTrial {
  mongod: Engine;
  elasticsearch: Engine;
  kills: number;
  /** Writes a second. */
  rate: number;
  /** Records that are written to. */
  records: number;
  seed: number;
  log: (line: string) => void;
}

export interface KillReport {
  writes: number;
  killed: Record<Victim, number>;
  searches: number;
  /** Searches that failed though the engine was there. */
  failedSearches: string[];
  /** Searches that were not answered in time. */
  timedOutSearches: number;
  /** Totals of searches that should have found all of what nobody changed. */
  wrongTotals: number[];
  /** Differences that a complete comparison found at the end, the first hundred, as `missing x`. */
  differences: string[];
  deadLetters: number;
  /** Generations left besides the live one and the two that are kept. */
  leftovers: number;
}

const victims = ['sync', 'reindex', 'elasticsearch', 'mongod'] as const;
type Victim = (typeof victims)[number];

/**
 * Kills (-9) the sync, rebuilds and both engines at random moments while records are written and searched; then compares
 * the index with the records.
 */
export async function followUnderKills(trial: KillTrial): Promise<KillReport> {
  const { mongod, elasticsearch, seed, log } = trial;
  const dice = new Dice(seed);
  const production = await openProduction({ mongodb: mongod.url, elasticsearch: elasticsearch.url });
  try {
    await production.whenPrepared();
    const ids = await fillForTrial(production, trial.records);
    await rebuildIndex(production.syncDeps, { allowsShrink: false });
    const searcher = new SteadySearcher(production.index);
    const { collection, client } = production;
    const writer = new RandomWriter({
      collection,
      client,
      dice: new Dice(seed + 1),
      rate: trial.rate,
      ids,
      poison: 0.01,
    });
    const sync = new SupervisedIndexer(['sync'], production.settings);
    searcher.start();
    writer.start();
    const killed: Record<Victim, number> = { sync: 0, reindex: 0, elasticsearch: 0, mongod: 0 };
    for (let kill = 0; kill < trial.kills; kill += 1) {
      const victim = victims[kill % victims.length] ?? 'sync';
      await pause(200 + dice.below(2_000));
      await kills[victim]({ ...trial, production, sync, searcher, dice });
      killed[victim] += 1;
      log(`killed ${victim} (${kill + 1} of ${trial.kills}), ${writer.writes} writes`);
    }
    await writer.stop();
    await searcher.stop();
    // The last rebuild removes what those that were killed have left.
    await rebuildIndex(production.syncDeps, { allowsShrink: false });
    const { examples } = await verifyIndex(production.syncDeps, { repairs: false });
    await sync.stop();
    return {
      writes: writer.writes,
      killed,
      searches: searcher.searches,
      failedSearches: searcher.failures,
      timedOutSearches: searcher.timedOut,
      wrongTotals: searcher.wrong,
      differences: examples.map(({ id, is }) => `${is} ${id}`),
      deadLetters: await production.syncDeps.deadLetters.count(),
      leftovers: Math.max(0, (await production.syncDeps.generations.list()).length - 3),
    };
  } finally {
    await production.close();
  }
}

interface Killing extends KillTrial {
  production: Production;
  sync: SupervisedIndexer;
  searcher: SteadySearcher;
  dice: Dice;
}

const kills: Record<Victim, (killing: Killing) => Promise<void>> = {
  async sync({ sync }) {
    const { current } = sync;
    current.kill('SIGKILL');
    await current.ended;
  },
  async reindex({ production, dice }) {
    const rebuilding = startIndexer(['reindex'], production.settings);
    await pause(500 + dice.below(4_000));
    rebuilding.kill('SIGKILL');
    await rebuilding.ended;
  },
  async elasticsearch({ elasticsearch, searcher, production, dice }) {
    searcher.isEngineDown = true;
    await elasticsearch.kill();
    await pause(dice.below(1_000));
    await elasticsearch.start();
    while (!(await production.index.isReady())) await pause(50);
    searcher.isEngineDown = false;
  },
  async mongod({ mongod, dice }) {
    await mongod.kill();
    await pause(dice.below(1_000));
    await mongod.start();
  },
};
