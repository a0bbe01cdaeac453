import { beforeAll, describe, expect, it } from 'vitest';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import { suppressionKey } from '#records/suppression.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { shopAt } from '#test/http/shop.ts';
import { createService, publicUrl, type TestService } from '#test/http/test-service.ts';
import { storedRecord } from '#testing/backends.ts';
import { useOne } from '#testing/use.ts';
import { oldStores } from './open-old-store.ts';

/** A moment at which the bought keys run and the rotated key still goes on. */
const anHourAfter = (time: string) => new Date(Date.parse(time) + 3_600_000);

describe.each(oldStores)('the $backend store that $version wrote', ({ version, open }) => {
  const store = useOne(open);
  let service: TestService;
  const shop = shopAt(() => service);
  const me = async (key: string) => (await service.get('/api/v1/me', key)).body;
  const search = async (query: string) => (await service.get(`/api/v1/search?${query}`)).body;

  beforeAll(() => {
    const { pepper, madeAt } = store.facts;
    const now = () => anHourAfter(madeAt);
    service = createService(store, { pepper, now, payments: createSandbox(publicUrl) });
  });

  it('has its records, with addresses, what was set, and the ids of merged ones', async () => {
    expect(await storedRecord(store.stored, 'up-01')).toMatchObject({
      ...{ name: 'Ada Gazette', email: 'desk@ada-gazette.example', city: 'Leeds', audience: 12_000 },
      ...{ contact_name: 'Ada Stone', categories: ['politics'], tags: [] },
    });
    expect(await storedRecord(store.stored, 'up-07')).toMatchObject({ audience: 6_000, contact_name: 'Finn Fjord' });
    expect((await service.get('/api/v1/records/up-06')).headers.location).toContain('up-05');
    expect((await service.get('/api/v1/records/up-08')).status).toBe(404);
    expect((await search('q=bert+radio')).results[0]).toMatchObject({ id: 'up-02', email: 's***@bert-radio.example' });
    // The medium of a hidden person is there again.
    expect((await search('per_page=100')).total).toBe(8);
  });

  it('still hides what is suppressed, and shows it again once that is taken back', async () => {
    const read = async (id: string) => JSON.parse((await service.get(`/api/v1/records/${id}`)).text);
    const medium = await read('up-09');
    expect(medium).toMatchObject({ contacts: [], contact_count: 0, email: null });
    expect(medium.updated_at > (await read('up-03')).updated_at).toBe(true);
    const hidden = ['up-10', 'up-11'];
    for (const id of hidden) expect((await service.get(`/api/v1/records/${id}`)).status, id).toBe(404);
    const suppressed = (await store.suppressions.list()).filter(({ follows }) => !follows);
    expect(suppressed.map(({ reason }) => reason)).toEqual(['asked by telephone', null, null]);
    await store.maintenance.unsuppress([suppressionKey('record', 'up-11')]);
    expect((await service.get('/api/v1/records/up-11')).status).toBe(200);
  });

  it('has its keys: issued, bought, renewed, rotated and revoked ones', async () => {
    const { issued, revoked, bought, rotatedOld, rotatedNew } = store.facts.keys;
    expect(await me(issued)).toMatchObject({ plan: 'premium', status: 'active' });
    expect(await me(bought)).toMatchObject({ plan: 'pro', order_id: store.facts.orders.claimed.order_id });
    const { keyClaimedAt } = (await store.orders.find(store.facts.orders.claimed.order_id)) ?? {};
    const days = (Date.parse((await me(bought)).expires_at) - Date.parse(keyClaimedAt ?? '')) / 86_400_000;
    expect(Math.round(days)).toBe(60);
    expect(await me(rotatedNew)).toMatchObject({ plan: 'premium', status: 'active' });
    expect(await me(rotatedOld)).toMatchObject({ plan: 'premium', status: 'active' });
    expect((await service.get('/api/v1/me', revoked)).status).toBe(401);
  });

  it('has its audit log, and its lists', async () => {
    const actions = (await store.audit.list(100)).map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['keys issue', 'keys revoke', 'import', 'delete', 'merge', 'suppress']),
    );
    const { list, keys } = store.facts;
    expect(list === null).toBe(version === '1.1');
    if (list === null) return;
    const { body } = await service.get(`/api/v1/lists/${list.id}`, keys.bought);
    const { people } = store.facts;
    const entries = [
      ...['up-01  call first', 'up-02  null'],
      ...(people === null ? [] : [`up-01 ${people.contactId} met in May`]),
    ];
    expect(body).toMatchObject({ name: 'Spring launch', count: entries.length });
    const shown = body.results.map((row: Record<string, { id: string } | string | null>) => {
      const { record, contact_id, note } = row;
      return `${Object(record).id} ${contact_id ?? ''} ${note}`;
    });
    expect(shown.toSorted()).toEqual(entries.toSorted());
  });

  it('has its people, saved searches, sign-in and keys for programs', async () => {
    const { people, keys } = store.facts;
    expect(people === null).toBe(version < '1.3');
    if (people === null) return;
    expect((await storedRecord(store.stored, 'up-01'))?.contacts).toMatchObject([
      { id: people.contactId, name: 'Ada Stone', title: 'Chief editor', beats: ['politics'], sources: { press: null } },
    ]);
    const { search, session, programKey } = people;
    expect((await service.get('/api/v1/searches', keys.bought)).body.searches).toMatchObject([{ id: search.id }]);
    const feed = new URL(search.feed_url);
    expect((await service.get(feed.pathname + feed.search)).text).toContain('<title>Leeds</title>');
    const headers = {
      Cookie: `__Host-masthead_session=${session}`,
      'Sec-Fetch-Site': 'same-origin',
      Origin: publicUrl,
    };
    expect((await service.get('/api/v1/me').set(headers)).body).toMatchObject({
      order_id: store.facts.orders.claimed.order_id,
    });
    expect(await me(programKey)).toMatchObject({ plan: 'pro', scopes: ['search'] });
  });

  it('has its orders in every state, and goes on with each', async () => {
    const { orders, keys } = store.facts;
    const stateOf = async (name: keyof typeof orders) => (await shop.read(purchase(name))).body;
    const purchase = (name: keyof typeof orders) => ({ checkout_url: '', ...orders[name] });
    for (const status of ['pending', 'expired', 'failed', 'refunded'] as const) {
      expect(await stateOf(status), status).toMatchObject({ status });
    }
    expect(await stateOf('claimed')).toMatchObject({ status: 'paid', renews: null });
    expect(await stateOf('claimed')).not.toHaveProperty('api_key');
    expect(await stateOf('renewal')).toMatchObject({ status: 'paid', renews: keys.bought.slice(0, 11) });
    expect((await store.orders.find(orders.disputed.order_id))?.suspendedAt).not.toBeNull();

    const { api_key: delivered } = await stateOf('unclaimed');
    expect(await me(delivered)).toMatchObject({ plan: 'premium', status: 'active' });
    for (const name of ['pending', 'failed', 'expired'] as const) {
      await shop.act(orders[name], 'pay');
      const { api_key } = await stateOf(name);
      expect(await me(api_key), name).toMatchObject({ plan: 'pro', status: 'active' });
    }
    await shop.act(orders.claimed, 'pay');
    await shop.act(orders.claimed, 'refund');
    expect((await service.get('/api/v1/me', keys.bought)).status).toBe(401);
  });

  // In the order in which an operator would do it, the last first.
  it('undoes what was done to its records', async () => {
    const { changeSets, people } = store.facts;
    const undo = async (id: string) => {
      const set = await store.changes.find(id);
      expect(set, id).not.toBeNull();
      return set && undoChanges({ ...store, operator: 'ada' }, set);
    };
    if (people !== null) {
      const { october, november, changed, undo: undone } = people.changeSets;
      for (const [id, city] of [
        [undone, 'Nice'],
        [changed, 'Lyon'],
      ] as const) {
        expect(await undo(id)).toMatchObject({ restored: 1, kept: 0 });
        expect(await storedRecord(store.stored, 'up-04')).toMatchObject({ city });
      }
      expect(await undo(november)).toMatchObject({ restored: 1, kept: 0 });
      expect((await storedRecord(store.stored, 'up-01'))?.contacts).toHaveLength(2);
      expect(await undo(october)).toMatchObject({ restored: 2, kept: 0 });
    }
    expect(await undo(changeSets.secondImport)).toMatchObject({ removed: 1, kept: 0 });
    expect(await storedRecord(store.stored, 'up-12')).toBeNull();
    expect(await undo(changeSets.delete)).toMatchObject({ recreated: 1, kept: 0 });
    expect(await storedRecord(store.stored, 'up-08')).toMatchObject({ email: 'editor@grove.example', tags: [] });
    expect(await undo(changeSets.merge)).toMatchObject({ recreated: 1, kept: 0 });
    expect(await storedRecord(store.stored, 'up-06')).toMatchObject({ name: 'The Elm Courier' });
    expect(await undo(changeSets.set)).toMatchObject({ restored: 1, kept: 0 });
    expect(await storedRecord(store.stored, 'up-07')).toMatchObject({ audience: 5_000, contact_name: null });
    await store.settle();
    expect((await service.get('/api/v1/records/up-06')).status).toBe(200);
    expect(await undo(changeSets.firstImport)).toMatchObject({ removed: 11, kept: 0 });
    expect(await store.records.count()).toBe(0);
  });
});
