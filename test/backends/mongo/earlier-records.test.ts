import { beforeEach, describe, expect, it } from 'vitest';
import { openMongo } from '#backends/mongo/open-mongo.ts';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import type { ChangeSet } from '#records/changes/change-set.ts';
import { digestContent } from '#records/changes/record-change.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { jobTimeoutMs } from '#src/start/open-backends.ts';
import { hasEngines } from '#testing/backends.ts';
import { engines } from '#testing/engines.ts';
import { madeRecord } from '#testing/made-record.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { openProduction } from '#testing/open-production.ts';
import { useEach } from '#testing/use.ts';

const url = engines.mongodb;
const oldDate = '2025-03-01T00:00:00.000Z';
const importedAt = '2026-02-01T00:00:00.000Z';

/** A record as 1.2 read `Fresno, CA`. */
const fresno = madeRecord({
  id: 'fresno',
  ...{ country: 'US', country_name: 'United States', continent: 'north_america', region: 'California' },
  ...{ city: 'Fresno,', updated_at: oldDate },
});
const contact = { contact_name: 'Ann Roe', email: 'ann@daily.example', email_status: 'valid' } as const;

/** The document of a record that 1.2 wrote: with one contact in flat keys, and no dates of the service. */
function documentOf12({ id, created_at, contacts, ...values }: MediaRecord, flat: object = {}) {
  const known = Object.entries(values).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && !value.length),
  );
  return { _id: id, ...Object.fromEntries(known), ...flat, digest: 'of 1.2', name_key: 1 };
}

const daily = documentOf12({ ...madeRecord({ id: 'daily', updated_at: oldDate }), name: 'Daily' }, contact);
/** Documents of another tool. */
const theirs = { kind: 'outlet', name: 'Theirs', owner: 'Ann', updated_at: new Date(oldDate) };

describe.skipIf(url === null)('records that 1.2 left in MongoDB', () => {
  const database = useEach(() => newTestDatabase(url ?? ''));
  const documents = () => database.collection<{ _id: string; shown?: object; [key: string]: unknown }>('records');
  const formOf = async () => (await database.collection<{ _id: string }>('store_form').findOne({ _id: 'form' })) ?? {};

  beforeEach(async () => {
    await database.collection('store_form').insertOne({ _id: 'form', number: 3 });
    await documents().insertMany([
      daily,
      documentOf12(fresno),
      { _id: 'theirs', ...theirs, city: 'Fresno, CA', country: 'US' },
      { _id: 'undated', kind: 'outlet', name: 'Theirs' },
    ]);
    const change = { is: 'created', digest: digestContent(fresno) };
    await database
      .collection('changes')
      .insertOne({ _id: '1 fresno', record_id: 'fresno', at: new Date(importedAt), change });
    await database.collection('change_sets').insertOne({
      ...{ _id: '1', action: 'import', operator: 'ada', started_at: importedAt, ended_at: null, undoes: null },
      ...{ files: [], counts: {}, changes: 1, bytes: 100 },
    });
  });

  it('are not touched by an upgrade, which need not wait for them', async () => {
    const before = await documents().find().toArray();
    await database.open();
    expect(await formOf()).toMatchObject({ number: 4, undated_since: { at: expect.any(Date) } });
    expect(await documents().find().toArray()).toEqual(before);
  });

  it('are dated and repaired by whoever reads them, once', async () => {
    const began = new Date().toISOString();
    const store = await database.open();
    const find = async (id: string) => (await store.records.find(id)) ?? expect.fail();
    const repaired = { city: 'Fresno', region: 'California', city_size: 'large' };
    expect(await find('fresno')).toMatchObject({ ...repaired, created_at: importedAt });
    expect((await find('fresno')).updated_at >= began).toBe(true);
    expect(await find('daily')).toMatchObject({ ...contact, updated_at: oldDate, created_at: oldDate });
    expect(await find('theirs')).toMatchObject({ ...repaired, created_at: oldDate });
    expect((await find('undated')).created_at >= began).toBe(true);
    expect(await documents().findOne({ _id: 'fresno' })).toMatchObject({ city: 'Fresno' });
    expect(await documents().findOne({ _id: 'theirs' })).toMatchObject({ city: 'Fresno, CA', owner: 'Ann' });
    const stored = await documents().findOne({ _id: 'daily' });
    expect(stored).toMatchObject({ contacts: [{ email: contact.email }] });
    expect(stored).not.toHaveProperty('email');

    const again = await database.open();
    for (const id of ['fresno', 'daily', 'theirs', 'undated'])
      expect(await again.records.find(id)).toEqual(await find(id));
  });

  it('are found by their address, amended and undone before anybody dated them', async () => {
    const store = await database.open();
    const [found] = await store.records.findByAddresses(['Ann@Daily.example']);
    expect(found).toMatchObject({ id: 'daily', created_at: oldDate });
    await store.records.merge([{ id: 'theirs', audience: 5 }]);
    expect(await store.records.find('theirs')).toMatchObject({ audience: 5, created_at: oldDate });
    const undone = await undoChanges({ ...store, operator: 'ada' }, (await store.changes.find('1')) as ChangeSet);
    expect(undone).toMatchObject({ removed: 1, kept: 0 });
  });

  it('are read with their dates, and not changed, for an index that is built before the upgrade', async () => {
    const before = await documents().find().toArray();
    const ahead = await openMongo({ uri: database.uri, logLine: () => {}, isAhead: true });
    const { states } = (await ahead.syncDeps.source.readPages({ after: '', upTo: null }).next()).value ?? expect.fail();
    expect(states.get('daily')).toMatchObject({ record: { ...contact, updated_at: oldDate, created_at: oldDate } });
    expect(states.get('fresno')).toMatchObject({ record: { city: 'Fresno', created_at: importedAt } });
    await ahead.close();
    expect(await documents().find().toArray()).toEqual(before);
  });

  it('keep what another tool writes while they are dated', async () => {
    const store = await database.open();
    const { earlier } = store.syncDeps.source;
    const asRead = await documents().findOne({ _id: 'daily' });
    await documents().updateOne({ _id: 'daily' }, { $set: { email: 'eve@daily.example' } });
    await earlier.renew([asRead as never]);
    expect(await documents().findOne({ _id: 'daily' })).toMatchObject({ email: 'eve@daily.example' });
    expect(await store.records.find('daily')).toMatchObject({ email: 'eve@daily.example' });
  });
});

