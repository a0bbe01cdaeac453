import { verifyIndex } from '../../indexer/syncing/compare-index.ts';
import { rebuildIndex } from '../../indexer/syncing/rebuild-index.ts';
import { Dice } from '../../src/sample/dice.ts';
import { SupervisedIndexer } from '../../test/support/indexer-process.ts';
import { openProduction } from '../../test/support/open-production.ts';
import { fillForTrial } from './fill-for-trial.ts';
import { RandomWriter } from './random-writer.ts';
import { SteadySearcher } from './steady-searcher.ts';

export interface LoadTrial {
  /** Records that are written to; about half of them are there at a time. */
  records: number;
  /** Writes a second. */
  rate: number;
  seed: number;
}

export interface LoadReport {
  indexed: number;
  /** How long the rebuild took. */
  seconds: number;
  writes: number;
  searches: number;
  failedSearches: string[];
  /** Searches that were not answered in time. */
  timedOutSearches: number;
  wrongTotals: number[];
  /** Differences that a complete comparison found after the swap, the first hundred, as `missing x`. */
  differences: string[];
}

/** Rebuilds the index while its records are written and searched, and a sync follows them. */
export async function rebuildUnderLoad(
  engines: { mongodb: string; elasticsearch: string },
  { records, rate, seed }: LoadTrial,
): Promise<LoadReport> {
  const production = await openProduction(engines);
  const { collection, client, syncDeps } = production;
  try {
    await production.whenPrepared();
    const ids = await fillForTrial(production, records);
    await rebuildIndex(syncDeps, { allowsShrink: false });
    const searcher = new SteadySearcher(production.index);
    const writer = new RandomWriter({ collection, client, dice: new Dice(seed), rate, ids, poison: 0.01 });
    const sync = new SupervisedIndexer(['sync'], production.settings);
    searcher.start();
    writer.start();
    const { indexed, seconds } = await rebuildIndex(syncDeps, { allowsShrink: false });
    await writer.stop();
    await searcher.stop();
    const { examples } = await verifyIndex(syncDeps, { repairs: false });
    await sync.stop();
    return {
      indexed,
      seconds,
      writes: writer.writes,
      searches: searcher.searches,
      failedSearches: searcher.failures,
      timedOutSearches: searcher.timedOut,
      wrongTotals: searcher.wrong,
      differences: examples.map(({ id, is }) => `${is} ${id}`),
    };
  } finally {
    await production.close();
  }
}
