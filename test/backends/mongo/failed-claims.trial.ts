import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashApiKey } from '#accounts/api-key.ts';
import type { Order } from '#accounts/order.ts';
import { claimTokenOf } from '#accounts/pepper.ts';
import { type OrderReading, readOrder } from '#accounts/read-order.ts';
import type { KeyDocument } from '#backends/mongo/mongo-key-store.ts';
import { type MongoStore, openMongo } from '#backends/mongo/open-mongo.ts';
import { madeCheckoutEvent, madeKey, madeOrder } from '#test/made-order.ts';
import { startOwnMongod } from '#testing/engines/own-engine.ts';

const pepper = 'a pepper for tests only, 32 or more';
const engine = await startOwnMongod({ canFail: true });
afterAll(() => engine?.stop());

/** A command on a collection that fails: how often, and how. */
interface Failure {
  collection: 'api_keys' | 'orders';
  command: 'insert' | 'update';
  mode: 'alwaysOn' | { times: number };
  how: { errorCode: number } | { closeConnection: true } | { writeConcernError: object };
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
    await vi.waitFor(() => store.orders.find(order.id), { timeout: 20_000 });
  }

  function read(): Promise<OrderReading> {
    const deps = {
      orders: store.orders,
      keys: store.keys,
      payments: null,
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
    const stored = { orders: await readRaw('orders', order.id), keys: await readRaw('api_keys', keys[0]?.hash ?? '') };
    expect(stored.orders).toMatchObject({ unsettled: null });
    expect(stored.keys).not.toHaveProperty('is_provisional');
  }

  const readRaw = (name: string, _id: string) =>
    admin.db('newsroom').collection<{ _id: string }>(name).findOne({ _id });

  it.each<[string, Failure]>([
    ['the key cannot be stored', { collection: 'api_keys', command: 'insert', mode: 'alwaysOn', how: diskFull }],
    [
      'the connection breaks before the key is stored',
      { collection: 'api_keys', command: 'insert', mode: 'alwaysOn', how: { closeConnection: true } },
    ],
    ['the order cannot be written', { collection: 'orders', command: 'update', mode: { times: 1 }, how: diskFull }],
    [
      'the order cannot be written for a while',
      { collection: 'orders', command: 'update', mode: 'alwaysOn', how: diskFull },
    ],
    [
      'the order is written, and no majority confirms it',
      {
        collection: 'orders',
        command: 'update',
        mode: { times: 1 },
        how: { writeConcernError: { code: 64, codeName: 'WriteConcernFailed', errmsg: 'no majority in time' } },
      },
    ],
  ])('is refused and can be claimed again if %s', async (_what, failure) => {
    await fail(failure);
    await expect(read()).rejects.toMatchObject({ code: 'store_unavailable' });
    await mend();
    await expectOneKey(null);
  });

  it('is given out if only the cleanup afterwards fails', async () => {
    await fail({ collection: 'api_keys', command: 'update', mode: 'alwaysOn', how: diskFull });
    const reading = await read();
    expect(reading.apiKey).toMatch(/^mh_/);
    expect(await store.keys.findByHash(hashApiKey(reading.apiKey ?? '', pepper))).not.toBeNull();
    await mend();
    await expectOneKey(reading);
  });

  it.each<[string, Failure]>([
    ['the key cannot be written', { collection: 'api_keys', command: 'update', mode: 'alwaysOn', how: diskFull }],
    [
      'the connection breaks before the key is written',
      { collection: 'api_keys', command: 'update', mode: 'alwaysOn', how: { closeConnection: true } },
    ],
    [
      'the key is written, and no majority confirms it',
      {
        collection: 'api_keys',
        command: 'update',
        mode: { times: 1 },
        how: { writeConcernError: { code: 64, codeName: 'WriteConcernFailed', errmsg: 'no majority in time' } },
      },
    ],
  ])('is renewed by the next reader of the paid order if %s', async (_what, failure) => {
    const { apiKey } = await read();
    const hash = hashApiKey(apiKey ?? '', pepper);
    const before = (await store.keys.findByHash(hash))?.plan.expiresAt ?? '';
    const renewal = madeOrder({ renewsHash: hash });
    await store.orders.save(renewal);
    await fail(failure);
    const event = madeCheckoutEvent(renewal);
    await expect(store.orders.receive(event, new Date())).rejects.toMatchObject({ code: 'store_unavailable' });
    await mend();
    expect(await store.orders.find(renewal.id)).toMatchObject({ status: 'paid', renewsHash: hash });
    const thirtyDays = 30 * 24 * 60 * 60 * 1000;
    const expiresAt = new Date(Date.parse(before) + thirtyDays).toISOString();
    expect(await store.keys.findByHash(hash)).toMatchObject({ plan: { expiresAt } });
    expect(await store.orders.receive(event, new Date())).toBe('repeated');
    expect(await store.keys.findByHash(hash)).toMatchObject({ plan: { expiresAt } });
    expect(await readRaw('orders', renewal.id)).toMatchObject({ unsettled: null });
  });

  /** Leaves a key like a process that stops before the order names it; returns its hash. */
  async function leaveKey(created_at: string): Promise<string> {
    const { hash: _id } = madeKey();
    const key = { prefix: 'mh_left0000', tier: 'pro', expires_at: created_at, email: null, revoked_at: null } as const;
    await admin
      .db('newsroom')
      .collection<KeyDocument>('api_keys')
      .insertOne({ _id, ...key, order_id: order.id, created_at, is_provisional: true });
    return _id;
  }

  it('is the only one if a process stopped between the key and its order', async () => {
    await leaveKey(new Date().toISOString());
    await expectOneKey(null);
  });

  it('leaves nothing behind forever if a process stopped and nobody came back for the key', async () => {
    const hash = await leaveKey('2025-03-01T10:00:00.000Z');
    await store.orders.purge(new Date('2025-03-01T10:00:00.001Z'));
    expect(await store.keys.findByHash(hash)).toBeNull();
    await expectOneKey(null);
  });
});