describe.skipIf(!hasEngines)('the sync, of records that 1.2 left', () => {
  it('dates them all, and what other tools have written since the upgrade as that', async () => {
    const places = { mongodb: engines.mongodb ?? '', elasticsearch: engines.elasticsearch ?? '' };
    const database = newTestDatabase(places.mongodb);
    const forms = database.collection('store_form');
    await forms.insertOne({ _id: 'form', number: 3 });
    const ids = Array.from({ length: 600 }, (_, place) => `r${String(place).padStart(3, '0')}`);
    const made = (id: string) => documentOf12(madeRecord({ id, name: id, updated_at: oldDate }), contact);
    await database.collection('records').insertMany(ids.map(made));
    const options = { timeoutMs: jobTimeoutMs, sharesServer: true };
    const ahead = await openProduction(places, { ...options, isAhead: true }, database);
    await ahead.reindex();
    await database.collection('records').updateOne({ _id: 'r598' }, { $set: { audience: 7 } });

    const began = new Date().toISOString();
    const alias = ahead.settings.INDEX_ALIAS;
    const production = await openProduction(places, { ...options, alias }, database);
    const { collection, index } = production;
    expect((await index.findMany(['r000'], 'full'))[0]).toMatchObject({ updated_at: oldDate, created_at: oldDate });
    // Before the sync hears of anything.
    await collection.insertOne({ _id: 'new', ...theirs });
    await collection.updateOne({ _id: 'r599' }, { $set: { name: 'Renamed' } });
    const sync = production.follow();
    await expect.poll(() => sync.said.join(' ')).toMatch(/Following .* The upgrade is done: 59\d records .* dated/);
    expect(await collection.countDocuments({ shown: { $exists: false } })).toBe(0);
    expect(await forms.findOne({ _id: 'form' })).not.toHaveProperty('undated_since');
    const find = async (id: string) => (await production.records.find(id)) ?? expect.fail();
    expect(await find('r000')).toMatchObject({ ...contact, updated_at: oldDate, created_at: oldDate });
    expect(await find('r598')).toMatchObject({ audience: 7, updated_at: oldDate, created_at: oldDate });
    expect(await find('r599')).toMatchObject({ name: 'Renamed', created_at: oldDate });
    expect((await find('r599')).updated_at >= began).toBe(true);
    const { updated_at, created_at } = await find('new');
    expect([updated_at >= began, created_at >= began]).toEqual([true, true]);

    await sync.stop();
    await collection.insertOne({ _id: 'late', ...theirs });
    await production.reindex();
    expect((await find('late')).created_at >= began).toBe(true);
    expect(await production.differences()).toEqual([]);
    await ahead.engine.close();
    await production.close();
  });
});
