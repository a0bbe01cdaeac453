import { describe, expect, it } from 'vitest';
import { engines } from '#testing/engines.ts';
import { madeOrder, madePaymentEvent } from '#testing/made-order.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { useEach } from '#testing/use.ts';

const url = engines.mongodb;

describe.skipIf(url === null)('the MongoDB store of version 1.1', () => {
  const database = useEach(() => newTestDatabase(url ?? ''));
  const collection = (name: string) => database.collection(name);

  it('keeps its audit log, pushes, use of keys and pepper', async () => {
    const at = '2026-11-22T10:00:00.000Z';
    const today = new Date().toISOString();
    const entry = { at, operator: 'ada', action: 'keys issue', subject: 'mh_1' };
    await database.collection<object>('audit_log').insertOne({ ...entry });
    const counts = { requests: 3, exported_rows: 2, pushed_leads: 1 };
    const day = { key_hash: 'hash', date: today.slice(0, 10), ...counts, last_used_at: today };
    await collection('key_usage').insertOne({ _id: `hash ${day.date}`, ...day });
    const push = { keyHash: 'hash', keyPrefix: 'mh_1', tool: 'smartlead', campaignId: '47', status: 'done' };
    const times = { startedAt: today, updatedAt: today };
    const end = { counts: { sent: 1 }, details: { 'block.count$': 1 }, failure: null, ...times };
    await collection('pushes').insertOne({ _id: 'psh_1', ...push, ...end });
    await collection('key_pepper').insertOne({ _id: 'proof', proof: 'proof', since: at });
    const lease = { token: 't', holder: 'process 1 on elsewhere', since: new Date(), expires_at: new Date() };
    await collection('job_locks').insertOne({ _id: 'sync', ...lease });

    for (let start = 1; start <= 2; start += 1) {
      const store = await database.open();
      expect(await store.audit.list(5)).toEqual([{ ...entry, outcome: null }]);
      const used = { keyHash: 'hash', date: day.date, requests: 3, exportedRows: 2, pushedLeads: 1, lastUsedAt: today };
      expect(await store.usage.list({ owner: 'hash', from: '2026-01-01' })).toEqual([used]);
      expect(await store.pushes.list({ limit: 5 })).toEqual([{ id: 'psh_1', ...push, ...end }]);
      expect(await store.pepper.find()).toEqual({ proof: 'proof', since: at });
      await (await store.syncDeps.locks.acquire('sync')).release();
      await store.close();
    }
  });

  it('keeps its keys, orders and payment events', async () => {
    const at = '2026-11-22T10:00:00.000Z';
    const given = { email: null, order_id: null, created_at: at, revoked_at: null };
    await collection('api_keys').insertOne({ _id: 'plain', prefix: 'mh_1', tier: 'pro', expires_at: 'e', ...given });
    const renewals = { firstEnd: 'e', orders: [{ orderId: 'o', paidAt: 'p', days: 30 }] };
    const retiring = { retiring_hash: 'retiring', retiring_prefix: 'mh_0', retiring_ends_at: 'r' };
    const secrets = { secret_hash: 'secret', ...retiring };
    const full = { prefix: 'mh_2', tier: 'premium', expires_at: 'e', ...given, ...secrets };
    await collection('api_keys').insertOne({ _id: 'full', ...full, renewals: JSON.stringify(renewals) });
    await collection('api_keys').insertOne({ _id: 'provisional', ...full, is_provisional: true });
    const offer = { status: 'paid', tier: 'pro', price: 4900, currency: 'USD', days: 30, email: null, created_at: at };
    const payment = { checkout_url: 'u', checkout_reference: 'cs_1', payment_reference: 'pi_1', paid_at: null };
    const never = ['plan_expires_at', 'refunded_at', 'suspended_at', 'key_claimed_at', 'asked_at'];
    const times = Object.fromEntries(never.map((name) => [name, null]));
    const state = { revision: 2, applied: ['evt_2'], unsettled: null, key_hash: 'full' };
    await collection('orders').insertOne({ _id: 'ord_1', ...offer, ...payment, ...times, ...state });
    const received = { order_id: null, payment: 'pi_2', at, received_at: at, handled_at: null };
    await collection('payment_events').insertOne({ _id: 'evt_1', effect: 'refunded', ...received });
    await collection('payment_events').insertOne({ _id: 'evt_2', effect: 'paid', ...received, handled_at: at });

    const store = await database.open();
    const none = { email: null, orderId: null, createdAt: at, revokedAt: null };
    expect(await store.keys.list('')).toEqual([
      {
        ...{ hash: 'full', prefix: 'mh_2', plan: { tier: 'premium', expiresAt: 'e' }, ...none, renewals },
        ...{ secretHash: 'secret', retiring: { hash: 'retiring', prefix: 'mh_0', endsAt: 'r' } },
      },
      { hash: 'plain', prefix: 'mh_1', plan: { tier: 'pro', expiresAt: 'e' }, ...none },
    ]);
    const order = madeOrder({
      ...{ id: 'ord_1', status: 'paid', email: null, checkoutUrl: 'u', checkoutReference: 'cs_1', createdAt: at },
      ...{ paymentReference: 'pi_1', keyHash: 'full' },
    });
    expect(await store.orders.find('ord_1')).toEqual(order);
    const event = madePaymentEvent('refunded', 'pi_2');
    expect(await store.orders.receive({ ...event, id: 'evt_1' }, new Date())).toBe('held');
    expect(await store.orders.receive({ ...event, id: 'evt_2' }, new Date())).toBe('repeated');
  });

  it('is refused where a process left an order half written', async () => {
    await collection('orders').insertOne({ _id: 'ord_1', unsettled: { issued: null } });
    await expect(database.open()).rejects.toThrow(/Start 1\.1 once/);
  });

  it('of a newer version is refused', async () => {
    await collection('store_form').insertOne({ _id: 'form', number: 99 });
    await expect(database.open()).rejects.toThrow(/newer version of Masthead/);
  });
});
