import { type Db, type Document, MongoClient } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectionName } from '#backends/mongo/other-versions.ts';
import { type FormDocument, storeForm } from '#backends/mongo/store-form.ts';
import { migrations } from '#backends/mongo/store-migrations.ts';
import { upgradeStore, watchForm } from '#backends/mongo/upgrade-store.ts';
import { oldDocuments, putOldDocuments } from '#test/upgrades/open-old-store.ts';
import { engines } from '#testing/engines.ts';
import { newTestDatabase } from '#testing/mongo-database.ts';
import { useEach } from '#testing/use.ts';

const url = engines.mongodb;
/** On the engines of tests, other tests' processes are connected. */
const options = { sharesServer: true };
const places = 10;

it('the steps of an upgrade end with the form of this version', () => {
  expect(migrations.at(-1)?.form).toBe(storeForm);
});

describe.skipIf(url === null)('the upgrade of the MongoDB store of 1.1', () => {
  const database = useEach(() => newTestDatabase(url ?? ''));
  const dbOf = () => database.client.db(database.name);
  const forms = () => database.client.db(database.name).collection<FormDocument>('store_form');
  const formOf = async () => (await forms().findOne({ _id: 'form' }))?.number;
  let writes = 0;
  beforeAll(async () => {
    const trial = newTestDatabase(url ?? '');
    await putOldDocuments('1.1', trial);
    const counting = failingAt(trial.client.db(trial.name), Number.POSITIVE_INFINITY);
    await upgradeStore(counting.db, options);
    writes = counting.calls();
    await trial.close();
  });

  it.each(Array.from({ length: places }, (_, place) => place))(
    'changes nothing where it fails, at place %i',
    async (place) => {
      await putOldDocuments('1.1', database);
      const failsAt = 1 + Math.floor((place * (writes - 1)) / (places - 1));
      const failing = failingAt(dbOf(), failsAt);
      const isUpgraded = await upgradeStore(failing.db, options).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('made to fail');
          return false;
        },
      );
      // What fails after the form has moved only leaves copies behind.
      expect(isUpgraded || (await formOf()) === undefined || (await formOf()) === storeForm).toBe(true);
      if ((await formOf()) === undefined) expect(await contentOf(dbOf(), '1.1')).toEqual(asTexts(oldDocuments('1.1')));
      await upgradeStore(dbOf(), options);
      expect(await formOf()).toBe(storeForm);
      expect(
        await dbOf()
          .collection('api_keys')
          .countDocuments({ body: { $exists: false } }),
      ).toBe(0);
      expect(await dbOf().collection('orders').countDocuments()).toBe(oldDocuments('1.1').orders?.length);
    },
  );

  /** Begins an upgrade that ends with this rename, as by SIGKILL. */
  async function cutOffAtRename(number: number): Promise<void> {
    const appName = `cut off at ${number}`;
    const client = new MongoClient(database.uri, { appName, monitorCommands: true });
    let renames = 0;
    client.on('commandStarted', ({ commandName }) => {
      if (commandName === 'renameCollection') renames += 1;
      if (renames === number) void client.close(true);
    });
    await expect(upgradeStore(client.db(database.name), options)).rejects.toThrow();
    // The server may still do what it was sent last. A lease outlasts that.
    const admin = database.client.db('admin');
    const all = [{ $currentOp: { allUsers: true, idleConnections: true } }, { $match: { appName } }];
    await expect.poll(async () => (await admin.aggregate(all).toArray()).length).toBe(0);
    await forms().updateOne({ _id: 'upgrade' }, { $set: { until: new Date(0) } });
  }

  it.each([1, 2, 4, 9])(
    'is done by the next start if it was cut off at rename %i, with what 1.1 sold since',
    async (at) => {
      await putOldDocuments('1.1', database);
      await cutOffAtRename(at);
      const [order, ...otherOrders] = oldDocuments('1.1').orders ?? [];
      // 1.1 starts only as long as its key pepper has the form that it knows, or none.
      const pepper = await dbOf().collection('key_pepper').findOne();
      const sells = pepper === null || 'proof' in pepper;
      expect(sells || at > 2).toBe(true);
      if (sells) await database.collection('orders').insertOne({ ...order, _id: 'ord_meanwhile' });
      const store = await database.open();
      expect((await store.orders.list({}, 1_000)).length).toBe(otherOrders.length + (sells ? 2 : 1));
      expect((await store.keys.list('')).length).toBe(oldDocuments('1.1').api_keys?.length);
      const names = (await dbOf().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
      expect(names.filter((name) => name.includes('.'))).toEqual([]);
      expect(await forms().findOne({ _id: 'upgrade' })).toBeNull();
    },
  );

  it('ends what a process did not end that was cut off after the form had moved', async () => {
    await putOldDocuments('1.1', database);
    await upgradeStore(dbOf(), options);
    await forms().insertOne({ _id: 'upgrade', by: 'a process that was killed', until: new Date(0), isReplacing: true });
    await database.collection('orders.former').insertOne({ _id: 'ord_former' });
    await database.collection('ahead_index_generations').insertOne({ _id: 'media-f22-1', cursor: 'here' });
    await upgradeStore(dbOf(), options);
    expect(await database.collection('index_generations').findOne({ _id: 'media-f22-1' })).toMatchObject({
      cursor: 'here',
    });
    const names = (await dbOf().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names.filter((name) => /\.|^ahead_/.test(name))).toEqual([]);
    expect(await dbOf().collection('orders').countDocuments()).toBe(oldDocuments('1.1').orders?.length);
  });

  it('is refused while a process of another form of this store is connected', async () => {
    await putOldDocuments('1.1', database);
    const name = connectionName(database.name).replace(/\d+/, String(storeForm - 1));
    const other = new MongoClient(database.uri, { appName: name });
    await other.db('admin').command({ ping: 1 });
    const refusal = upgradeStore(dbOf(), { ...options, waitMs: 500 });
    await expect(refusal).rejects.toThrow(
      /a process of another version of Masthead is connected \(from 127\.0\.0\.1\)/,
    );
    await expect(refusal).rejects.toThrow(/Nothing was changed/);
    expect(await contentOf(dbOf(), '1.1')).toEqual(asTexts(oldDocuments('1.1')));
    await other.close();
    await upgradeStore(dbOf(), options);
    expect(await formOf()).toBe(storeForm);
  });

  it('is done once, whoever starts at the same time', async () => {
    await putOldDocuments('1.1', database);
    const stores = await Promise.all([database.open(), database.open(), database.open()]);
    for (const store of stores) expect((await store.keys.list('')).length).toBe(oldDocuments('1.1').api_keys?.length);
  });

  it('is refused where a process left an order half written', async () => {
    await putOldDocuments('1.1', database);
    await database.collection('orders').insertOne({ _id: 'ord_1', unsettled: { issued: null } });
    await expect(database.open()).rejects.toThrow(/Start 1\.1 once/);
  });
});

