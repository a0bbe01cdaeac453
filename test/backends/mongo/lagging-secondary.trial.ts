import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimKey, newOrderId } from '#accounts/order.ts';
import { MongoKeyStore } from '#backends/mongo/mongo-key-store.ts';
import { MongoOrderStore } from '#backends/mongo/mongo-order-store.ts';
import { type MongoStore, openMongo } from '#backends/mongo/open-mongo.ts';
import { collectionsOf } from '#backends/mongo/prepare-collections.ts';
import { madeCheckoutEvent, madeKey, madeOrder, madePaymentEvent } from '#test/made-order.ts';
import { startOwnMongod } from '#testing/engines/own-engine.ts';
import { madeRecord } from '#testing/made-record.ts';

const now = new Date('2026-03-01T10:06:00.000Z');
const longAgo = new Date('2026-02-01T00:00:00.000Z');

const engine = await startOwnMongod({ hasLaggingSecondary: true });
afterAll(() => engine?.stop());

/* The secondary of this replica set shows a state that is an hour old, and the URI asks for it. */
describe.skipIf(engine === null)('with a URI that reads from a lagging secondary and writes to one server', () => {
  let store: MongoStore;
  beforeAll(async () => {
    const uri = engine?.url.replace('/?', '/newsroom?');
    store = await openMongo({ uri: `${uri}&readPreference=secondaryPreferred&w=1`, logLine: () => {} });
  });
  afterAll(() => store.close());

  it('the secondary shows none of the writes', async () => {
    const other = new MongoClient(`${engine?.url}&readPreference=secondary`);
    await store.records.merge([madeRecord({ id: 'a' })]);
    const seen = await other.db('newsroom').collection('records').countDocuments();
    await other.close();
    expect(seen).toBe(0);
  });

  it('an event that cannot be read back is refused so that it is sent again, and then counts', async () => {
    const order = madeOrder();
    const paid = madeCheckoutEvent(order);
    await store.orders.save(order, null);
    const careless = new MongoClient(`${engine?.url}&readPreference=secondary`);
    const db = careless.db('newsroom');
    const orders = new MongoOrderStore(collectionsOf(db), new MongoKeyStore(collectionsOf(db).keys));
    await expect(orders.receive(paid, now)).rejects.toMatchObject({ code: 'store_unavailable' });
    await careless.close();
    expect(await store.orders.receive(paid, now)).toBe('handled');
  });

  it('every event of a payment counts, and repeats are recognized', async () => {
    for (let round = 0; round < 10; round += 1) {
      const order = madeOrder();
      const key = madeKey();
      await store.orders.save(order, null);
      const paid = madeCheckoutEvent(order);
      expect(await store.orders.receive(paid, now)).toBe('handled');
      expect(await store.orders.receive(paid, now)).toBe('repeated');
      expect((await store.orders.change(order.id, (found) => claimKey(found, key, now)))?.isChanged).toBe(true);
      expect((await store.orders.change(order.id, (found) => claimKey(found, key, now)))?.isChanged).toBe(false);
      expect(await store.orders.receive(madePaymentEvent('refunded', `pi_${order.id}`), now)).toBe('handled');
      expect((await store.keys.findByHash(key.hash))?.revokedAt).toBe(now.toISOString());
    }
  });

  it('reservations, audit entries, pushes, suppressions and locks are read as written', async () => {
    const reservation = { hash: 'h', fingerprint: 'f', subjectId: newOrderId(), createdAt: now.toISOString() };
    await store.reservations.reserve(reservation, longAgo);
    expect(await store.reservations.reserve({ ...reservation, subjectId: newOrderId() }, longAgo)).toEqual(reservation);
    const entry = {
      at: now.toISOString(),
      operator: 'ada',
      action: 'keys issue',
      subject: 'mh_12345678',
      outcome: null,
    } as const;
    await store.audit.append(entry);
    expect(await store.audit.list(1)).toMatchObject([entry]);
    await store.suppressions.add([{ key: 'domain example.org', reason: null, addedAt: now.toISOString() }]);
    expect(await store.suppressions.list()).toHaveLength(1);
    const lock = await store.syncDeps.locks.acquire('sync');
    expect(await store.syncDeps.locks.list()).toMatchObject([{ job: 'sync' }]);
    await lock.release();
  });

  it('records are imported in transactions, and the sync reads them as written', async () => {
    const { source } = store.syncDeps;
    expect(await store.records.merge([madeRecord({ id: 'b', name: 'First' })])).toEqual(['created']);
    expect(await store.records.merge([madeRecord({ id: 'b', name: 'Second' })])).toEqual(['updated']);
    expect((await source.read(['b'])).get('b')).toMatchObject({ record: { name: 'Second' } });
    expect((await source.readRange({ after: '', upTo: null }, 10)).has('b')).toBe(true);
  });
});
