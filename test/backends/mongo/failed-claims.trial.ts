import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashApiKey } from '#accounts/api-key.ts';
import type { Order } from '#accounts/order.ts';
import { claimTokenOf } from '#accounts/pepper.ts';
import { type OrderReading, readOrder } from '#accounts/purchase.ts';
import { type MongoStore, openMongo } from '#backends/mongo/open-mongo.ts';
import { startOwnMongod } from '#testing/engines/start-engine.ts';
import { madeCheckoutEvent, madeOrder } from '#testing/made-order.ts';
import { daysAfter } from '#text/days.ts';

const pepper = 'a pepper for tests only, 32 or more';
const engine = await startOwnMongod({ canFail: true });
afterAll(() => engine?.stop());

/** A command on a collection that fails: how often, and how. */
interface Failure {
  collection: 'api_keys' | 'orders';
  command: 'insert' | 'update';
  mode: 'alwaysOn' | { times: number };
  how: { errorCode: number } | { closeConnection: true };
}

const diskFull = { errorCode: 14_031 };

describe.skipIf(engine === null)('a key that is claimed or renewed while MongoDB fails', () => {
  let store: MongoStore;
  let admin: MongoClient;
  let order: Order;

  beforeAll(async () => {
    store = await openMongo({ uri: engine?.url.replace('/?', '/newsroom?') ?? '', logLine: () => {} });
    admin = new MongoClient(engine?.url ?? '');
  });
  afterAll(async () => {
    await store.close();
    await admin.close();
  });
  beforeEach(async () => {
    order = madeOrder();
    await store.orders.save(order);
    await store.orders.receive(madeCheckoutEvent(order), new Date());
  });

  const fail = ({ collection, command, mode, how }: Failure) =>
    admin.db('admin').command({
      configureFailPoint: 'failCommand',
      mode,
      data: { failCommands: [command], namespace: `newsroom.${collection}`, ...how },
    });
  /** Returns when the driver has noticed that the server answers again. */
  async function mend(): Promise<void> {
    await admin.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
    await vi.waitFor(() => store.orders.find(order.id), { timeout: 60_000 });
  }

  function read(): Promise<OrderReading> {
    const deps = {
      orders: store.orders,
      keys: store.keys,
      payments: null,
      mails: null,
      pepper,
      log: { info: () => {}, warn: () => {} },
    };
    const claimToken = claimTokenOf(order.id, pepper);
    return readOrder(deps, { orderId: order.id, claimToken, mayClaim: true }, new Date());
  }

  /** Reads until the key arrives, and expects it to be the only one, to work, and to be given once. */
  async function expectOneKey(first: OrderReading | null): Promise<void> {
    const apiKey = first?.apiKey ?? (await read()).apiKey ?? '';
    expect(await store.keys.findByHash(hashApiKey(apiKey, pepper))).toMatchObject({ revokedAt: null });
    expect((await read()).apiKey).toBeNull();
    const keys = (await store.keys.list('')).filter(({ orderId }) => orderId === order.id);
    expect(keys.map(({ hash }) => hash)).toEqual([hashApiKey(apiKey, pepper)]);
  }

  it.each<[string, Failure]>([
    ['the key cannot be stored', { collection: 'api_keys', command: 'insert', mode: 'alwaysOn', how: diskFull }],
    [
      'the connection breaks before the key is stored',
      { collection: 'api_keys', command: 'insert', mode: 'alwaysOn', how: { closeConnection: true } },
    ],
    ['the order cannot be written', { collection: 'orders', command: 'update', mode: 'alwaysOn', how: diskFull }],
  ])('is refused and can be claimed again if %s', async (_what, failure) => {
    await fail(failure);
    await expect(read()).rejects.toMatchObject({ code: 'store_unavailable' });
    await mend();
    await expectOneKey(null);
  });

  it.each<[string, Failure]>([
    ['the key cannot be written', { collection: 'api_keys', command: 'update', mode: 'alwaysOn', how: diskFull }],
    [
      'the connection breaks before the key is written',
      { collection: 'api_keys', command: 'update', mode: 'alwaysOn', how: { closeConnection: true } },
    ],
  ])('is renewed once the paid event is sent again if %s', async (_what, failure) => {
    const { apiKey } = await read();
    const hash = hashApiKey(apiKey ?? '', pepper);
    const before = (await store.keys.findByHash(hash))?.plan.expiresAt ?? '';
    const renewal = madeOrder({ renewsHash: hash });
    await store.orders.save(renewal);
    await fail(failure);
    const event = madeCheckoutEvent(renewal);
    await expect(store.orders.receive(event, new Date())).rejects.toMatchObject({ code: 'store_unavailable' });
    await mend();
    expect(await store.orders.receive(event, new Date())).toBe('handled');
    expect(await store.orders.find(renewal.id)).toMatchObject({ status: 'paid', renewsHash: hash });
    const expiresAt = daysAfter(before, 30);
    expect(await store.keys.findByHash(hash)).toMatchObject({ plan: { expiresAt } });
    expect(await store.orders.receive(event, new Date())).toBe('repeated');
    expect(await store.keys.findByHash(hash)).toMatchObject({ plan: { expiresAt } });
  });
});