describe.skipIf(url === null)('a MongoDB store of a newer version', () => {
  const database = useEach(() => newTestDatabase(url ?? ''));

  it('is refused, and ends the processes that use it, with no advice that ends keys', async () => {
    await (await database.open()).close();
    const forms = database.collection('store_form');
    const reason = new Promise<Error>((resolve) => watchForm(database.client.db(database.name), resolve, 20));
    await forms.updateOne({ _id: 'form' }, { $set: { number: 99 } });
    expect((await reason).message).toMatch(/belongs to a newer version of Masthead .*Run that version/);
    expect((await reason).message).not.toContain('pepper');
    await expect(database.open()).rejects.toThrow((await reason).message);
  });
});

/** All documents of the collections that a version left, by their ids. */
async function contentOf(db: Db, version: string) {
  const names = Object.keys(oldDocuments(version)).filter((name) => name !== 'store_form');
  const read = async (name: string) =>
    [name, await db.collection(name).find({}, { promoteLongs: false }).sort({ _id: 1 }).toArray()] as const;
  return asTexts(Object.fromEntries(await Promise.all(names.map(read))));
}

/** As texts, in an order that does not depend on the store. */
function asTexts(documents: Record<string, Document[]>) {
  const collections = Object.entries(documents).filter(([name]) => name !== 'store_form');
  const inOrder = (all: Document[]) => all.map((document) => JSON.stringify(document)).toSorted();
  return Object.fromEntries(collections.map(([name, all]) => [name, inOrder(all)]));
}

const writing = [
  'createCollection',
  'dropCollection',
  'renameCollection',
  'insertMany',
  'updateOne',
  'command',
  'deleteOne',
];

/** The database with one write, by its number, that fails. */
function failingAt(db: Db, number: number) {
  let calls = 0;
  const failing = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (writing.includes(String(name))) calls += 1;
          if (writing.includes(String(name)) && calls === number) return Promise.reject(new Error('made to fail'));
          const result = value.apply(target, given);
          return name === 'collection' ? failing(result) : result;
        };
      },
    });
  return { db: failing(db), calls: () => calls };
}
