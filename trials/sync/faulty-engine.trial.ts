import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dice } from '../../src/sample/dice.ts';
import { openProduction, type Production } from '../../test/support/open-production.ts';
import { elasticsearch, mongodb } from '../breakable-engines.ts';
import { type FaultyEngine, startFaultyEngine } from './faulty-engine.ts';
import { fillForTrial } from './fill-for-trial.ts';
import { RandomWriter } from './random-writer.ts';

const timeout = { timeout: 300_000 };

describe.skipIf(mongodb === null || elasticsearch === null)(
  'an engine that is overloaded, down or loses answers',
  () => {
    let faulty: FaultyEngine;
    let production: Production;
    beforeAll(async () => {
      faulty = await startFaultyEngine(elasticsearch?.url ?? '', new Dice(5), 0.4);
      production = await openProduction({ mongodb: mongodb?.url ?? '', elasticsearch: faulty.url });
    });
    afterAll(async () => {
      await production.close();
      await faulty.close();
    });

    it('gets every record nevertheless: each in its current state, none in an older one', async () => {
      const ids = await fillForTrial(production, 4_000);
      expect(await production.reindex()).toMatchObject({ indexed: 2_300, repaired: 0 });
      const following = production.follow();
      const { collection, client } = production;
      const writer = new RandomWriter({ collection, client, dice: new Dice(6), rate: 300, ids, poison: 0 });
      writer.start();
      await expect.poll(() => writer.writes, timeout).toBeGreaterThan(1_500);
      // Requests go wrong at random: until each kind of trouble has come.
      await expect.poll(() => Math.min(...Object.values(faulty.faults)), timeout).toBeGreaterThan(0);
      await writer.stop();
      expect(await production.differences()).toEqual([]);
      await following.stop();
      expect(following.retries()).toBeGreaterThan(0);
    });
  },
);
