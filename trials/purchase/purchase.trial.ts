import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateApiKey, identifyKey } from '../../src/accounts/api-key.ts';
import { replaceKey } from '../../src/accounts/change-order.ts';
import { issueKey } from '../../src/accounts/keys.ts';
import { openEmbedded } from '../../src/backends/embedded/open-embedded.ts';
import type { Stores } from '../../src/backends/stores.ts';
import { Dice } from '../../src/sample/dice.ts';
import { dayMs } from '../../src/text/days.ts';
import { bearer, buy, readAccount, readOrder } from '../../test/support/buyer.ts';
import { makeDataFolder } from '../../test/support/embedded-store.ts';
import { engines } from '../../test/support/engines.ts';
import { ofForm, readSeed } from '../../test/support/form.ts';
import { newTestDatabase } from '../../test/support/mongo-database.ts';
import { type ServiceProcess, startService } from '../../test/support/processes.ts';

const seed = readSeed();
const pepper = 'a pepper of 32 characters or more';
const common = { KEY_PEPPER: pepper, LOG_LEVEL: 'warn', RATE_LIMIT_CHECKOUT: '1000000', RATE_LIMIT_PRO: '1000000' };
/** The requests of a round start within this time, in milliseconds. A purchase takes about as long. */
const spreadMs = 120;
const planDays = 30;

/** The stores that outlive the processes of the API, their settings, and how many of them share the stores at a time. */
interface Shop {
  stores: Pick<Stores, 'keys' | 'orders' | 'audit'>;
  settings: Record<string, string>;
  processes: number;
  close(): Promise<void>;
}

const shops: { name: string; open(): Promise<Shop> }[] = [{ name: 'embedded', open: openEmbeddedShop }];
if (engines.mongodb !== null) shops.push({ name: 'mongodb', open: openMongoShop });

async function openEmbeddedShop(): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'masthead-purchase-'));
  await makeDataFolder(folder);
  const stores = openEmbedded(folder);
  const close = async () => {
    await stores.close();
    await rm(folder, { recursive: true });
  };
  return { stores, settings: { ...common, MASTHEAD_DATA_DIR: folder }, processes: 1, close };
}

async function openMongoShop(): Promise<Shop> {
  const { uri, open, close } = newTestDatabase(engines.mongodb ?? '');
  const stores = await open();
  // Purchases need no search, so there is no Elasticsearch at this URL.
  const place = { MONGODB_URI: uri, ELASTICSEARCH_URL: 'http://127.0.0.1:1', PAYMENTS: 'sandbox' };
  return { stores, settings: { ...common, ...place }, processes: 2, close };
}

describe.each(shops)('a purchase, with API processes on $name', ({ open }) => {
  let shop: Shop;
  let apis: ServiceProcess[] = [];
  const dice = new Dice(seed);
  beforeAll(async () => {
    shop = await open();
    return () => shop.close();
  });
  afterEach(killAll);

  async function startAll(count = shop.processes): Promise<void> {
    const started: ServiceProcess[] = [];
    while (started.length < count) started.push(await startService(shop.settings));
    apis = started;
  }
  async function killAll(): Promise<void> {
    for (const { process } of apis) process.kill('SIGKILL');
    await Promise.all(apis.map(({ ended }) => ended));
  }
  const times = <Result>(count: number, work: (place: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, place) => work(place)));
  const apiOf = (place: number) => () => apis[place % apis.length]?.url ?? '';
  const someTime = (ms = spreadMs) => pause(dice.fraction() * ms);
  const workingKeys = async (keys: readonly string[]) => {
    const accounts = await Promise.all(keys.map((key) => readAccount(apiOf(0), key)));
    return keys.filter((_, place) => accounts[place] !== null);
  };

  it('leaves one working chain of keys, and every paid day, wherever the processes are killed while many rotate and renew it at once', async () => {
    const [kills, rotations, renewals] = ofForm([1, 40, 15], [20, 140, 60]) as [number, number, number];
    const grant = { tier: 'pro', days: planDays, email: null };
    const issued = await issueKey({ ...shop.stores, operator: 'trial' }, pepper, grant, new Date());
    const sent = issued.key;
    let paidDays = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await startAll();
      const buyers = times(renewals, async (place) => {
        await someTime();
        const isRefunded = place % 3 === 0;
        const actions = isRefunded ? ['pay', 'refund'] : ['pay'];
        if (dice.chance(0.5)) actions.reverse();
        return { purchase: await buy(apiOf(place), sent, actions), isRefunded };
      });
      const answers = times(rotations, async (place) => {
        await someTime();
        return rotate(apiOf(place)(), sent).catch(() => null);
      });
      await someTime(2 * spreadMs);
      await killAll();
      const given = (await answers).filter((key) => key !== null);
      await startAll(1);

      for (const { purchase, isRefunded } of await buyers) {
        const { status, renews, api_key } = await readOrder(apiOf(0), purchase);
        const isOfOther = renews !== null && api_key === undefined;
        expect([status, isOfOther]).toEqual([isRefunded ? 'refunded' : 'paid', true]);
        if (!isRefunded) paidDays += planDays;
      }
      expect(await workingKeys([sent])).toEqual([sent]);
      expect((await workingKeys(given)).length).toBeLessThanOrEqual(1);
      // After one more rotation, only the newest key works. MongoDB may still hold the lock of a killed process.
      const next = await vi.waitFor(() => rotate(apiOf(0)(), sent), { timeout: 90_000 });
      expect(await workingKeys([...given, sent, next])).toEqual([sent, next]);
      expect((await shop.stores.keys.list('')).map(({ hash }) => hash)).toEqual([issued.stored.hash]);
      const end = Date.parse(issued.stored.plan.expiresAt) + paidDays * dayMs;
      expect((await readAccount(apiOf(0), next))?.expires_at).toBe(new Date(end).toISOString());
      await killAll();
    }
  });

  it('ends with exactly one working key, wherever the process is killed between checkout and claim', async () => {
    const { keys, orders } = shop.stores;
    await startAll(1);
    for (let kill = 0; kill < ofForm(2, 50); kill += 1) {
      const buyers = times(8, async () => {
        await someTime();
        const purchase = await buy(apiOf(0));
        return { purchase, answer: await readOrder(apiOf(0), purchase) };
      });
      await someTime(2 * spreadMs);
      await killAll();
      await startAll(1);
      for (const { purchase, answer } of await buyers) {
        let key = answer.api_key;
        if (key === undefined) {
          // The answer with the key was lost, so an operator issues a new one.
          const replacement = generateApiKey();
          const identity = identifyKey(replacement, pepper);
          const change = await orders.change(purchase.orderId, (order) => replaceKey(order, identity, new Date()));
          expect(change?.isChanged, change?.order.status).toBe(true);
          key = replacement;
        }
        expect((await readAccount(apiOf(0), key))?.order_id).toBe(purchase.orderId);
        const own = (await keys.list('')).filter(({ orderId }) => orderId === purchase.orderId);
        expect(own.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
      }
    }
  });
});

/** The new key. Rejects if there is none. */
async function rotate(url: string, key: string): Promise<string> {
  const headers = { ...bearer(key), 'Content-Type': 'application/json' };
  const body = '{"overlap_hours":24}';
  const answer = await fetch(`${url}/api/v1/me/key/rotate`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${answer.status} for a rotation`);
  return ((await answer.json()) as { api_key: string }).api_key;
}
