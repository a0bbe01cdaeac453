import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Dice } from '#indexer/sample/dice.ts';
import { type FaultyEngine, startFaultyEngine } from './faulty-engine.ts';
import { fillForTrial } from './fill-for-trial.ts';
import { openProduction, type Production } from './open-production.ts';
import { RandomWriter } from './random-writer.ts';

const { mongodb, elasticsearch } = inject('engines');

describe.skipIf(!mongodb || !elasticsearch)('an engine that is overloaded, away or loses answers', () => {
  let faulty: FaultyEngine;
  let production: Production;
  beforeAll(async () => {
    faulty = await startFaultyEngine(elasticsearch ?? '', new Dice(5), 0.4);
    production = await openProduction({ mongodb: mongodb ?? '', elasticsearch: faulty.url });
  });
  afterAll(async () => {
    await production.close();
    await faulty.close();
  });

  it('gets every record all the same: each as it is, none from before', { timeout: 120_000 }, async () => {
    const ids = await fillForTrial(production, 4_000);
    expect(await production.reindex()).toMatchObject({ indexed: 2_300, repaired: 0 });
    const following = production.follow();
    const { collection, client } = production;
    const writer = new RandomWriter({ collection, client, dice: new Dice(6), rate: 300, ids, poison: 0 });
    writer.start();
    await expect.poll(() => writer.writes, { timeout: 60_000 }).toBeGreaterThan(1_500);
    await writer.stop();
    expect(await production.differences()).toEqual([]);
    await following.stop();
    expect(following.retries()).toBeGreaterThan(0);
    expect(Object.values(faulty.faults).every((count) => count > 0)).toBe(true);
  });
});
