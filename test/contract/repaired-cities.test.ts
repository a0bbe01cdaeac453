import { describe, expect, it } from 'vitest';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import type { ChangeSet } from '#records/changes/change-set.ts';
import { digestContent } from '#records/changes/record-change.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { engines } from '#testing/engines.ts';
import { madeRecord } from '#testing/made-record.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { useEach } from '#testing/use.ts';

const place = {
  country: 'US',
  country_name: 'United States',
  continent: 'north_america',
  region: 'California',
} as const;
/** A record as earlier versions read `Fresno, CA`. */
const old = madeRecord({ id: 'a', ...place, city: 'Fresno,', updated_at: '2025-03-01T00:00:00.000Z' });
const imported = {
  id: '1',
  action: 'import',
  operator: 'ada',
  startedAt: '2026-02-01T00:00:00.000Z',
  undoes: null,
} as const;
const repaired = { city: 'Fresno', region: 'California', city_size: 'large' };

describe('a city that an earlier version stored with a comma, embedded', () => {
  const backend = useEach(openEmbeddedForTest);

  it('is repaired by a rebuild, with a new date and no entry in the history, and an import is still undone whole', async () => {
    await backend.changes.begin(imported);
    await backend.records.merge([old], '1');
    await backend.ageIndex();
    await backend.maintenance.rebuild({ allowsShrink: false });
    const record = await backend.records.find('a');
    expect(record).toMatchObject({ ...repaired, created_at: old.created_at });
    expect(String(record?.updated_at) > imported.startedAt).toBe(true);
    expect(await backend.changes.listChangesOf('a', 9)).toHaveLength(1);
    expect(
      await undoChanges({ ...backend, operator: 'ada' }, (await backend.changes.find('1')) as ChangeSet),
    ).toMatchObject({
      removed: 1,
      kept: 0,
    });
  });
});

describe.skipIf(engines.mongodb === null)('documents of an earlier version, MongoDB', () => {
  const database = useEach(() => newTestDatabase(engines.mongodb ?? ''));

  it('are repaired and dated once, by the first process that opens the store', async () => {
    const { id, created_at, ...values } = old;
    const known = Object.entries(values).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    );
    const ours = { ...Object.fromEntries(known), digest: 'of an earlier version', name_key: 1 };
    const theirs = { kind: 'outlet', name: 'Theirs', owner: 'Ann' };
    await database.collection('store_form').insertOne({ _id: 'form', number: 3 });
    await database.collection('records').insertMany([
      { _id: 'a', ...ours },
      { _id: 'b', ...ours, city: 'Leeds', region: null, country: null },
      { _id: 'c', ...theirs, city: 'Fresno, CA', country: 'US', updated_at: new Date('2025-04-01') },
      { _id: 'd', ...theirs },
    ]);
    const at = new Date('2026-02-01T00:00:00.000Z');
    const change = { is: 'created', digest: digestContent(old) };
    await database.collection('changes').insertOne({ _id: '1 a', record_id: 'a', at, change });
    await database.collection('change_sets').insertOne({
      ...{ _id: '1', action: 'import', operator: 'ada', started_at: imported.startedAt, ended_at: null, undoes: null },
      ...{ files: [], counts: {}, changes: 1, bytes: 100 },
    });
    const began = new Date().toISOString();
    const store = await database.open();
    const find = async (one: string) => (await store.records.find(one)) ?? expect.fail();
    expect(await find('a')).toMatchObject({ ...repaired, created_at: at.toISOString() });
    expect((await find('a')).updated_at >= began).toBe(true);
    expect(await database.collection('records').findOne({ _id: 'a' })).toMatchObject({ city: 'Fresno' });
    const { updated_at } = old;
    expect(await find('b')).toMatchObject({ city: 'Leeds', updated_at, created_at: updated_at });
    expect(await find('c')).toMatchObject({ ...repaired, created_at: '2025-04-01T00:00:00.000Z' });
    expect((await find('c')).updated_at >= began).toBe(true);
    expect(await database.collection('records').findOne({ _id: 'c' })).toMatchObject({
      city: 'Fresno, CA',
      owner: 'Ann',
    });
    expect((await find('d')).created_at >= began).toBe(true);
    const dated = await Promise.all(['a', 'b', 'c', 'd'].map(find));
    const again = await database.open();
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((one) => again.records.find(one)))).toEqual(dated);
    expect(
      await undoChanges({ ...store, operator: 'ada' }, (await store.changes.find('1')) as ChangeSet),
    ).toMatchObject({
      removed: 1,
      kept: 0,
    });
  });
});
