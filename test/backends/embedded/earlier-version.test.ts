import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { tables } from '#backends/embedded/schema.ts';
import { asVersion11, asVersion31 } from '#testing/embedded-store.ts';
import { madeOrder, madePaymentEvent } from '#testing/made-order.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useFolders } from '#testing/use.ts';

describe('the embedded store of version 1.1', () => {
  const newFolder = useFolders();
  let dataDir: string;
  let old: DatabaseSync;
  beforeEach(() => {
    dataDir = newFolder();
    old = new DatabaseSync(join(dataDir, 'masthead.db'));
    old.exec(tables);
    old.exec(asVersion11);
  });

  it('keeps its audit log, pushes, use of keys and pepper', async () => {
    const at = '2026-11-22T10:00:00.000Z';
    const today = new Date().toISOString();
    old.exec(`
      INSERT INTO audit_log (at, operator, action, subject, outcome) VALUES
        ('${at}', 'ada', 'keys issue', 'mh_1', NULL), ('${at}', 'ada', 'delete', 'record 1', '1 deleted');
      INSERT INTO key_usage VALUES ('hash', '${today.slice(0, 10)}', 3, 2, 1, '${today}');
      INSERT INTO pushes VALUES ('psh_1', 'hash', 'mh_1', 'smartlead', '47', 'done', '{"sent":1}', '{"total":1}', NULL,
        '${today}', '${today}');
      INSERT INTO key_pepper VALUES (1, 'proof', '${at}')`);
    old.close();
    const store = openEmbedded(dataDir);
    const entry = { at, operator: 'ada', action: 'keys issue', subject: 'mh_1', outcome: null };
    const deletion = { ...entry, action: 'delete', subject: 'record 1', outcome: '1 deleted' };
    expect(await store.audit.list(5)).toEqual([deletion, entry]);
    const counts = { requests: 3, exportedRows: 2, pushedLeads: 1 };
    const day = { keyHash: 'hash', date: today.slice(0, 10), ...counts, lastUsedAt: today };
    expect(await store.usage.list({ owner: 'hash', from: '2026-01-01' })).toEqual([day]);
    const push = { id: 'psh_1', keyHash: 'hash', keyPrefix: 'mh_1', tool: 'smartlead', campaignId: '47' };
    const end = { status: 'done', counts: { sent: 1 }, details: { total: 1 }, failure: null };
    expect(await store.pushes.list({ limit: 5 })).toEqual([{ ...push, ...end, startedAt: today, updatedAt: today }]);
    expect(await store.pepper.find()).toEqual({ proof: 'proof', since: at });
    await store.close();
  });
  it('keeps its keys, orders and payment events', async () => {
    const at = '2026-11-22T10:00:00.000Z';
    const renewals = '{"firstEnd":"e","orders":[{"orderId":"o","paidAt":"p","days":30}]}';
    old.exec(`
      INSERT INTO api_keys (hash, prefix, tier, expires_at, created_at) VALUES ('plain', 'mh_1', 'pro', 'e', '${at}');
      INSERT INTO api_keys VALUES ('full', 'mh_2', 'premium', 'e', 'ada@shop.example', 'ord_1', '${at}', '${at}',
        'secret', 'retiring', 'mh_0', 'r', '${renewals}', 0);
      INSERT INTO orders (id, status, tier, price, currency, days, checkout_url, checkout_reference, payment_reference,
        created_at, key_hash) VALUES ('ord_1', 'paid', 'pro', 4900, 'USD', 30, 'u', 'cs_1', 'pi_1', '${at}', 'full');
      INSERT INTO payment_events (id, effect, payment, at, received_at) VALUES ('evt_1', 'refunded', 'pi_2', '${at}', '${at}');
      INSERT INTO payment_events VALUES ('evt_2', 'paid', 'ord_1', 'pi_1', '${at}', '${at}', '${at}', 'cs_1', 'USD', 4900, 0,
        'cus_1')`);
    old.close();
    const store = openEmbedded(dataDir);
    const none = { email: null, orderId: null, createdAt: at, revokedAt: null };
    const plain = { hash: 'plain', prefix: 'mh_1', plan: { tier: 'pro', expiresAt: 'e' }, ...none };
    expect(await store.keys.findByHash('plain')).toEqual(plain);
    expect(await store.keys.findByHash('retiring')).toEqual({
      ...{ hash: 'full', prefix: 'mh_2', plan: { tier: 'premium', expiresAt: 'e' }, email: 'ada@shop.example' },
      ...{ orderId: 'ord_1', createdAt: at, revokedAt: at, secretHash: 'secret', renewals: JSON.parse(renewals) },
      retiring: { hash: 'retiring', prefix: 'mh_0', endsAt: 'r' },
    });
    const order = madeOrder({
      ...{ id: 'ord_1', status: 'paid', email: null, checkoutUrl: 'u', checkoutReference: 'cs_1', createdAt: at },
      ...{ paymentReference: 'pi_1', keyHash: 'full' },
    });
    expect(await store.orders.find('ord_1')).toEqual(order);
    const event = madePaymentEvent('refunded', 'pi_2');
    expect(await store.orders.receive({ ...event, id: 'evt_1' }, new Date())).toBe('held');
    expect(await store.orders.receive({ ...event, id: 'evt_2' }, new Date())).toBe('repeated');
    await store.close();
  });
});

describe('the embedded store of schema 31', () => {
  const newFolder = useFolders();

  it('keeps the address of each record, and where it was seen', async () => {
    const dataDir = newFolder();
    const records = [
      madeRecord({ id: 'both', email: 'ann@a.example', email_source: 'https://a.example/"x"' }),
      madeRecord({ id: 'address', email: 'bob@b.example' }),
      madeRecord({ id: 'neither' }),
    ];
    const before = openEmbedded(dataDir);
    await before.records.merge(records);
    await before.close();
    const old = new DatabaseSync(join(dataDir, 'masthead.db'));
    old.exec(asVersion31);
    old.close();
    const store = openEmbedded(dataDir);
    for (const record of records) {
      const { email, email_source } = record;
      expect(await store.records.find(record.id)).toMatchObject({ email, email_source });
    }
    expect((await store.maintenance.findLive())?.isCurrent).toBe(false);
    await store.close();
  });
});
