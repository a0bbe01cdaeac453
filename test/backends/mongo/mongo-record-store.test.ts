import type { Document } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MongoStore } from '#backends/mongo/open-mongo.ts';
import { nameKeyOf } from '#records/identity.ts';
import { storedRecord } from '#testing/backends.ts';
import { engines } from '#testing/engines.ts';
import { madePatch, madeRecord } from '#testing/made-record.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { useEach } from '#testing/use.ts';

interface ForeignDocument extends Document {
  _id: string;
}

const url = engines.mongodb;

describe.skipIf(url === null)('records in MongoDB next to other tools', () => {
  const database = useEach(() => newTestDatabase(url ?? ''));
  let store: MongoStore;

  /** The collection as another tool has it. */
  const collection = () => database.collection<ForeignDocument>('records');

  beforeEach(async () => {
    store = await database.open();
  });

  const dates = { updated_at: expect.any(String), created_at: expect.any(String) };
  const shown = { of: expect.any(String), ...dates };
  const keys = { name_key: nameKeyOf('outlet', 'A'), digest: expect.any(String), shown, ...dates };

  it('stores a record as plain fields, without unknown ones', async () => {
    await store.records.merge([madeRecord({ id: 'a', name: 'A', audience: 5, aliases: ['B'] })]);
    expect(await collection().findOne({ _id: 'a' })).toEqual({
      _id: 'a',
      kind: 'outlet',
      name: 'A',
      aliases: ['B'],
      audience: 5,
      ...keys,
    });
  });

  it('finds documents of earlier versions and other tools by kind and name', async () => {
    await collection().insertMany([
      { _id: 'a', kind: 'outlet', name: 'Écho' },
      { _id: 'b', kind: 'podcast', name: 'Écho' },
      { _id: 'c', kind: 'outlet', name: '-' },
    ] as never);
    const found = await store.records.findAny([nameKeyOf('outlet', 'echo')], ['c']);
    expect(found.map(({ id }) => id)).toEqual(['a']);
    await store.records.merge([{ id: 'a', name: 'Voice' }]);
    expect(await store.records.findAny([nameKeyOf('outlet', 'echo')], [])).toEqual([]);
    expect(await store.records.findAny([nameKeyOf('outlet', 'voice')], [])).toMatchObject([{ id: 'a' }]);
  });

  it('leaves a document as it was, but for its dates, when a change of it is undone or it comes back', async () => {
    const foreign = { _id: 'a', kind: 'outlet', name: 'A' };
    await collection().insertOne({ ...foreign });
    const ids = { change: '1', undoing: '2', deletion: '3', return: '4' };
    const started = { action: 'import', operator: 'ada', startedAt: '2026-01-01T00:00:00.000Z', undoes: null } as const;
    for (const id of Object.values(ids)) await store.changes.begin({ id, ...started });
    const undo = async (id: string, undoing: string) => {
      for await (const page of store.changes.readChanges(id)) await store.records.revert(page, undoing);
    };
    await store.records.merge([{ id: 'a', city: 'Leeds' }], ids.change);
    await undo(ids.change, ids.undoing);
    expect(await collection().findOne({ _id: 'a' })).toEqual({ ...foreign, ...keys });
    await store.records.remove(['a'], ids.deletion);
    await undo(ids.deletion, ids.return);
    expect(await collection().findOne({ _id: 'a' })).toEqual({ ...foreign, ...keys });
  });

  it('completes such a document when a merge provides what it lacks', async () => {
    await collection().insertOne({ _id: 'a', kind: 'outlet', city: 'Leeds', owner: 'Ann' });
    expect(await store.records.merge([{ id: 'a', city: 'York' }])).toEqual(['incomplete']);
    expect(await store.records.merge([{ id: 'a', kind: 'outlet', name: 'Herald' }])).toEqual(['created']);
    expect(await storedRecord(store, 'a')).toMatchObject({ name: 'Herald', city: 'Leeds' });
    expect(await collection().findOne({ _id: 'a' })).toMatchObject({ owner: 'Ann' });
  });

  it('keeps an unreadable value until a merge provides another', async () => {
    await collection().insertOne({ _id: 'a', kind: 'outlet', name: 'Herald', type: 'gazetteer', audience: 'some' });
    await store.records.merge([{ id: 'a', city: 'York' }]);
    expect(await storedRecord(store, 'a')).toMatchObject({ city: 'York', type: null, audience: null });
    expect(await collection().findOne({ _id: 'a' })).toMatchObject({ type: 'gazetteer', audience: 'some' });
    await store.records.merge([{ id: 'a', type: 'newspaper' }]);
    expect(await storedRecord(store, 'a')).toMatchObject({ type: 'newspaper' });
  });

  it('loses nothing that another tool writes to the same documents while batches are merged', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `r${index}`);
    await store.records.merge(ids.map((id) => madeRecord({ id })));
    let rounds = 0;
    let isMerging = true;
    const otherTool = async () => {
      // A fast one that never ends would win each time.
      while (isMerging && rounds < 50) {
        rounds += 1;
        for (const id of ids.slice(0, 20)) {
          await collection().updateOne({ _id: id }, { $inc: { seen: 1 }, $set: { platform: `round ${rounds}` } });
        }
      }
    };
    let batch = 0;
    const merging = async () => {
      while (batch < 5 || rounds < 3) {
        batch += 1;
        await store.records.merge(ids.map((id) => madePatch({ id, phone: `000${batch}` })));
      }
      isMerging = false;
    };
    await Promise.all([otherTool(), merging()]);
    for (const document of await collection().find().toArray()) {
      expect(document.contacts).toMatchObject([{ phone: `000${batch}` }]);
      if (ids.indexOf(document._id) < 20) {
        expect(document).toMatchObject({ seen: rounds, platform: `round ${rounds}` });
      }
    }
  });

  it('creates each new record once when several processes import it at the same time', async () => {
    const others = await Promise.all([database.open(), database.open()]);
    const records = Array.from({ length: 300 }, (_, index) => madeRecord({ id: `r${index}` }));
    const outcomes = await Promise.all([store, ...others].map(({ records: own }) => own.merge(records)));
    expect(outcomes.flat().filter((outcome) => outcome === 'created')).toHaveLength(300);
    expect(outcomes.flat().filter((outcome) => outcome === 'unchanged')).toHaveLength(600);
    expect(await store.records.count()).toBe(300);
  });

  it('saves a batch completely or not at all', async () => {
    const records = Array.from({ length: 50 }, (_, index) => madeRecord({ id: `r${index}` }));
    const wrong = { ...madeRecord({ id: 'wrong' }), audience: -1 };
    await database.client.db().command({ collMod: 'records', validator: { audience: { $not: { $lt: 0 } } } });
    await expect(store.records.merge([...records, wrong])).rejects.toThrow(/error 121/);
    expect(await store.records.count()).toBe(0);
  });
});
