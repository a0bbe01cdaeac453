import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { openMongo } from '#backends/mongo/open-mongo.ts';
import { Dice } from '#indexer/sample/dice.ts';
import { startOwnEngine } from '#test/engines/own-engine.ts';
import { newTestDatabase } from '#test/mongo-database.ts';
import { startApi } from './api-process.ts';
import { buyUnderKills, type KillReport, type KillTrial } from './buy-under-kills.ts';
import { type Race, raceForKey } from './race-for-key.ts';

/** What purchases are put through, on one backend. */
export interface PurchaseTrials {
  race(trial: { repetitions: number; readers: number }): Promise<Race[]>;
  kill(trial: { kills: number; buyers: number; seed: number }): Promise<KillReport>;
  close(): Promise<void>;
}

const pepper = 'a pepper of 32 characters or more';

/** Opens the trials with their stores in `folder`, or in a MongoDB of their own; null where there is none to be had. */
export async function openPurchaseTrials(kind: 'embedded' | 'mongodb', folder: string): Promise<PurchaseTrials | null> {
  return kind === 'embedded' ? openOnEmbedded(folder) : openOnMongo(folder);
}

function openOnEmbedded(folder: string): PurchaseTrials {
  const settings = { MASTHEAD_DATA_DIR: folder, KEY_PEPPER: pepper, LOG_LEVEL: 'warn' };
  const stores = openEmbedded({ dataDir: folder });
  return createTrials({ ...stores, start: () => startApi('src/main.ts', settings) }, () => stores.close());
}

async function openOnMongo(folder: string): Promise<PurchaseTrials | null> {
  const engine = await startOwnEngine('mongodb');
  if (engine === null) return null;
  const { uri, client } = newTestDatabase(engine.url);
  const stores = await openMongo({ uri, say: () => {}, reportUnreadable: () => {} });
  const settings = { MASTHEAD_DATA_DIR: folder, KEY_PEPPER: pepper, MONGODB_URI: uri };
  const start = () => startApi('test/purchase/serve-on-mongo.ts', settings);
  return createTrials({ ...stores, start }, async () => {
    await stores.close();
    await client.close();
    await engine.stop();
  });
}

function createTrials(
  { keys, orders, start }: Pick<KillTrial, 'keys' | 'orders' | 'start'>,
  close: () => Promise<void>,
): PurchaseTrials {
  return {
    async race({ repetitions, readers }) {
      const apis = [await start(), await start()];
      const races: Race[] = [];
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        races.push(
          await raceForKey(
            apis.map(({ url }) => url),
            readers,
          ),
        );
      }
      await Promise.all(apis.map((api) => api.kill()));
      return races;
    },
    async kill({ kills, buyers, seed }) {
      const dice = new Dice(seed);
      return buyUnderKills({ start, keys, orders, pepper, kills, buyers, random: () => dice.fraction() });
    },
    close,
  };
}
