import { openEmbedded } from '../../src/backends/embedded/open-embedded.ts';
import { openMongo } from '../../src/backends/mongo/open-mongo.ts';
import { Dice } from '../../src/sample/dice.ts';
import { makeDataFolder } from '../../test/support/data-folder.ts';
import { startOwnEngine } from '../../test/support/engines/own-engine.ts';
import { newTestDatabase } from '../../test/support/mongo-database.ts';
import { startService } from '../../test/support/run-service.ts';
import { buyUnderKills, type KillReport, type KillTrial, killService } from './buy-under-kills.ts';
import { type Race, raceForKey } from './race-for-key.ts';
import { type RotationReport, type RotationTrial, rotateUnderKills, startAll } from './rotate-under-kills.ts';

/** The trials of purchases on one backend. */
export interface PurchaseTrials {
  race(trial: { repetitions: number; readers: number }): Promise<Race[]>;
  kill(trial: { kills: number; buyers: number; seed: number }): Promise<KillReport>;
  rotate(trial: { kills: number; rotations: number; renewals: number; seed: number }): Promise<RotationReport>;
  close(): Promise<void>;
}

const pepper = 'a pepper of 32 characters or more';
const common = { KEY_PEPPER: pepper, LOG_LEVEL: 'warn', RATE_LIMIT_CHECKOUT: '1000000', RATE_LIMIT_PRO: '1000000' };

/** Opens the trials with their stores in `folder`, or in a separate MongoDB; null if unavailable. */
export async function openPurchaseTrials(kind: 'embedded' | 'mongodb', folder: string): Promise<PurchaseTrials | null> {
  return kind === 'embedded' ? openOnEmbedded(folder) : openOnMongo();
}

async function openOnEmbedded(folder: string): Promise<PurchaseTrials> {
  await makeDataFolder(folder);
  const settings = { ...common, MASTHEAD_DATA_DIR: folder };
  const stores = openEmbedded({ dataDir: folder, logLine: () => {} });
  return createTrials({ ...stores, start: () => startService(settings), processes: 1 }, () => stores.close());
}

async function openOnMongo(): Promise<PurchaseTrials | null> {
  const engine = await startOwnEngine('mongodb');
  if (engine === null) return null;
  const { uri, client } = newTestDatabase(engine.url);
  const stores = await openMongo({ uri, logLine: () => {} });
  const start = () =>
    startService({
      ...common,
      MONGODB_URI: uri,
      // Purchases need no search, so this address does not answer.
      ELASTICSEARCH_URL: 'http://127.0.0.1:1',
      PAYMENTS: 'sandbox',
    });
  return createTrials({ ...stores, start, processes: 2 }, async () => {
    await stores.close();
    await client.close();
    await engine.stop();
  });
}

function createTrials(
  {
    keys,
    orders,
    audit,
    start,
    processes,
  }: Pick<KillTrial, 'keys' | 'orders'> & Pick<RotationTrial, 'audit' | 'start' | 'processes'>,
  close: () => Promise<void>,
): PurchaseTrials {
  return {
    async race({ repetitions, readers }) {
      const apis = await startAll({ start, processes });
      const races: Race[] = [];
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        races.push(
          await raceForKey(
            apis.map(({ url }) => url),
            readers,
          ),
        );
      }
      await Promise.all(apis.map(killService));
      return races;
    },
    async kill({ kills, buyers, seed }) {
      const dice = new Dice(seed);
      return buyUnderKills({ start, keys, orders, pepper, kills, buyers, random: () => dice.fraction() });
    },
    async rotate({ seed, ...trial }) {
      const dice = new Dice(seed);
      return rotateUnderKills({ start, processes, keys, audit, pepper, ...trial, random: () => dice.fraction() });
    },
    close,
  };
}
